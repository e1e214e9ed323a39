// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
)

func TestListsOfPages(t *testing.T) {
	tests := []struct {
		reason        string
		page, counted int
		lists         int
		incomplete    bool
	}{
		{"all on one page", 0, 0, 1, false},
		{"a page each", 1, 0, 3, false},
		{"more than is counted: nothing is missing", 0, -1, 1, false},
		{"less than is counted proves nothing", 0, 1, 3, true},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(row("a", "1"), row("b", "1"), row("c", "1"))
				f.pageSize, f.counted = tc.page, tc.counted
				found, err := newStage(t, f, CollectionOptions{What: "things"}).things().Find(t.Context(), Query{Key: "n-c"})
				var short *IncompleteError
				if errors.As(err, &short) != tc.incomplete || (err != nil) != tc.incomplete || (len(found) == 1) == tc.incomplete || f.count("list") != tc.lists {
					t.Errorf("%s: found %v (%v) with %d lists, want incomplete %t with %d", tc.reason, found, err, f.count("list"), tc.incomplete, tc.lists)
				}
			})
		})
	}
}

// TestRowsOfNoConcern checks that a page that leaves rows out counts them like the other
// pages.
func TestRowsOfNoConcern(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(row("a", "1"), row("b", "1"), row("c", "1"))
		f.pageSize, f.skipped = 1, "a"
		found, err := newStage(t, f, CollectionOptions{What: "things"}).things().Find(t.Context(), Query{Key: "n-c"})
		if err != nil || len(found) != 1 || f.count("list") != 3 {
			t.Errorf("found %v (%v) with %d lists, want one row with 3", found, err, f.count("list"))
		}
	})
}

// endless is a source whose pages never end.
type endless struct{ *fake }

func (e endless) List(ctx context.Context, cursor string) (Page[*thing], error) {
	if _, err := e.begin(ctx, "list", cursor); err != nil {
		return Page[*thing]{}, err
	}
	return Page[*thing]{Rows: []*thing{row("a", "1")}, Next: "again", Total: -1}, nil
}

func TestPagesThatRepeatEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := endless{newFake()}
		_, err := NewPool[*thing](Options{}).Collection(key, e, CollectionOptions{What: "things"}).Get(t.Context(), "a")
		var short *IncompleteError
		if !errors.As(err, &short) || e.count("list") > 3 || !strings.Contains(err.Error(), "1 things so far") {
			t.Errorf("got %v with %d calls, want that the list does not come to an end", err, e.count("list"))
		}
	})
}

func TestTally(t *testing.T) {
	tests := []struct {
		reason string
		totals []int
		said   bool
		rows   int
		whole  bool
	}{
		{"as many as counted", []int{2, 2}, true, 2, true},
		{"fewer", []int{2}, true, 1, false},
		{"the least count counts: rows went meanwhile", []int{3, 2}, true, 2, true},
		{"an empty list says that it is", []int{0}, true, 0, true},
		{"one that does not say so is none", []int{0}, false, 0, false},
		{"one that does not count is believed if it shows something", []int{0}, false, 1, true},
	}
	for _, tc := range tests {
		var tally PageCount
		for _, n := range tc.totals {
			tally.Page(n, tc.said)
		}
		if got := tally.whole(tc.rows); got != tc.whole || tally.Calls != len(tc.totals) {
			t.Errorf("%s: whole %t after %d calls, want %t", tc.reason, got, tally.Calls, tc.whole)
		}
	}
}
