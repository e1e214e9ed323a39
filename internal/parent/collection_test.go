// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

func TestPresenceCostsOneListAndAbsenceAProof(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		for n := range 100 {
			f.set(fmt.Sprint("r", n), "1")
		}
		s := newStage(t, f, CollectionOptions{})
		for n := range 100 {
			if got := s.get(fmt.Sprint("r", n)); got != "1" {
				t.Errorf("got %q", got)
			}
		}
		if f.count("list") != 1 || f.count("get") != 0 {
			t.Errorf("%d lists and %d GETs for a hundred rows, want one list", f.count("list"), f.count("get"))
		}
		for range 3 {
			if got := s.get("none"); got != "" || f.count("get") != 1 {
				t.Errorf("got %q with %d GETs, want one proof", got, f.count("get"))
			}
		}
		f.hook("get", func(context.Context, string) error { return apiError(403, 10000) })
		if _, err := s.things().Get(t.Context(), "other"); err == nil || errors.Is(err, ErrNotFound) {
			t.Errorf("got %v of a refusal, want an error that proves nothing", err)
		}
	})
}

func TestASweepCostsOneListOrAGetForEachRowInUse(t *testing.T) {
	tests := []struct {
		reason      string
		terms       CollectionOptions
		lists, gets int // in an hour
	}{
		{"a list shows all, once an interval", CollectionOptions{}, 6, 0},
		{"a kind may ask for less time in between", CollectionOptions{Interval: time.Minute}, 60, 0},
		{"a list that lacks something shows nothing: the two rows in use are asked for", CollectionOptions{Listing: Partial}, 0, 12},
		{"nor does one that is not there", CollectionOptions{Listing: None}, 0, 12},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(row("a", "1"), row("b", "1"), row("c", "1"))
				s := newStage(t, f, tc.terms)
				s.get("a")
				s.get("b")
				lists, gets := f.count("list"), f.count("get")
				reported := s.run(Handler{InUse: func(k string) bool { return k == key }})
				pass(time.Hour + time.Second)
				if l, g := f.count("list")-lists, f.count("get")-gets; l != tc.lists || g != tc.gets {
					t.Errorf("%s: %d lists and %d GETs, want %d and %d", tc.reason, l, g, tc.lists, tc.gets)
				}
				f.set("b", "2")
				pass(11 * time.Minute)
				if ids := reported(); !slices.Equal(ids, []string{"b"}) || s.get("b") != "2" {
					t.Errorf("%s: reported %v and got %q, want the change", tc.reason, ids, s.get("b"))
				}
			})
		})
	}
}

func TestWhatIsNotInUseIsNotSwept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(row("a", "1"), row("b", "1"))
		s := newStage(t, f, CollectionOptions{Listing: None})
		s.get("a")
		s.get("b")
		s.run(Handler{})
		s.things().Removed("b")
		f.remove("b")
		before := f.count("get")
		pass(10*time.Minute + time.Second)
		if got := f.count("get") - before; got != 1 {
			t.Errorf("%d GETs, want none of what we deleted", got)
		}
		pass(6 * time.Hour) // No caller asks any more.
		before = f.count("get")
		pass(time.Hour)
		if got := f.count("get") - before; got != 0 || len(s.pool.Rounds()) != 0 {
			t.Errorf("%d GETs and %v, want none of what nobody asked for in two hours", got, s.pool.Rounds())
		}
	})
}

func TestLooked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, newFake(row("a", "1")), CollectionOptions{})
		s.get("a")
		if before, sweeps := s.things().Looked(); !before.IsZero() || sweeps != 0 {
			t.Errorf("before the first sweep: %s, %d sweeps", before, sweeps)
		}
		pass(time.Minute)
		first := time.Now()
		s.sweep()
		if before, sweeps := s.things().Looked(); !before.IsZero() || sweeps != 1 {
			t.Errorf("after the first sweep: %s, %d sweeps", before, sweeps)
		}
		pass(time.Minute)
		s.sweep()
		pass(time.Minute)
		s.get("gone") // This GET proves absence. It is not a sweep.
		if before, sweeps := s.things().Looked(); !before.Equal(first) || sweeps != 2 {
			t.Errorf("after the second sweep: %s, %d sweeps, want %s and 2", before, sweeps, first)
		}
	})
}

func TestFind(t *testing.T) {
	since := func(d time.Duration) time.Time { return time.Now().Add(d) }
	tests := []struct {
		reason string
		terms  CollectionOptions
		do     func(s *stage)
		q      func() Query
		found  int
		lists  int
	}{
		{"what a fresh list shows is there", CollectionOptions{}, nil, func() Query { return Query{Key: "n-a"} }, 1, 0},
		{"absence needs a list that begins after the question", CollectionOptions{}, nil, func() Query { return Query{Key: "n-x"} }, 0, 1},
		{"which shows what came meanwhile", CollectionOptions{}, func(s *stage) { s.set("x", "1") }, func() Query { return Query{Key: "n-x"} }, 1, 1},
		{"the API guards whoever creates next", CollectionOptions{}, nil, func() Query { return Query{Key: "n-x", Guarded: true} }, 0, 0},
		{"unless it has refused that", CollectionOptions{}, func(s *stage) { s.things().Doubt() }, func() Query { return Query{Key: "n-x", Guarded: true} }, 0, 1},
		{"a list proves what was there when it began", CollectionOptions{}, nil, func() Query { return Query{Key: "n-x", Since: since(-2 * time.Second)} }, 0, 0},
		{"and nothing of what came later", CollectionOptions{}, nil, func() Query { return Query{Key: "n-x", Since: since(0)} }, 0, 1},
		{"what we wrote is found at once", CollectionOptions{}, func(s *stage) { s.write("x", "1") }, func() Query { return Query{Key: "n-x"} }, 1, 0},
		{"what we removed is not", CollectionOptions{}, func(s *stage) { s.things().Removed("a") }, func() Query { return Query{Key: "n-a"} }, 0, 1},
		{"a partial list shows which rows there are", CollectionOptions{Listing: Partial}, nil, func() Query { return Query{Key: "n-a"} }, 1, 0},
		{"and which there are not", CollectionOptions{Listing: Partial}, nil, func() Query { return Query{Key: "n-x"} }, 0, 1},
		{"and what we wrote", CollectionOptions{Listing: Partial}, func(s *stage) { s.write("x", "1") }, func() Query { return Query{Key: "n-x"} }, 1, 0},
		{"and removed", CollectionOptions{Listing: Partial}, func(s *stage) { s.things().Removed("a") }, func() Query { return Query{Key: "n-a"} }, 0, 1},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(row("a", "1"), row("b", "1"))
				s := newStage(t, f, tc.terms)
				if _, err := s.things().Find(t.Context(), Query{Key: "n-a"}); err != nil {
					t.Fatal(err)
				}
				pass(time.Second)
				before := f.count("list")
				if tc.do != nil {
					tc.do(s)
				}
				found, err := s.things().Find(t.Context(), tc.q())
				if lists := f.count("list") - before; err != nil || len(found) != tc.found || lists != tc.lists {
					t.Errorf("%s: found %v (%v) with %d lists, want %d with %d", tc.reason, found, err, lists, tc.found, tc.lists)
				}
			})
		})
	}
}

func TestFindWithoutAList(t *testing.T) {
	s := newStage(t, newFake(row("a", "1")), CollectionOptions{Listing: None})
	if _, err := s.things().Find(t.Context(), Query{Key: "n-a"}); !errors.Is(err, ErrNoList) {
		t.Errorf("got %v, want that there is no list", err)
	}
}

func TestAnotherRowThanTheOneAskedForIsNone(t *testing.T) {
	f := newFake()
	f.rows["a"] = row("b", "1")
	var unlikely *WrongRowError
	if _, err := newStage(t, f, CollectionOptions{Listing: None}).things().Get(t.Context(), "a"); !errors.As(err, &unlikely) || unlikely.Got != "b" {
		t.Errorf("got %v, want that it is another", err)
	}
}

func TestTwoCredentialsShareNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mine, theirs := newFake(row("a", "mine")), newFake(row("a", "theirs"))
		theirs.fingerprint = "g"
		p := NewPool[*thing](Options{})
		for _, f := range []*fake{mine, theirs} {
			r, err := p.Collection(key, f, CollectionOptions{}).Get(t.Context(), "a")
			if err != nil || r.text != f.rows["a"].text {
				t.Errorf("got %v (%v), want what the credential sees", r, err)
			}
		}
		if got := len(p.sweeps.All()); got != 2 {
			t.Errorf("%d collections, want one for each credential", got)
		}
		p.sweeps.Forget(func(k string) bool { return k == key })
		if got := p.sweeps.All(); len(got) != 0 {
			t.Errorf("%v are left of what was forgotten", got)
		}
	})
}

func TestWhatNobodyAsksForAnyMoreHasNotChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(row("a", "1"), row("b", "1"))
		s := newStage(t, f, CollectionOptions{Listing: None})
		reported := s.run(Handler{})
		s.get("b")
		for range 20 {
			s.get("a")
			pass(10 * time.Minute)
		}
		before := f.count("get")
		pass(10 * time.Minute)
		if got := f.count("get") - before; got != 1 {
			t.Errorf("%d GETs, want one of the row that is still in use", got)
		}
		if ids := reported(); len(ids) != 0 {
			t.Errorf("reported %v, want that nothing changed", ids)
		}
	})
}

func TestPresenceIsNotShownForLongerThanPromised(t *testing.T) {
	for _, listing := range []ListDetail{Complete, Partial, None} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(row("a", "1"))
			s := newStage(t, f, CollectionOptions{Listing: listing}) // Nothing sweeps it.
			s.get("a")
			f.remove("a")
			pass(15 * time.Minute)
			if got := s.get("a"); got != "1" {
				t.Errorf("got %q within one and a half intervals, want what was seen", got)
			}
			pass(time.Second)
			if got := s.get("a"); got != "" {
				t.Errorf("got %q after one and a half intervals, want what there is", got)
			}
		})
	}
}

// TestOnlyListsShowRows checks that, if there is no GET for one row, a list proves that the row is
// gone, for all callers that ask at that time.
func TestOnlyListsShowRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(row("a", "1"), row("b", "1"))
		s := newStage(t, f, CollectionOptions{NoGet: true, Names: true})
		if got := s.get("a"); got != "1" || f.count("list") != 1 {
			t.Errorf("got %q by %d lists", got, f.count("list"))
		}
		s.set("c", "1")
		if got := s.get("c"); got != "1" || f.count("list") != 2 {
			t.Errorf("got %q of what came after the list, by %d lists", got, f.count("list"))
		}
		if got := s.get("none"); got != "" || f.count("list") != 3 || f.count("get") != 0 {
			t.Errorf("got %q of what is not there, by %d lists and %d GETs", got, f.count("list"), f.count("get"))
		}
		f.hook("list", func(context.Context, string) error { return apiError(403, 10000) })
		if _, err := s.things().Get(t.Context(), "other"); err == nil || errors.Is(err, ErrNotFound) {
			t.Errorf("got %v of a refusal, want an error that proves nothing", err)
		}
	})
}

// TestChangedOnOurBehalf checks that the next list counts for a row that was changed in a way that
// no answer shows, even if we wrote to it a moment ago.
func TestChangedOnOurBehalf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(row("a", "1"))
		s := newStage(t, f, CollectionOptions{})
		c := s.things()
		s.get("a")
		s.write("a", "2")
		if got := c.Shown("n-a"); len(got) != 1 || got[0].text != "2" {
			t.Errorf("got %v after a write", got)
		}
		lists, before := f.count("list"), time.Now()
		f.set("a", "3")
		c.Forget("a")
		if err := c.CatchUp(t.Context(), time.Time{}); err != nil || f.count("list") != lists+1 {
			t.Fatalf("got %v, by %d lists", err, f.count("list")-lists)
		}
		if got := c.Shown("n-a"); len(got) != 1 || got[0].text != "3" {
			t.Errorf("got %v after the list, want what it shows", got)
		}
		if err := c.CatchUp(t.Context(), before.Add(-time.Second)); err != nil || f.count("list") != lists+1 {
			t.Errorf("got %v, and a list that shows what was there at that time was made again", err)
		}
		if got := c.Shown("n-none"); len(got) != 0 || f.count("list") != lists+1 {
			t.Errorf("got %v of what is not there", got)
		}
	})
	none := newStage(t, newFake(), CollectionOptions{Listing: None}).things()
	if err := none.CatchUp(t.Context(), time.Time{}); !errors.Is(err, ErrNoList) || len(none.Shown("n-a")) != 0 {
		t.Errorf("got %v where there are no lists", err)
	}
}

// sharing is a fake whose GETs need a list.
type sharing struct{ *fake }

func (s sharing) Round(ctx context.Context, _ func(string) (*thing, bool)) (func(ctx context.Context, id string) (*thing, error), error) {
	p, err := s.List(ctx, "")
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, id string) (*thing, error) {
		r, err := s.Get(ctx, id)
		if err == nil {
			r = &thing{id: r.id, name: r.name, text: r.text + " of " + strconv.Itoa(len(p.Rows))}
		}
		return r, err
	}, nil
}

// TestARoundOfGETsSharesCalls checks that the calls that all GETs of a sweep need are made once. If
// these calls fail, the sweep learns nothing of any row, and takes no row for gone.
func TestARoundOfGETsSharesCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(row("a", "1"), row("b", "1"), row("c", "1"))
		pool := NewPool[*thing](Options{})
		things := func() *Collection[*thing] {
			return pool.Collection(key, sharing{f}, CollectionOptions{Listing: Partial})
		}
		get := func(id string) string {
			t.Helper()
			r, err := things().Get(t.Context(), id)
			if err != nil {
				return err.Error()
			}
			return r.text
		}
		get("a")
		get("b")
		lists, gets := f.count("list"), f.count("get")
		pool.Sweep(t.Context(), Handler{InUse: func(string) bool { return true }, OnChange: func(Change) {}})
		if l, g := f.count("list")-lists, f.count("get")-gets; l != 1 || g != 2 {
			t.Errorf("a sweep of two rows made %d lists and %d GETs, want 1 and 2", l, g)
		}
		if got := get("b"); got != "1 of 3" {
			t.Errorf("a row of the sweep is %q, want what both calls show", got)
		}
		f.hook("list", func(context.Context, string) error { return apiError(500, 1) })
		gets = f.count("get")
		pool.Sweep(t.Context(), Handler{InUse: func(string) bool { return true }, OnChange: func(Change) {}})
		if g := f.count("get") - gets; g != 0 {
			t.Errorf("%d GETs follow a list that failed", g)
		}
		if got := get("b"); got != "1" && got != "1 of 3" {
			t.Errorf("after a sweep that failed the row is %q", got)
		}
	})
}

// TestNothingIsNotedOfWhatIsNotBelieved checks that a row which the judge of a caller refuses is
// not shown to other callers.
func TestNothingIsNotedOfWhatIsNotBelieved(t *testing.T) {
	s := newStage(t, newFake(row("a", "new")), CollectionOptions{})
	s.get("a")
	s.set("a", "other")
	older := errors.New("older")
	if _, err := s.things().LookJudged(t.Context(), "a", func(*thing) error { return older }); !errors.Is(err, older) {
		t.Errorf("got %v, want what the judge says", err)
	}
	if got := s.get("a"); got != "new" {
		t.Errorf("got %q, want what is known", got)
	}
	if r, err := s.things().Look(t.Context(), "a"); err != nil || r.text != "other" || s.get("a") != "other" {
		t.Errorf("got %v (%v), want what a look shows that nobody judges", r, err)
	}
}
