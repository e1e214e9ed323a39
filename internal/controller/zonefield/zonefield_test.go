// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zonefield

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestZone(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason   string
		declared Declared
		want     string
		// says is the error's text, "" for none.
		says string
	}{
		{"an ID is the zone's", Declared{ID: "a"}, "a", ""},
		{"a name leads to the ID, however it is written", Declared{Name: "Bücher.Example."}, "b", ""},
		{"where both are of one zone, nothing is wrong", Declared{ID: "b", Name: "bücher.example"}, "b", ""},
		{"where they are not, and no resource is in either, nobody guesses", Declared{ID: "a", Name: "bücher.example"}, "", "leave one of the two out"},
		{"where they are not, the ID may be from a reference before", Declared{ID: "a", Name: "bücher.example", Held: "a"}, "b", ""},
		{"a name that is none is refused", Declared{Name: "a..b"}, "", "spec.forProvider.zoneName"},
		{"a name that nobody knows is refused", Declared{Name: "none.example"}, "", "no such zone"},
		{"without ID and name nothing is known", Declared{}, "", ErrUnknown.Error()},
		{"nor is it where the resource is", Declared{Held: "a"}, "", ErrUnknown.Error()},
		{"what is deleted is where it is", Declared{ID: "b", Name: "none.example", Held: "a", Deleted: true}, "a", ""},
		{"what is deleted and never was anywhere is where the spec says", Declared{ID: "b", Deleted: true}, "b", ""},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			got, err := tc.declared.Zone(t.Context(), byName)
			if got != tc.want || (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
				t.Errorf("got %q, %v, want %q and an error that says %q", got, err, tc.want, tc.says)
			}
		})
	}
}

// byName knows one zone.
func byName(_ context.Context, name string) (string, error) {
	if name == "xn--bcher-kva.example" {
		return "b", nil
	}
	return "", errors.New("no such zone")
}

func TestReference(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason    string
		ref       Reference
		value     string
		elsewhere bool
	}{
		{"the first resolution of a new object", Reference{Now: "a"}, "a", false},
		{"a reference to where it is", Reference{Held: "a", Now: "a"}, "a", false},
		{"a reference that is not resolved", Reference{Held: "a", Before: "a"}, "", false},
		{"what was declared before is refused elsewhere, and can be taken back", Reference{Held: "a", Before: "b", Now: "b"}, "b", false},
		{"a reference to another place", Reference{Held: "a", Before: "a", Now: "b"}, "a", true},
		{"a reference to another place, and the field was emptied", Reference{Held: "a", Now: "b"}, "", true},
		{"it is there already, and an immutable field has another value", Reference{Held: "b", Before: "a", Now: "b"}, "", true},
		{"it is nowhere, and an immutable field has another value", Reference{Before: "a", Now: "b"}, "", true},
	} {
		if got, elsewhere := tc.ref.Field(); got != tc.value || elsewhere != tc.elsewhere {
			t.Errorf("%s: got %q, %t", tc.reason, got, elsewhere)
		}
	}
}

func TestMoved(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, held, now, says string
	}{
		{"it is nowhere yet", "", "a", ""},
		{"it is there", "a", "a", ""},
		{"it is elsewhere", "a", "b", "in zone a, and the spec or its provider config names zone b"},
	} {
		if got := Moved("thing", tc.held, tc.now); (got == nil) != (tc.says == "") || got != nil && !strings.Contains(got.Error(), tc.says) {
			t.Errorf("%s: got %v", tc.reason, got)
		}
	}
}
