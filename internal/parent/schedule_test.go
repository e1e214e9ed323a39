// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// paces collects the paces that pools report of their sweeps.
type paces struct {
	mu   sync.Mutex
	said []Pace
}

func (p *paces) note() func(string, Pace) {
	return func(_ string, now Pace) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.said = append(p.said, now)
	}
}

func (p *paces) all() []Pace {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.said)
}

// TestPoolsOfOneProcessShareTheBudget has two pools sweep with one credential, each at its own
// interval.
func TestPoolsOfOneProcessShareTheBudget(t *testing.T) {
	const zones, kinds = 6, 60 // All zones cost one call in ten seconds, and so do all kinds.
	tests := []struct {
		reason string
		rate   float64
		shared bool
		// stretch is the factor by which the intervals are longer than asked for.
		stretch float64
	}{
		{"both fit", 0.2, true, 1},
		{"each would fit alone: both are stretched alike", 0.1, true, 2},
		{"and by as much as is lacking", 0.05, true, 4},
		{"pools that do not know of each other overdo it", 0.1, false, 1},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, load := newFake(row("a", "1")), NewLoad()
				f.rate = tc.rate
				run := func(n int, interval time.Duration) *Pool[*thing] {
					o := Options{Load: load, Idle: 24 * time.Hour}
					if !tc.shared {
						o.Load = nil
					}
					s := &stage{fake: f, t: t, pool: NewPool[*thing](o)}
					for i := range n {
						s.pool.Collection(fmt.Sprint(interval, i), f, CollectionOptions{Interval: interval})
					}
					s.run(Handler{})
					return s.pool
				}
				quick, slow := run(zones, time.Minute), run(kinds, 10*time.Minute)
				pass(2 * time.Hour)
				for interval, p := range map[time.Duration]*Pool[*thing]{time.Minute: quick, 10 * time.Minute: slow} {
					want := time.Duration(float64(interval) * tc.stretch)
					if got, ok := p.Pace("f"); !ok || got.Actual != want || got.Wanted != interval || got.Stretched() != (tc.stretch > 1) {
						t.Errorf("%s: %+v, want %v", tc.reason, got, want)
					}
				}
				before := f.count("list")
				pass(4 * time.Hour)
				calls := float64(f.count("list") - before)
				want := 0.2 / tc.stretch * (4 * time.Hour).Seconds()
				if calls < 0.9*want || calls > 1.1*want {
					t.Errorf("%s: %v calls in four hours, want about %v", tc.reason, calls, want)
				}
			})
		})
	}
}

// TestALoadThatGoesLeavesTheBudget has the collections of one interval fall out of use.
func TestALoadThatGoesLeavesTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, said := newFake(), &paces{}
		f.rate = 1
		p := NewPool[*thing](Options{OnPace: said.note(), Idle: 24 * time.Hour})
		for n := range 60 {
			p.Collection(fmt.Sprint("a", n), f, CollectionOptions{Interval: time.Minute})
			p.Collection(fmt.Sprint("b", n), f, CollectionOptions{Interval: 2 * time.Minute})
		}
		var gone atomic.Bool
		s := &stage{fake: f, t: t, pool: p}
		s.run(Handler{InUse: func(k string) bool { return k[0] == 'a' || !gone.Load() }})
		pass(10 * time.Minute)
		if got, _ := p.Pace("f"); got.Actual != got.Wanted*3/2 {
			t.Errorf("%+v, want half as long again as asked for", got)
		}
		gone.Store(true)
		pass(10 * time.Minute)
		if got, _ := p.Pace("f"); got.Stretched() {
			t.Errorf("%+v, want the intervals that were asked for once the others are out of use", got)
		}
		all := said.all()
		if !slices.ContainsFunc(all, Pace.Stretched) || all[len(all)-1].Stretched() {
			t.Errorf("said %+v, want that the intervals were stretched, and that they are not any more", all)
		}
	})
}

func TestTheWorstPaceIsShown(t *testing.T) {
	fine := Pace{Wanted: time.Minute, Actual: time.Minute}
	slow := Pace{Wanted: 10 * time.Minute, Actual: 20 * time.Minute}
	slower := Pace{Wanted: time.Minute, Actual: 3 * time.Minute}
	held := Pace{Wanted: time.Minute, Actual: time.Minute, HeldUp: true}
	all := []Pace{slower, held, fine, slow}
	slices.SortFunc(all, Pace.compare)
	if diff := cmp.Diff([]Pace{fine, slow, slower, held}, all); diff != "" {
		t.Errorf("paces by how far they are from what was asked for (-want +got):\n%s", diff)
	}
}

func TestSweepsThatAreHeldUpAreReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, said := newFake(row("a", "1")), &paces{}
		s := &stage{fake: f, t: t, pool: NewPool[*thing](Options{OnPace: said.note()})}
		s.get("a")
		open := make(chan struct{})
		f.hook("list", func(context.Context, string) error {
			<-open
			return nil
		})
		s.run(Handler{})
		pass(24 * time.Minute)
		if got, _ := s.pool.Pace("f"); got.HeldUp {
			t.Errorf("%+v before a round took half as long again as its interval", got)
		}
		pass(2 * time.Minute)
		if got := s.pool.Rounds(); len(got) != 1 || !got[0].Pace.HeldUp || got[0].Since < 20*time.Minute {
			t.Errorf("%+v, want that sweeps are held up", got)
		}
		close(open)
		pass(20 * time.Minute)
		if got := s.pool.Rounds(); len(got) != 1 || got[0].Pace.HeldUp || got[0].Since > 10*time.Minute {
			t.Errorf("%+v, want that they are not any more", got)
		}
		if all := said.all(); len(all) != 3 {
			t.Errorf("said %+v, want the pace, that it is held up, and that it is not", all)
		}
	})
}
