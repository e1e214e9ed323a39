// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"cmp"
	"sync"
	"time"
)

// A Pace is how often the parents that share a credential and an interval are swept.
type Pace struct {
	// Parents is how many parents are swept, Calls how many calls one sweep of them
	// takes.
	Parents, Calls int
	// Wanted is the interval between two sweeps that was asked for. Actual is the
	// interval that the credential's budget allows.
	Wanted, Actual time.Duration
	// HeldUp is true if the last round of sweeps, or the one under way, takes much longer
	// than Actual. Either the calls of users, which go first, leave sweeps too little of
	// the budget, or the API is slow.
	HeldUp bool
}

// Stretched reports whether the budget does not allow for the interval that was asked
// for.
func (p Pace) Stretched() bool { return p.Actual > p.Wanted }

// compare orders paces: one that is held up is above one that is not, then by Actual over
// Wanted, then the shorter Wanted is above the longer.
func (p Pace) compare(o Pace) int {
	late := func(p Pace) float64 { return p.Actual.Seconds() / max(p.Wanted, 1).Seconds() }
	held := func(p Pace) int {
		if p.HeldUp {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(held(p), held(o)), cmp.Compare(late(p), late(o)), cmp.Compare(o.Wanted, p.Wanted))
}

// A SweepLoad is what the sweeps of each credential cost. All Sweeps of one process share one
// SweepLoad, so that together they keep within each credential's budget. It is safe for
// concurrent use.
type SweepLoad struct {
	mu     sync.Mutex
	shares map[string]map[*schedule]float64
}

// NewLoad makes a SweepLoad without sweeps.
func NewLoad() *SweepLoad { return &SweepLoad{shares: map[string]map[*schedule]float64{}} }

// set notes how many calls a second a schedule takes at the interval that it wants, and
// returns how many calls all schedules of its credential take.
func (l *SweepLoad) set(s *schedule, perSecond float64) (all float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	shares := l.shares[s.credential]
	if perSecond == 0 {
		delete(shares, s)
		if len(shares) == 0 {
			delete(l.shares, s.credential)
		}
		return 0
	}
	if shares == nil {
		shares = map[*schedule]float64{}
		l.shares[s.credential] = shares
	}
	shares[s] = perSecond
	for _, one := range shares {
		all += one
	}
	return all
}

// A rhythm says which parents are swept together.
type rhythm struct {
	credential string
	interval   time.Duration
}

// A schedule says when the parents of one rhythm are swept.
type schedule struct {
	rhythm

	mu      sync.Mutex
	running bool
	last    Pace
	// endedAt is when the last round of sweeps ended, or the schedule came into use.
	endedAt time.Time
}

// pace returns the last Pace, the zero Pace before the first round of sweeps.
func (s *schedule) pace() Pace {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// setPace notes how often the parents can be swept, and calls onPace if that changed.
func (s *schedule) setPace(now Pace, onPace func(string, Pace)) {
	s.change(func(p *Pace) {
		now.HeldUp = p.HeldUp
		*p = now
	}, onPace)
}

// setHeldUp notes whether the sweeps are held up, and calls onPace if that changed.
func (s *schedule) setHeldUp(is bool, onPace func(string, Pace)) {
	s.change(func(p *Pace) { p.HeldUp = is }, onPace)
}

func (s *schedule) change(edit func(*Pace), onPace func(string, Pace)) {
	s.mu.Lock()
	was := s.last
	edit(&s.last)
	now := s.last
	s.mu.Unlock()
	if onPace != nil && was != now {
		onPace(s.credential, now)
	}
}

// start marks the schedule as running, and reports whether it was not running yet.
func (s *schedule) start() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.running
	s.running = true
	return !was
}

// roundEnded notes that a round of sweeps has ended.
func (s *schedule) roundEnded(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endedAt = now
}

// sinceRound returns how long ago the last round of sweeps ended, or the schedule came
// into use.
func (s *schedule) sinceRound(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return now.Sub(s.endedAt)
}

// fresh returns how old a list may be that answers questions. asked is that age while
// sweeps keep to their interval. If a parent is swept less often than was asked for, its
// lists stay fresh for longer.
func (s *schedule) fresh(asked time.Duration) time.Duration {
	p := s.pace()
	if !p.Stretched() {
		return asked
	}
	return max(asked, p.Actual+p.Actual/2)
}
