// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// sweepers is how many parents of a schedule are listed at once: a slow one must not
	// hold up the others, and many must not be listed all at the same time.
	sweepers = 8
	// leastGrace is the least time by which a round of sweeps may exceed its interval
	// before it counts as held up.
	leastGrace = 10 * time.Second
)

// Run sweeps the parents in use until ctx ends.
func (s *Sweeps[P]) Run(ctx context.Context, h Handler) {
	h.OnChange = oneAtATime(h.OnChange)
	var running sync.WaitGroup
	defer running.Wait()
	for {
		for _, sch := range s.rhythms() {
			if sch.start() {
				running.Go(func() { s.runSchedule(ctx, sch, h) })
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-s.fresh:
		}
	}
}

// Sweep sweeps every parent in use, once.
func (s *Sweeps[P]) Sweep(ctx context.Context, h Handler) {
	h.OnChange = oneAtATime(h.OnChange)
	var running sync.WaitGroup
	for _, sch := range s.rhythms() {
		running.Go(func() { s.sweepAll(ctx, s.due(sch, h), h) })
	}
	running.Wait()
}

func oneAtATime(onChange func(Change)) func(Change) {
	var mu sync.Mutex
	return func(c Change) {
		mu.Lock()
		defer mu.Unlock()
		onChange(c)
	}
}

// runSchedule sweeps the parents of a schedule until there are none, or ctx ends.
func (s *Sweeps[P]) runSchedule(ctx context.Context, sch *schedule, h Handler) {
	wait := sch.interval
	s.setPace(sch, s.due(sch, h)) // The pace is known before the first round.
	for s.bg.Sleep(ctx, wait) {
		began := s.o.Now()
		members := s.due(sch, h)
		s.setPace(sch, members)
		if len(members) == 0 && s.drop(sch) {
			return
		}
		s.round(ctx, sch, members, h)
		wait = max(0, sch.pace().Actual-s.o.Now().Sub(began))
	}
}

// round sweeps the parents of a schedule. It reports when that takes much longer than the
// time until the next round.
func (s *Sweeps[P]) round(ctx context.Context, sch *schedule, members []*Member[P], h Handler) {
	allowed := sch.pace().Actual
	allowed += max(allowed/2, leastGrace)
	began := s.o.Now()
	overdue := time.AfterFunc(allowed, func() { sch.setHeldUp(true, s.o.OnPace) })
	s.sweepAll(ctx, members, h)
	overdue.Stop()
	if ctx.Err() != nil {
		return // The round was cut off.
	}
	sch.setHeldUp(s.o.Now().Sub(began) >= allowed, s.o.OnPace)
	sch.roundEnded(s.o.Now())
}

func (s *Sweeps[P]) sweepAll(ctx context.Context, members []*Member[P], h Handler) {
	var g errgroup.Group
	g.SetLimit(sweepers)
	for _, m := range members {
		g.Go(func() error {
			s.sweep(ctx, m, h)
			return nil
		})
	}
	_ = g.Wait() // No sweep returns an error: the handler gets it.
}

// setPace sets how often the members of a schedule can be swept. If all sweeps with its
// credential together cost more than their share, each interval is stretched by the same
// factor.
func (s *Sweeps[P]) setPace(sch *schedule, members []*Member[P]) {
	out := Pace{Parents: len(members), Wanted: sch.interval, Actual: sch.interval}
	for _, m := range members {
		out.Calls += m.Lists.cost()
	}
	all := s.o.Load.set(sch, float64(out.Calls)/sch.interval.Seconds())
	if len(members) > 0 {
		if rate := members[0].Rate(); rate > 0 {
			needs := time.Duration(all / rate * float64(sch.interval))
			out.Actual = max(out.Actual, needs.Round(time.Second))
		}
	}
	sch.setPace(out, s.o.OnPace)
}

// rhythms returns the schedules, in the order of their credentials and intervals.
func (s *Sweeps[P]) rhythms() []*schedule {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*schedule, 0, len(s.schedules))
	for _, sch := range s.schedules {
		out = append(out, sch)
	}
	slices.SortFunc(out, func(a, b *schedule) int {
		return cmp.Or(cmp.Compare(a.credential, b.credential), cmp.Compare(a.interval, b.interval))
	})
	return out
}

// drop forgets a schedule that has no parent. It returns false if the schedule has one.
func (s *Sweeps[P]) drop(sch *schedule) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.members {
		if m.schedule == sch {
			return false
		}
	}
	delete(s.schedules, sch.rhythm)
	return true
}

// A SweepStatus is the state of the sweeps of one credential at one interval.
type SweepStatus struct {
	Credential string
	Pace       Pace
	// Since is how long ago the last round ended, or the schedule came into use.
	Since time.Duration
}

// Rounds returns the state of all sweeps, by credential and interval. Sweeps that have no
// pace yet are left out.
func (s *Sweeps[P]) Rounds() []SweepStatus {
	var out []SweepStatus
	for _, sch := range s.rhythms() {
		if p := sch.pace(); p.Wanted > 0 {
			out = append(out, SweepStatus{sch.credential, p, sch.sinceRound(s.o.Now())})
		}
	}
	return out
}

// Pace returns how often the parents of a credential are swept. If there are several
// intervals, it is the pace that is furthest from what was asked for. It returns false if
// nothing is swept, or nothing was swept yet.
func (s *Sweeps[P]) Pace(credential string) (Pace, bool) {
	var out Pace
	for _, r := range s.Rounds() {
		if r.Credential == credential && (out.Wanted == 0 || r.Pace.compare(out) > 0) {
			out = r.Pace
		}
	}
	return out, out.Wanted > 0
}
