// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// kinds returns the kinds of collections that keep the same promises about writes.
func kinds() map[string]struct {
	timed bool
	terms CollectionOptions
} {
	type kind = struct {
		timed bool
		terms CollectionOptions
	}
	return map[string]kind{
		"listed":            {false, CollectionOptions{}},
		"listed with times": {true, CollectionOptions{}},
		"partly listed":     {false, CollectionOptions{Listing: Partial}},
		"by name":           {false, CollectionOptions{Names: true}},
		"never listed":      {false, CollectionOptions{Listing: None, Names: true}},
	}
}

// each runs a test for each kind of collection. The collection has the rows a and b, which a caller
// has asked for, and which were swept once.
func each(t *testing.T, do func(t *testing.T, s *stage)) {
	t.Helper()
	for name, k := range kinds() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				f.timed = k.timed
				s := newStage(t, f, k.terms)
				f.set("a", "1")
				f.set("b", "1")
				s.get("a")
				s.get("b")
				pass(time.Minute)
				if ids := s.sweep(); len(ids) != 0 {
					t.Fatalf("reported %v at first", ids)
				}
				do(t, s)
			})
		})
	}
}

// TestAnOlderCopyUndoesNoWrite has a copy that was left behind answer after one that was not, within
// Lag after a write.
func TestAnOlderCopyUndoesNoWrite(t *testing.T) {
	each(t, func(t *testing.T, s *stage) {
		s.lag()
		older := s.stale
		s.catchUp()
		s.write("a", "2")
		s.write("c", "2")
		s.remove("b")
		s.things().Removed("b")
		pass(time.Second)
		for _, copied := range []bool{false, true, false, true, true} {
			s.stale = nil
			if copied {
				s.stale = older
			}
			if ids := s.sweep(); len(ids) != 0 {
				t.Errorf("reported %v of our own writes (older copy %t)", ids, copied)
			}
			if a, b, c := s.get("a"), s.get("b"), s.get("c"); a != "2" || b != "" || c != "2" {
				t.Errorf("a %q, b %q, c %q: the list of an older copy undid a write", a, b, c)
			}
			pass(800 * time.Millisecond)
		}
		s.catchUp()
		pass(Lag)
		if ids := s.sweep(); len(ids) != 0 {
			t.Errorf("reported %v of our own writes when copies had caught up", ids)
		}
	})
}

// TestTheNextForeignChangeIsReported changes a row from outside that this process wrote before:
// within Lag, after a list within Lag, and long after.
func TestTheNextForeignChangeIsReported(t *testing.T) {
	tests := []struct {
		reason string
		// foreign is how long after the write the change happens. listed is when the lists begin that
		// may not show it yet.
		foreign time.Duration
		listed  []time.Duration
	}{
		{"within the lag, seen by no list of that time", time.Second, nil},
		{"within the lag, and a list of that time shows it", time.Second, []time.Duration{2 * time.Second, 3 * time.Second}},
		{"after a list has confirmed the write", 6 * time.Second, []time.Duration{time.Second}},
		{"after several have", 6 * time.Second, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}},
		{"long after", time.Hour, []time.Duration{time.Second, 30 * time.Minute}},
	}
	changes := map[string]struct {
		do   func(s *stage)
		want string
	}{
		"edited":  {func(s *stage) { s.set("a", "foreign") }, "foreign"},
		"undone":  {func(s *stage) { s.set("a", "1") }, "1"},
		"deleted": {func(s *stage) { s.remove("a") }, ""},
	}
	for _, tc := range tests {
		for what, change := range changes {
			t.Run(what+" "+tc.reason, func(t *testing.T) {
				each(t, func(t *testing.T, s *stage) {
					s.write("a", "2")
					reported := changeBetweenLists(s, tc.foreign, tc.listed, change.do)
					if len(reported) == 0 {
						pass(Lag + time.Second)
						reported = s.sweep()
					}
					if !slices.Equal(reported, []string{"a"}) {
						t.Errorf("%s: reported %v, want the row", tc.reason, reported)
					}
					if got := s.get("a"); got != change.want {
						t.Errorf("%s: got %q, want %q", tc.reason, got, change.want)
					}
					pass(time.Minute)
					if again := s.sweep(); len(again) != 0 {
						t.Errorf("%s: reported %v again", tc.reason, again)
					}
				})
			})
		}
	}
}

// changeBetweenLists sweeps at the times listed, makes the change at the time foreign, and returns
// what was reported.
func changeBetweenLists(s *stage, foreign time.Duration, listed []time.Duration, change func(*stage)) []string {
	began, changed := time.Now(), false
	var reported []string
	for _, at := range append(slices.Clone(listed), foreign) {
		if at >= foreign && !changed {
			pass(time.Until(began.Add(foreign)))
			change(s)
			changed = true
		}
		if at != foreign {
			pass(max(0, time.Until(began.Add(at))))
			reported = append(reported, s.sweep()...)
		}
	}
	return reported
}

// TestTimesTellForeignChangesAtOnce changes a row from outside that this process wrote a second ago.
// The API shows times of modification.
func TestTimesTellForeignChangesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.timed = true
		s := newStage(t, f, CollectionOptions{})
		s.set("a", "1")
		s.get("a")
		s.write("a", "2")
		pass(time.Second)
		s.set("a", "foreign")
		if ids := s.sweep(); !slices.Equal(ids, []string{"a"}) || s.get("a") != "foreign" {
			t.Errorf("reported %v and got %q, want the change at once", ids, s.get("a"))
		}
	})
}

// TestOfTwoAnswersTheLaterWriteStays has the answers to two writes overtake each other.
func TestOfTwoAnswersTheLaterWriteStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.timed = true
		s := newStage(t, f, CollectionOptions{})
		first := s.set("a", "1")
		pass(time.Second)
		second := s.set("a", "2")
		s.things().Written(second)
		s.things().Written(first)
		if got := s.get("a"); got != "2" {
			t.Errorf("got %q, want what was written last", got)
		}
	})
}
