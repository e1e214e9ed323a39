// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"sync"
	"time"
)

// A Pace is how often the zones of a credential are swept.
type Pace struct {
	// Zones that are swept, and Calls that one sweep of them takes.
	Zones, Calls int
	// Wanted is the interval between two sweeps that was asked for, Actual the one
	// that the credential's budget allows.
	Wanted, Actual time.Duration
	// HeldUp is that the last round of sweeps, or the one under way, takes much longer
	// than Actual: the calls of users, which go first, leave sweeps too little of the
	// budget, or the API is slow.
	HeldUp bool
}

// Stretched reports whether the budget does not allow for the interval asked for.
func (p Pace) Stretched() bool { return p.Actual > p.Wanted }

// A schedule is when the zones of one credential, which share its budget, are swept.
type schedule struct {
	fingerprint string

	mu      sync.Mutex
	running bool
	last    Pace
	// endedAt is when the last round of sweeps ended, or the schedule came into use.
	endedAt time.Time
}

// Pace of the sweeps; the zero Pace before the first one.
func (s *schedule) Pace() Pace {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// setPace notes how often the zones can be swept, and calls onPace if that is new.
func (s *schedule) setPace(now Pace, onPace func(string, Pace)) {
	s.change(func(p *Pace) {
		now.HeldUp = p.HeldUp
		*p = now
	}, onPace)
}

// setHeldUp notes whether the sweeps are held up, and calls onPace if that is new.
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
		onPace(s.fingerprint, now)
	}
}

// roundEnded notes that a round of sweeps has ended.
func (s *schedule) roundEnded(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endedAt = now
}

// sinceRound is how long ago the last round of sweeps ended, or the schedule came into
// use.
func (s *schedule) sinceRound(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return now.Sub(s.endedAt)
}

// fresh is how old a snapshot may be that answers questions: one that is swept
// less often than was asked for stays fresh for longer.
func (s *schedule) fresh(asked time.Duration) time.Duration {
	p := s.Pace()
	if !p.Stretched() {
		return asked
	}
	return max(asked, p.Actual+p.Actual/2)
}

// Pace gives how often the zones of a credential are swept, by its fingerprint;
// false where none are, or none were yet.
func (p *Pool) Pace(fingerprint string) (Pace, bool) {
	p.mu.Lock()
	s, ok := p.schedules[fingerprint]
	p.mu.Unlock()
	if !ok {
		return Pace{}, false
	}
	pace := s.Pace()
	return pace, pace.Wanted > 0
}

// schedule gives the schedule of a credential. p.mu is held.
func (p *Pool) schedule(fingerprint string) *schedule {
	s, ok := p.schedules[fingerprint]
	if !ok {
		s = &schedule{fingerprint: fingerprint, endedAt: p.o.Now()}
		p.schedules[fingerprint] = s
		select {
		case p.newSchedule <- struct{}{}:
		default:
		}
	}
	return s
}
