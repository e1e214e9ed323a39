// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// lookWrong makes one look that does not find a row, even if the row is there.
func (s *stage) lookWrong(id string) {
	s.hook("get", func(context.Context, string) error { return fmt.Errorf("%s %w", id, ErrNotFound) })
	defer s.hook("get", nil)
	_, _ = s.things().Look(s.t.Context(), id)
}

// TestAbsenceTakesTwoAnswers checks that a row which one answer says to be gone is not gone if another
// answer shows it.
func TestAbsenceTakesTwoAnswers(t *testing.T) {
	listed, partly, alone := CollectionOptions{}, CollectionOptions{Listing: Partial}, CollectionOptions{Listing: None, Names: true}
	for _, tc := range []struct {
		reason string
		terms  CollectionOptions
		known  bool
		happen func(s *stage)
		// disputed is true if absence is not proven. lists and gets are the calls that Prove and the next
		// Get make.
		disputed    bool
		lists, gets int
	}{
		{"one look was wrong, and a list shows the row", listed, true, func(s *stage) { s.lookWrong("a") }, true, 1, 1},
		{"a list that is part of each look shows it", partly, true, func(s *stage) { s.lookWrong("a") }, true, 1, 1},
		{"there is no list, and one look was wrong", alone, true, func(s *stage) { s.lookWrong("a") }, true, 0, 1},
		{"a list and then a look lack it", listed, true, func(s *stage) {
			s.remove("a")
			s.sweep()
			s.get("a")
		}, false, 0, 0},
		{"a look and then a list lack it", listed, true, func(s *stage) {
			s.remove("a")
			s.lookWrong("a")
		}, false, 1, 0},
		{"a look, and a list that the sweep made since, lack it", listed, true, func(s *stage) {
			s.remove("a")
			s.lookWrong("a")
			s.sweep()
		}, false, 0, 0},
		{"two looks far apart lack it", alone, true, func(s *stage) {
			s.remove("a")
			s.lookWrong("a")
			pass(Lag)
			s.get("a")
		}, false, 0, 0},
		{"two looks at once are one", alone, true, func(s *stage) {
			s.remove("a")
			s.lookWrong("a")
			s.get("a")
		}, true, 0, 1},
		{"this process has deleted it", listed, true, func(s *stage) {
			s.remove("a")
			s.things().Removed("a")
		}, false, 0, 0},
		{"its deletion found nothing, and it is there", listed, true, func(s *stage) { s.things().Missed("a") }, true, 1, 1},
		{"nobody has seen what a user names", listed, false, func(s *stage) {
			s.remove("a")
			s.sweep()
			s.get("a")
		}, false, 1, 0},
		{"nobody has seen what a user names, and it has just been made", listed, false, func(s *stage) {
			s.remove("a")
			s.sweep()
			s.lookWrong("a")
			s.set("a", "1")
		}, true, 1, 0},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, newFake(row("a", "1"), row("b", "1")), tc.terms)
				s.get("a")
				_, _ = s.things().Find(t.Context(), Query{Key: "n-a"})
				pass(time.Minute)
				s.sweep()
				tc.happen(s)
				lists, gets := s.count("list"), s.count("get")
				err := s.things().Prove(t.Context(), "a", tc.known)
				var disputed *DisputedError
				if errors.As(err, &disputed) != tc.disputed || !tc.disputed && err != nil {
					t.Fatalf("%s: got %v", tc.reason, err)
				}
				if tc.disputed && (disputed.RetryAfter() <= 0 || disputed.RetryAfter() > Lag) {
					t.Errorf("%s: looks again after %s", tc.reason, disputed.RetryAfter())
				}
				s.get("a")
				if l, g := s.count("list")-lists, s.count("get")-gets; l != tc.lists || g != tc.gets {
					t.Errorf("%s: %d lists and %d GETs, want %d and %d", tc.reason, l, g, tc.lists, tc.gets)
				}
			})
		})
	}
}

// TestFindShowsWhatOneAnswerDenies checks that a row which a single answer says to be gone is found by its
// key, until a list confirms that it is gone.
func TestFindShowsWhatOneAnswerDenies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, newFake(row("a", "1")), CollectionOptions{})
		s.get("a")
		s.write("c", "1")
		find := func(name string) int {
			found, err := s.things().Find(t.Context(), Query{Key: name, Guarded: true})
			if err != nil {
				t.Fatal(err)
			}
			return len(found)
		}
		s.lookWrong("a")
		s.lookWrong("c")
		if a, c := find("n-a"), find("n-c"); a != 1 || c != 1 {
			t.Errorf("found %d and %d, want what was listed and what was written", a, c)
		}
		s.remove("a")
		s.remove("c")
		pass(time.Second)
		s.sweep()
		if a, c := find("n-a"), find("n-c"); a != 0 || c != 0 {
			t.Errorf("found %d and %d, want none of what a list lacks, too", a, c)
		}
	})
}
