// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"slices"
	"testing"
	"time"
)

func TestWhatAListMustNotUndo(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		reason string
		fact   OverlayEntry[int]
		sight  Ordering
		// after is how long after the fact the list began. before is true if it began before the
		// fact in logical time.
		after  time.Duration
		before bool
		want   bool
	}{
		{"a list that began before a write has not seen it", OverlayEntry[int]{Written: true}, Newer, -time.Second, true, true},
		{"a list that began before a GET ended is not newer", OverlayEntry[int]{}, Missing, 0, true, true},
		{"what we wrote a moment ago may be missing in a copy", OverlayEntry[int]{Written: true}, Missing, Lag, false, true},
		{"and may be there as it was", OverlayEntry[int]{Written: true}, Older, Lag, false, true},
		{"a list that confirms a write may be followed by one of an older copy", OverlayEntry[int]{Written: true}, Unordered, Lag, false, true},
		{"somebody changed it after us", OverlayEntry[int]{Written: true}, Newer, time.Second, false, false},
		{"copies are not that far behind: it is missing", OverlayEntry[int]{Written: true}, Missing, Lag + 1, false, false},
		{"copies are not that far behind: it is another", OverlayEntry[int]{Written: true}, Unordered, Lag + 1, false, false},
		{"a time of modification says for good that it is older", OverlayEntry[int]{Written: true}, Older, time.Hour, false, true},
		{"what was only read, a later list shows as well", OverlayEntry[int]{}, Unordered, time.Second, false, false},
		{"what was only read may have been deleted since", OverlayEntry[int]{}, Missing, time.Second, false, false},
		{"copies show for a moment what a GET does not find", OverlayEntry[int]{Gone: true}, Unordered, Lag, false, true},
		{"a list that shows it later refutes a GET", OverlayEntry[int]{Gone: true}, Unordered, Lag + 1, false, false},
		{"no copy shows it again that we deleted it", OverlayEntry[int]{Gone: true, Written: true}, Unordered, GoneDisputed, false, true},
		{"nor is a deletion believed for ever", OverlayEntry[int]{Gone: true, Written: true}, Unordered, GoneDisputed + 1, false, false},
		{"that it is gone is remembered for who asks late", OverlayEntry[int]{Gone: true}, Missing, GoneKept, false, true},
		{"but not for ever", OverlayEntry[int]{Gone: true}, Missing, GoneKept + 1, false, false},
		{"a name may be there in a copy although we deleted it", OverlayEntry[int]{Gone: true, Returns: true}, Unordered, Lag, false, true},
		{"a name comes back", OverlayEntry[int]{Gone: true, Returns: true}, Unordered, Lag + 1, false, false},
		{"a name that is gone has to be asked for again", OverlayEntry[int]{Gone: true, Returns: true}, Missing, Lag + 1, false, false},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			tc.fact.At = Moment{Logical: 7, Wall: at}
			list := Moment{Logical: 8, Wall: at.Add(tc.after)}
			if tc.before {
				list.Logical = 7
			}
			known := Overlay[int]{"x": tc.fact}
			kept, released := known.Survivors(list, func(string, OverlayEntry[int]) Ordering { return tc.sight })
			if _, is := kept["x"]; is != tc.want || slices.Contains(released, "x") == tc.want {
				t.Errorf("%s: kept %v, released %v, want kept %t", tc.reason, kept, released, tc.want)
			}
		})
	}
}

func TestUncovered(t *testing.T) {
	k := Overlay[int]{"b": {}}
	if got := k.Uncovered([]string{"a", "b", "c"}); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("got %v, want what nothing is known of", got)
	}
}
