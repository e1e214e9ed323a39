// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// TestASweepThatWaitsForItsShareHoldsNobodyUp has a sweep wait between two pages, while a user
// asks.
func TestASweepThatWaitsForItsShareHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(row("a", "1"), row("b", "1"), row("c", "1"))
		f.pageSize = 1
		s := newStage(t, f, CollectionOptions{})
		f.hook("list", func(ctx context.Context, _ string) error {
			if cloudflare.IsSweep(ctx) && f.count("list")%2 == 0 {
				return throttled(40 * time.Second)
			}
			return nil
		})
		c := s.things()
		swept := make(chan struct{})
		go func() {
			s.sweep()
			close(swept)
		}()
		synctest.Wait()
		began := time.Now()
		if found, err := c.Find(t.Context(), Query{Key: "n-x"}); err != nil || len(found) != 0 || time.Since(began) != 0 {
			t.Errorf("found %v (%v) after %v, want an answer at once", found, err, time.Since(began))
		}
		younger := c.lists.listed
		<-swept
		if took := time.Since(began); took < 40*time.Second || took > 3*time.Minute {
			t.Errorf("the sweep took %v, want that it waited and came to its end", took)
		}
		// The younger list stays, even if the older one ended last.
		if c.lists.listed != younger || c.lists.last.sweep || c.view.began != younger {
			t.Errorf("the snapshot is of list %v, the youngest is %v", c.view.began, younger)
		}
	})
}

// TestWhatFailsIsNotAskedAgainAtOnce has forty objects ask every second for a minute while the
// API fails.
func TestWhatFailsIsNotAskedAgainAtOnce(t *testing.T) {
	tests := []struct {
		reason string
		terms  CollectionOptions
		call   string
		most   int
	}{
		{"lists", CollectionOptions{}, "list", 7},
		{"GETs", CollectionOptions{Listing: None}, "get", 7},
	}
	// Find is used for lists, because Get finds a row by its ID without lists.
	ask := func(ctx context.Context, s *stage, call string) error {
		if call == "list" {
			_, err := s.things().Find(ctx, Query{Key: "n-a"})
			return err
		}
		_, err := s.things().Get(ctx, "a")
		return err
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(row("a", "1"))
				s := newStage(t, f, tc.terms)
				f.hook(tc.call, func(context.Context, string) error { return errLost })
				for range 60 {
					for range 40 {
						if err := ask(t.Context(), s, tc.call); !errors.Is(err, errLost) {
							t.Fatalf("got %v, want why it failed", err)
						}
					}
					pass(time.Second)
				}
				if got := f.count(tc.call); got > tc.most || got < 5 {
					t.Errorf("%d calls in a minute, want %d at most", got, tc.most)
				}
				f.hook(tc.call, nil)
				pass(maxHold)
				if got := s.get("a"); got != "1" {
					t.Errorf("got %q once the API is well", got)
				}
			})
		})
	}
}

// TestOneOddRowHidesNoOther has the GETs of one row fail while another one changes.
func TestOneOddRowHidesNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(row("a", "1"), row("b", "1"))
		s := newStage(t, f, CollectionOptions{Listing: None})
		s.get("a")
		s.get("b")
		s.sweep()
		f.hook("get", func(_ context.Context, id string) error {
			if id == "a" {
				return apiError(500, 1001)
			}
			return nil
		})
		f.set("a", "2")
		f.set("b", "2")
		if ids := s.sweep(); !slices.Equal(ids, []string{"b"}) {
			t.Errorf("reported %v, want the row that can be read", ids)
		}
		if _, err := s.things().Get(t.Context(), "a"); err == nil {
			t.Error("what was seen an interval ago was given for what is there")
		}
		f.hook("get", nil)
		pass(time.Minute)
		if ids := s.sweep(); !slices.Equal(ids, []string{"a"}) {
			t.Errorf("reported %v, want the other one as well once it can be read", ids)
		}
	})
}

func TestACredentialThatIsRefusedAnswersNothing(t *testing.T) {
	tests := []struct {
		reason string
		refuse error
		forget bool
	}{
		{"it is not valid any more", apiError(401, 1000), true},
		{"it may not be", apiError(403, 9109), false},
		{"it was taken out of its Secret, and cleans up", cloudflare.ErrWithdrawn, false},
	}
	for _, tc := range tests {
		for listing, name := range []string{"complete", "partial", "none"} {
			t.Run(tc.reason+" "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { refusedCredential(t, ListDetail(listing), tc.refuse, tc.forget) })
			})
		}
	}
}

func refusedCredential(t *testing.T, listing ListDetail, refuse error, forget bool) {
	t.Helper()
	f := newFake(row("a", "1"), row("b", "1"))
	s := newStage(t, f, CollectionOptions{Listing: listing})
	c := s.things()
	_, _ = c.Find(t.Context(), Query{Key: "n-a"})
	s.get("a")
	s.sweep()
	s.get("b")
	for _, call := range []string{"list", "get"} {
		f.hook(call, func(context.Context, string) error { return refuse })
	}
	var got []Change
	s.pool.Sweep(t.Context(), Handler{OnChange: func(c Change) { got = append(got, c) }})
	if len(got) != 1 || !errors.Is(got[0].Err, refuse) || got[0].Key != key {
		t.Errorf("reported %v, want the refusal", got)
	}
	for _, id := range []string{"a", "b"} {
		if _, err := s.things().Get(t.Context(), id); err == nil {
			t.Errorf("what it had seen of %s was still shown", id)
		}
	}
	if found, err := s.things().Find(t.Context(), Query{Key: "n-a"}); err == nil {
		t.Errorf("found %v, which it had seen before", found)
	}
	if forgotten := s.things() != c; forgotten != forget {
		t.Errorf("made again %t, want %t", forgotten, forget)
	}
}

// TestARoundGivesUpWhereNothingSucceeds has ten rows, of which the first four cannot be read.
func TestARoundGivesUpWhereNothingSucceeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		s := newStage(t, f, CollectionOptions{Listing: None})
		for _, id := range strings.Split("abcdefghij", "") {
			f.set(id, "1")
			s.get(id)
		}
		s.sweep()
		down := true
		f.hook("get", func(_ context.Context, id string) error {
			if down || id < "e" {
				return apiError(500, 1001)
			}
			return nil
		})
		sweep := func() (ids []string, failed error) {
			s.pool.Sweep(t.Context(), Handler{OnChange: func(c Change) { ids, failed = append(ids, c.IDs...), c.Err }})
			return ids, failed
		}
		before := f.count("get")
		if _, err := sweep(); err == nil || f.count("get")-before != giveUp {
			t.Errorf("%d GETs (%v) while nothing can be read, want %d and the error", f.count("get")-before, err, giveUp)
		}
		down = false
		f.set("j", "2")
		pass(maxHold)
		if ids, err := sweep(); err != nil || !slices.Equal(ids, []string{"j"}) {
			t.Errorf("reported %v (%v): the rows that cannot be read hid the others", ids, err)
		}
	})
}

func TestCallersShareAListThatOutlivesThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(row("a", "1"))
		s := newStage(t, f, CollectionOptions{})
		open := make(chan struct{})
		f.hook("list", func(context.Context, string) error {
			<-open
			return nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		var callers sync.WaitGroup
		for range 50 {
			callers.Go(func() {
				if _, err := s.things().Get(ctx, "a"); !errors.Is(err, context.Canceled) {
					t.Errorf("got %v, want that the caller left", err)
				}
			})
		}
		synctest.Wait()
		cancel()
		callers.Wait()
		drained := make(chan error, 1)
		go func() { drained <- s.pool.Drain(t.Context()) }()
		synctest.Wait()
		if len(drained) != 0 {
			t.Error("Drain did not wait for the list under way")
		}
		close(open)
		if err := <-drained; err != nil || s.get("a") != "1" || f.count("list") != 1 {
			t.Errorf("%v, %q with %d lists, want the one that all shared", err, s.get("a"), f.count("list"))
		}
	})
}
