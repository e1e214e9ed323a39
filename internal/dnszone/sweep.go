// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// A Change tells which records of a zone are not what they were at the sweep
// before, other than by this process's own writes: changed, gone or new. The
// first list of a zone tells none, for nobody has seen anything before it.
type Change struct {
	ZoneID    string
	RecordIDs []string
	// Err says why the zone could not be listed; there are no RecordIDs then.
	Err error
}

// A Feed is whom a Pool's sweeps work for.
type Feed struct {
	// Wanted reports whether anybody cares for the records of a zone. A zone without
	// any is not swept. Nil is always.
	Wanted func(zoneID string) bool
	// Tell is called for each zone that changed or could not be listed, once at a
	// time.
	Tell func(Change)
}

func (f Feed) wants(zoneID string) bool { return f.Wanted == nil || f.Wanted(zoneID) }

// sweepers is how many zones of a credential are listed at once: a slow one must
// not hold up the others, and many must not come all together.
const sweepers = 8

// Run sweeps the zones in use, each once an interval, until ctx ends. Each
// credential has a rhythm of its own, which is slower than the interval where its
// budget does not allow for that many lists (see Pace).
func (p *Pool) Run(ctx context.Context, feed Feed) {
	feed.Tell = oneAtATime(feed.Tell)
	var lanes sync.WaitGroup
	defer lanes.Wait()
	for {
		for _, l := range p.startable() {
			lanes.Go(func() { p.runLane(ctx, l, feed) })
		}
		select {
		case <-ctx.Done():
			return
		case <-p.newLane:
		}
	}
}

func oneAtATime(tell func(Change)) func(Change) {
	var mu sync.Mutex
	return func(c Change) {
		mu.Lock()
		defer mu.Unlock()
		tell(c)
	}
}

// Sweep lists every zone in use, once.
func (p *Pool) Sweep(ctx context.Context, feed Feed) {
	feed.Tell = oneAtATime(feed.Tell)
	var lanes sync.WaitGroup
	for _, l := range p.all() {
		lanes.Go(func() { p.sweepLane(ctx, p.zonesOf(l, feed), feed) })
	}
	lanes.Wait()
}

// runLane sweeps the zones of one credential until there are none, or ctx ends.
func (p *Pool) runLane(ctx context.Context, l *lane, feed Feed) {
	wait := p.o.Interval
	l.setPace(p.pace(p.zonesOf(l, feed)), p.o.OnPace) // It is known before it matters.
	for rest(ctx, p.closing, wait) {
		began := p.o.Now()
		zones := p.zonesOf(l, feed)
		if len(zones) == 0 && p.drop(l) {
			return
		}
		l.setPace(p.pace(zones), p.o.OnPace)
		p.sweepLane(ctx, zones, feed)
		wait = max(0, l.Pace().Actual-p.o.Now().Sub(began))
	}
}

func (p *Pool) sweepLane(ctx context.Context, zones []*Zone, feed Feed) {
	var g errgroup.Group
	g.SetLimit(sweepers)
	for _, z := range zones {
		g.Go(func() error {
			p.sweepZone(ctx, z, feed)
			return nil
		})
	}
	_ = g.Wait() // No sweep fails: what went wrong was told.
}

func (p *Pool) sweepZone(ctx context.Context, z *Zone, feed Feed) {
	ids, err := z.changes(ctx)
	p.o.Metrics.swept(err)
	if ctx.Err() != nil || (err == nil && len(ids) == 0) {
		return
	}
	if cloudflare.IsInvalidCredential(err) {
		// It may have been replaced. Whoever is told asks for the zone again, with
		// what the credential is by then.
		p.forget(z)
		if !z.wasListed() {
			// Nobody has seen anything with it that there would be news of. To name a zone
			// takes no right to it: who does must not wake those who have.
			return
		}
	}
	feed.Tell(Change{ZoneID: z.id, RecordIDs: ids, Err: err})
}

// A Pace is how often the zones of a credential are swept.
type Pace struct {
	// Zones that are swept, and Calls that one sweep of them takes.
	Zones, Calls int
	// Wanted is the interval between two sweeps that was asked for, Actual the one
	// that the credential's budget allows.
	Wanted, Actual time.Duration
}

// Stretched reports whether the budget does not allow for the interval asked for.
func (p Pace) Stretched() bool { return p.Actual > p.Wanted }

// pace says how often zones, all of one credential, can be swept.
func (p *Pool) pace(zones []*Zone) Pace {
	out := Pace{Zones: len(zones), Wanted: p.o.Interval, Actual: p.o.Interval}
	if len(zones) == 0 {
		return out
	}
	for _, z := range zones {
		out.Calls += z.cost()
	}
	if rate := zones[0].api.SweepRate(); rate > 0 {
		needs := time.Duration(float64(out.Calls) / rate * float64(time.Second))
		out.Actual = max(out.Actual, needs.Round(time.Second))
	}
	return out
}

// A lane is the zones of one credential, which share its budget.
type lane struct {
	fingerprint string

	mu      sync.Mutex
	running bool
	last    Pace
}

// Pace of the lane; the zero Pace before its first sweep.
func (l *lane) Pace() Pace {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// setPace notes the pace and reports one that is new to told.
func (l *lane) setPace(now Pace, told func(string, Pace)) {
	l.mu.Lock()
	was := l.last
	l.last = now
	l.mu.Unlock()
	if told != nil && was != now {
		told(l.fingerprint, now)
	}
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
		l = &lane{fingerprint: fingerprint}
		p.lanes[fingerprint] = l
		select {
		case p.newLane <- struct{}{}:
		default:
		}
	}
	return l
}

// startable gives the lanes that nobody sweeps, and takes them to be swept.
func (p *Pool) startable() []*lane {
	var out []*lane
	for _, l := range p.all() {
		l.mu.Lock()
		if !l.running {
			l.running = true
			out = append(out, l)
		}
		l.mu.Unlock()
	}
	return out
}

// all gives the lanes, in the order of their fingerprints.
func (p *Pool) all() []*lane {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []*lane
	for _, l := range p.lanes {
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b *lane) int { return strings.Compare(a.fingerprint, b.fingerprint) })
	return out
}

// drop forgets a lane that has no zone. It gives false where it has.
func (p *Pool) drop(l *lane) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k := range p.zones {
		if k.fingerprint == l.fingerprint {
			return false
		}
	}
	delete(p.lanes, l.fingerprint)
	return true
}

// zonesOf gives the zones of a lane that are to be swept, by ID, and forgets those
// that nobody cares for any more: no Record is in them, or their Records are seen
// with another credential by now.
func (p *Pool) zonesOf(l *lane, feed Feed) []*Zone {
	var out []*Zone
	for _, z := range p.zonesIn(l) {
		wanted, idle := feed.wants(z.id), z.idle() > p.o.Idle
		switch {
		case idle && (!wanted || feed.Wanted == nil || p.seenElsewhere(z)):
			p.forget(z)
		case wanted:
			out = append(out, z)
		}
	}
	slices.SortFunc(out, func(a, b *Zone) int { return strings.Compare(a.id, b.id) })
	return out
}

// seenElsewhere reports whether another credential was asked for the zone later.
func (p *Pool) seenElsewhere(z *Zone) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k, o := range p.zones {
		if k.zoneID == z.id && o != z && o.idle() < z.idle() {
			return true
		}
	}
	return false
}

// zonesIn gives the zones of a lane.
func (p *Pool) zonesIn(l *lane) []*Zone {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []*Zone
	for k, z := range p.zones {
		if k.fingerprint == l.fingerprint {
			out = append(out, z)
		}
	}
	return out
}

func (p *Pool) forget(z *Zone) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.zones, poolKey{z.api.Fingerprint(), z.id})
}
