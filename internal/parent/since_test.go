// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestALookSince checks that a caller whose time is later than what was seen causes a new look, by ID or by name,
// and that a thousand such callers share one call.
func TestALookSince(t *testing.T) {
	get := func(s *stage, since time.Time) (string, error) {
		r, err := s.things().GetSince(s.t.Context(), "a", since)
		if err != nil {
			return "", err
		}
		return r.text, nil
	}
	find := func(s *stage, since time.Time) (string, error) {
		found, err := s.things().Find(s.t.Context(), Query{Key: "n-a", Guarded: true, Seen: since})
		if err != nil || len(found) != 1 {
			return "", err
		}
		return found[0].text, nil
	}
	for _, tc := range []struct {
		reason  string
		listing ListDetail
		look    func(s *stage, since time.Time) (string, error)
		calls   int
	}{
		{"a list shows all", Complete, get, 1},
		{"lists lack something, and one GET serves all", Partial, get, 1},
		{"there is no list, and one GET serves all", None, get, 1},
		{"by its name, in a list that shows all", Complete, find, 1},
		{"by its name, in a list that lacks something", Partial, find, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, newFake(row("a", "1")), CollectionOptions{Listing: tc.listing})
			if got, err := tc.look(s, time.Time{}); got != "1" || err != nil {
				t.Fatalf("%s: at first it is %q, %v", tc.reason, got, err)
			}
			pass(time.Second)
			s.set("a", "2")
			pass(time.Second)
			if got, err := tc.look(s, time.Time{}); got != "1" || err != nil {
				t.Fatalf("%s: it is %q, %v for who may be answered with what was seen", tc.reason, got, err)
			}
			since, before := time.Now(), s.count("list")+s.count("get")
			pass(time.Second)
			for range 1000 {
				if got, err := tc.look(s, since); got != "2" || err != nil {
					t.Fatalf("%s: got %q, %v, want what is there now", tc.reason, got, err)
				}
			}
			if n := s.count("list") + s.count("get") - before; n != tc.calls {
				t.Errorf("%s: %d calls for a thousand questions, want %d", tc.reason, n, tc.calls)
			}
		})
	}
}

// TestAbsenceCostsTheNewNoList checks that a caller that creates a row next, which the API refuses if it exists,
// needs no list, even if its time is later than the newest list.
func TestAbsenceCostsTheNewNoList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, newFake(row("a", "1")), CollectionOptions{})
		s.get("a")
		pass(time.Second)
		before := s.count("list")
		found, err := s.things().Find(t.Context(), Query{Key: "n-b", Guarded: true, Seen: time.Now()})
		if n := s.count("list") - before; n != 0 || len(found) != 0 || err != nil {
			t.Errorf("got %v, %v after %d lists", found, err, n)
		}
	})
}
