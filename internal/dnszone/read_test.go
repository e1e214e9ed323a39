// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// zoneOf returns a Zone over f with the default options, on the clock of the bubble.
func zoneOf(f *fake) *Zone { return NewPool(Options{}).Zone(f, testZone) }

func query(tb testing.TB, name, content string) Query {
	tb.Helper()
	return Query{Key: wantA(tb, name, content).Key()}
}

func find(tb testing.TB, z *Zone, q Query) []Entry {
	tb.Helper()
	found, err := z.Find(tb.Context(), q)
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

func TestConcurrentFindsShareLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := newFake(a(1, "a", "192.0.2.1")), newGate()
		f.hook(f.before, "list", g.hold)
		z := zoneOf(f)
		var wg sync.WaitGroup
		for i := range 200 {
			wg.Go(func() {
				found, err := z.Find(t.Context(), query(t, fmt.Sprint("absent", i), "192.0.2.1"))
				if err != nil || len(found) != 0 {
					t.Errorf("got %v, %v, want nothing", found, err)
				}
			})
		}
		synctest.Wait()
		close(g.open)
		wg.Wait()
		// One was under way when the others came; they share the next.
		if n := f.count("list"); n < 1 || n > 2 {
			t.Errorf("%d lists for 200 questions at once, want 2 at most", n)
		}
	})
}

func TestAListBegunBeforeTheQuestionProvesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := newFake(), newGate()
		f.hook(f.after, "list", g.hold)
		z := zoneOf(f)
		var wg sync.WaitGroup
		wg.Go(func() { find(t, z, query(t, "x", "192.0.2.1")) })
		<-g.entered // The list has read the zone and is not answered yet.

		f.set(a(1, "new", "192.0.2.7"))
		var found []Entry
		wg.Go(func() { found = find(t, z, query(t, "new", "192.0.2.7")) })
		synctest.Wait()
		close(g.open)
		wg.Wait()
		if len(found) != 1 || f.count("list") != 2 {
			t.Errorf("found %d records with %d lists, want the record from a second list", len(found), f.count("list"))
		}
	})
}

func TestPresenceComesFromAFreshSnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"), a(2, "a", "192.0.2.2"), a(3, "b", "192.0.2.3"))
		z := zoneOf(f)
		ask := func() {
			t.Helper()
			if found := find(t, z, query(t, "a", "192.0.2.2")); len(found) != 2 || found[0].Live.ID != id(1) || found[1].Live.ID != id(2) {
				t.Errorf("found %v, want both records of that name and type, by ID", found)
			}
			if e, err := z.Get(t.Context(), id(3)); err != nil || e.Record.Content != "192.0.2.3" {
				t.Errorf("got %v, %v", e, err)
			}
		}
		ask()
		pass(90 * time.Second)
		ask()
		if n := f.count("list"); n != 1 {
			t.Errorf("%d lists, want 1 while the snapshot is fresh (90 s)", n)
		}
		pass(time.Nanosecond)
		ask()
		if n := f.count("list"); n != 2 {
			t.Errorf("%d lists, want a second once the snapshot is stale", n)
		}
		if n := f.count("get"); n != 0 {
			t.Errorf("%d GETs for records that are listed", n)
		}
	})
}

func TestOnlyTheVeryRecordAnswersFromASnapshot(t *testing.T) {
	tests := []struct {
		reason string
		query  func(t *testing.T) Query
	}{
		{"other content under the same name and type", func(t *testing.T) Query { return query(t, "a", "192.0.2.9") }},
		{"any content: another process may have added one", func(*testing.T) Query {
			return Query{Key: dnsrecord.Key{Name: "a.example.com", Type: "A"}}
		}},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(a(1, "a", "192.0.2.1"))
				z := zoneOf(f)
				find(t, z, query(t, "a", "192.0.2.1"))
				f.set(a(2, "a", "192.0.2.9"))
				if found := find(t, z, tc.query(t)); len(found) != 2 || f.count("list") != 2 {
					t.Errorf("%s: found %d records with %d lists, want 2 with 2", tc.reason, len(found), f.count("list"))
				}
			})
		})
	}
}

func TestGetProvesAbsence(t *testing.T) {
	tests := []struct {
		reason string
		says   error
		absent bool
	}{
		{"the API says so of the ID", gone(), true},
		{"a missing permission proves nothing", refused(403, 10000), false},
		{"a bad route proves nothing", refused(404, 7003), false},
		{"a throttle proves nothing", refused(429, 971), false},
		{"a lost answer proves nothing", errLost, false},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				f.hook(f.before, "get", func(context.Context) error { return tc.says })
				_, err := zoneOf(f).Get(t.Context(), id(1))
				if errors.Is(err, ErrNotFound) != tc.absent {
					t.Errorf("%s: got %v, absent should be %t", tc.reason, err, tc.absent)
				}
				if !tc.absent && !errors.Is(err, tc.says) {
					t.Errorf("%s: got %v, want %v wrapped", tc.reason, err, tc.says)
				}
			})
		})
	}
}

func TestGetFindsWhatListsMiss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"))
		f.unlisted[id(1)] = true
		z := zoneOf(f)
		for range 3 {
			if e, err := z.Get(t.Context(), id(1)); err != nil || e.Live.ID != id(1) {
				t.Fatalf("got %v, %v, want the record", e, err)
			}
		}
		if n := f.count("get"); n != 1 {
			t.Errorf("%d GETs, want 1: what it gave is known then", n)
		}
		if found := find(t, z, query(t, "a", "192.0.2.1")); len(found) != 1 {
			t.Errorf("found %v, want what the GET gave", found)
		}
	})
}

func TestGetRefusesWhatIsNoID(t *testing.T) {
	f := newFake()
	var bad *cloudflare.IDError
	if _, err := zoneOf(f).Get(t.Context(), "my-record"); !errors.As(err, &bad) || len(f.calls) != 0 {
		t.Errorf("got %v with calls %v, want an *IDError and no call", err, f.calls)
	}
}

func TestFailedListsAreErrorsNotAbsence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"))
		z := zoneOf(f)
		down := refused(500, 1001)
		f.hook(f.before, "list", func(context.Context) error { return down })
		if _, err := z.Find(t.Context(), query(t, "a", "192.0.2.1")); !errors.Is(err, down) {
			t.Errorf("Find gives %v, want %v wrapped", err, down)
		}
		if _, err := z.Get(t.Context(), id(1)); !errors.Is(err, down) || f.count("get") != 0 {
			t.Errorf("Get gives %v, want %v wrapped", err, down)
		}
		f.hook(f.before, "list", nil)
		pass(parent.FirstPause) // It failed twice.
		if found := find(t, z, query(t, "a", "192.0.2.1")); len(found) != 1 {
			t.Errorf("found %v once lists work again", found)
		}
	})
}

func TestCallerMayLeaveAList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := newFake(a(1, "a", "192.0.2.1")), newGate()
		f.hook(f.before, "list", g.hold)
		z := zoneOf(f)
		why := errors.New("reconcile timed out")
		ctx, cancel := context.WithCancelCause(t.Context())
		left := make(chan error)
		go func() {
			_, err := z.Find(ctx, query(t, "a", "192.0.2.1"))
			left <- err
		}()
		<-g.entered
		cancel(why)
		if err := <-left; !errors.Is(err, why) {
			t.Errorf("got %v, want %v wrapped", err, why)
		}
		close(g.open)
		synctest.Wait()
		// The list went on without its caller. Its outcome answers the next question.
		if found := find(t, z, query(t, "a", "192.0.2.1")); len(found) != 1 || f.count("list") != 1 {
			t.Errorf("found %d records with %d lists, want 1 with 1", len(found), f.count("list"))
		}
	})
}

func TestListsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := newFake(), newGate()
		f.hook(f.before, "list", g.hold)
		start := time.Now()
		_, err := zoneOf(f).Find(t.Context(), query(t, "a", "192.0.2.1"))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 90*time.Second {
			t.Errorf("got %v after %v, want the call's own deadline of 90s", err, time.Since(start))
		}
	})
}

func TestPaging(t *testing.T) {
	tests := []struct {
		reason   string
		records  int
		maxPage  int
		noCounts bool
		lists    int
	}{
		{"an empty zone", 0, 5000, false, 1},
		{"all in one page", 10, 5000, false, 1},
		{"a server whose pages are smaller than asked for", 10, 3, false, 4},
		{"a last page that is full", 9, 3, false, 3},
		{"one record more than a page", 4, 3, false, 2},
		{"a server that does not count goes on until a page is empty", 10, 3, true, 5},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				for n := range tc.records {
					f.set(a(n, fmt.Sprint("r", n), "192.0.2.1"))
				}
				f.maxPage, f.noCounts = tc.maxPage, tc.noCounts
				z := zoneOf(f)
				for n := range tc.records {
					if _, err := z.Get(t.Context(), id(n)); err != nil {
						t.Errorf("%s: record %d: %v", tc.reason, n, err)
					}
				}
				find(t, z, query(t, "absent", "192.0.2.1"))
				lists := tc.lists * 2
				if tc.records == 0 {
					lists = tc.lists
				}
				if f.count("list") != lists || f.count("get") != 0 {
					t.Errorf("%s: %d list calls, want %d; %d GETs, want 0", tc.reason, f.count("list"), lists, f.count("get"))
				}
			})
		})
	}
}

func TestRecordListedTwiceIsTheLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"), a(2, "b", "192.0.2.2"), a(3, "c", "192.0.2.3"))
		f.maxPage = 2
		pages := 0
		f.hook(f.before, "list", func(context.Context) error {
			pages++
			if pages == 2 {
				// A new record comes first and moves the second to the next page.
				f.set(a(0, "new", "192.0.2.9"))
				f.set(a(2, "b", "192.0.2.20"))
			}
			return nil
		})
		z := zoneOf(f)
		found := find(t, z, query(t, "b", "192.0.2.20"))
		if len(found) != 1 || found[0].Record.Content != "192.0.2.20" {
			t.Errorf("found %v, want the record once, as it was listed last", found)
		}
		if old := find(t, z, query(t, "b", "192.0.2.20")); len(old) != 1 {
			t.Errorf("found %v", old)
		}
	})
}

func TestZoneName(t *testing.T) {
	tests := []struct {
		reason string
		says   error
		name   string
		fails  bool
		// again is true if another question soon after asks the API again.
		again bool
	}{
		{"a zone the credential may read", nil, "example.com", false, false},
		{"a token for DNS alone is no reason to fail, nor to ask at each reconcile", refused(403, 10000), "", false, false},
		{"no such zone: nor will there be one a moment later", refused(404, 7003), "", true, false},
		{"the API failed once, which may be the last time", refused(502, 0), "", true, true},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				f.hook(f.before, "zone", func(context.Context) error { return tc.says })
				z := zoneOf(f)
				for range 2 {
					name, err := z.Name(t.Context())
					if name != tc.name || (err != nil) != tc.fails {
						t.Errorf("%s: got %q, %v, want %q", tc.reason, name, err, tc.name)
					}
					if why := z.Nameless(); !tc.fails && !errors.Is(why, tc.says) {
						t.Errorf("%s: it is nameless because of %v, want %v", tc.reason, why, tc.says)
					}
				}
				if asked := f.count("zone"); asked != map[bool]int{false: 1, true: 2}[tc.again] {
					t.Errorf("%s: asked %d times", tc.reason, asked)
				}
			})
		})
	}
}

func TestZoneNameIsAskedForAgainWhereItCouldNotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.hook(f.before, "zone", func(context.Context) error { return refused(403, 10000) })
		z := zoneOf(f)
		_, _ = z.Name(t.Context())
		f.hook(f.before, "zone", nil)
		pass(91 * time.Second)
		if name, err := z.Name(t.Context()); name != "example.com" || err != nil {
			t.Errorf("got %q, %v after the token got the permission", name, err)
		}
		if z.ID() != testZone {
			t.Errorf("ID is %q", z.ID())
		}
	})
}
