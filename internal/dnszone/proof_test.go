// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// lookFor looks n times, one after the other, for a record after a creation, and returns how
// many lists that took.
func lookFor(t *testing.T, z *Zone, f *fake, n int, since time.Time) int {
	t.Helper()
	before := f.count("list")
	for i := range n {
		key := wantA(t, fmt.Sprint("lost-", i), "192.0.2.1").Key()
		if _, err := z.FindCreated(t.Context(), key, since); !errors.Is(err, ErrNotFound) {
			t.Errorf("got %v of %v, want that there is none", err, key)
		}
	}
	return f.count("list") - before
}

func TestOneListProvesManyAbsences(t *testing.T) {
	cases := map[string]struct {
		reason string
		since  time.Duration // after the list
		refuse bool
		lists  int
	}{
		"ListedSince": {"the list shows what was there before it began", -time.Second, false, 0},
		"ListedThen":  {"what appears as the list begins may not be in it", 0, false, 1},
		"Younger":     {"the first asks for a list that began later, the others share it", time.Second, false, 1},
		"Refused":     {"a refusal has shown since that the list lacks a record", -time.Second, true, 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(a(1, "www", "192.0.2.1"))
				z := zoneOf(f)
				mustGet(t, z, id(1))
				listed := time.Now()
				pass(10 * time.Second)
				if tc.refuse {
					z.lists.Doubt()
				}
				if got := lookFor(t, z, f, 100, listed.Add(tc.since)); got != tc.lists {
					t.Errorf("%s: %d lists for a hundred questions, want %d", tc.reason, got, tc.lists)
				}
			})
		})
	}
}

func TestAListThatIsTooOldProvesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "www", "192.0.2.1"))
		z := zoneOf(f)
		mustGet(t, z, id(1))
		since := time.Now().Add(-time.Minute)
		pass(2 * time.Minute)
		if got := lookFor(t, z, f, 10, since); got != 1 {
			t.Errorf("%d lists, want one: the snapshot was too old", got)
		}
	})
}

// TestQuestionsAboutAbsenceShareLists asks 200 questions within a minute, 40 at a time. Each
// needs a list that begins after it.
func TestQuestionsAboutAbsenceShareLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "www", "192.0.2.1"))
		z := zoneOf(f)
		mustGet(t, z, id(1))
		before, began := f.count("list"), time.Now()
		var askers sync.WaitGroup
		for n := range 40 {
			askers.Go(func() {
				for i := range 5 {
					pass(time.Duration(1+n%6) * time.Second)
					key := wantA(t, fmt.Sprintf("lost-%d-%d", n, i), "192.0.2.1").Key()
					asked := time.Now()
					if _, err := z.FindCreated(t.Context(), key, time.Time{}); !errors.Is(err, ErrNotFound) {
						t.Errorf("got %v of %v, want that there is none", err, key)
					}
					if waited := time.Since(asked); waited > 2*parent.ProofInterval {
						t.Errorf("a question took %s", waited)
					}
				}
			})
		}
		askers.Wait()
		most := parent.ProofBurst + int(time.Since(began)/parent.ProofInterval) + 1
		if got := f.count("list") - before; got > most || got < parent.ProofBurst/2 {
			t.Errorf("%d lists in %s, want at most %d", got, time.Since(began), most)
		}
	})
}

// TestAQuestionThatWaitsSeesWhatIsWritten creates the record that a question looks for while
// the question waits.
func TestAQuestionThatWaitsSeesWhatIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "www", "192.0.2.1"))
		z := zoneOf(f)
		mustGet(t, z, id(1))
		lookFor(t, z, f, parent.ProofBurst, time.Time{})
		want := wantA(t, "late", "192.0.2.7")
		found := make(chan Entry, 1)
		go func() {
			e, err := z.FindCreated(t.Context(), want.Key(), time.Time{})
			if err != nil {
				t.Errorf("got %v, want what was created while the question waited", err)
			}
			found <- e
		}()
		synctest.Wait()
		f.set(dnsrecord.Live{ID: id(9), Name: "late.example.com", Type: "A", Content: "192.0.2.7", TTL: 1})
		if e := <-found; e.Live.ID != id(9) {
			t.Errorf("found %v", e.Live)
		}
	})
}
