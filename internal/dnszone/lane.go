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

// A lane is the zones of one credential, which share its budget.
type lane struct {
	fingerprint string

	mu      sync.Mutex
	running bool
	last    Pace
	// endedAt is when the last round of sweeps ended, or the lane came into use.
	endedAt time.Time
}

// Pace of the lane; the zero Pace before its first sweep.
func (l *lane) Pace() Pace {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// setPace notes how often the lane can be swept, and reports to told what is new.
func (l *lane) setPace(now Pace, told func(string, Pace)) {
	l.change(func(p *Pace) {
		now.HeldUp = p.HeldUp
		*p = now
	}, told)
}

// setHeldUp notes whether the lane's sweeps are held up, and reports to told what is
// new.
func (l *lane) setHeldUp(is bool, told func(string, Pace)) {
	l.change(func(p *Pace) { p.HeldUp = is }, told)
}

func (l *lane) change(edit func(*Pace), told func(string, Pace)) {
	l.mu.Lock()
	was := l.last
	edit(&l.last)
	now := l.last
	l.mu.Unlock()
	if told != nil && was != now {
		told(l.fingerprint, now)
	}
}

// roundEnded notes that a round of sweeps has ended.
func (l *lane) roundEnded(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.endedAt = now
}

// sinceRound is how long ago the last round of sweeps ended, or the lane came into
// use.
func (l *lane) sinceRound(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return now.Sub(l.endedAt)
}

// fresh is how old a snapshot may be that answers questions: one that is swept
// less often than was asked for stays fresh for longer.
func (l *lane) fresh(asked time.Duration) time.Duration {
	p := l.Pace()
	if !p.Stretched() {
		return asked
	}
	return max(asked, p.Actual+p.Actual/2)
}

// Pace gives how often the zones of a credential are swept, by its fingerprint;
// false where none are, or none were yet.
func (p *Pool) Pace(fingerprint string) (Pace, bool) {
	p.mu.Lock()
	l, ok := p.lanes[fingerprint]
	p.mu.Unlock()
	if !ok {
		return Pace{}, false
	}
	pace := l.Pace()
	return pace, pace.Wanted > 0
}

// lane gives the lane of a credential. p.mu is held.
func (p *Pool) lane(fingerprint string) *lane {
	l, ok := p.lanes[fingerprint]
	if !ok {
		l = &lane{fingerprint: fingerprint, endedAt: p.o.Now()}
		p.lanes[fingerprint] = l
		select {
		case p.newLane <- struct{}{}:
		default:
		}
	}
	return l
}
