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
		p.sweepRound(ctx, l, zones, feed)
		wait = max(0, l.Pace().Actual-p.o.Now().Sub(began))
	}
}

// leastGrace is how much longer than its interval a round of sweeps may take at
// least before it counts as held up.
const leastGrace = 10 * time.Second

// sweepRound sweeps the zones of a lane, and says so when that takes much longer
// than the time until the next round.
func (p *Pool) sweepRound(ctx context.Context, l *lane, zones []*Zone, feed Feed) {
	allowed := l.Pace().Actual
	allowed += max(allowed/2, leastGrace)
	began := p.o.Now()
	overdue := time.AfterFunc(allowed, func() { l.setHeldUp(true, p.o.OnPace) })
	p.sweepLane(ctx, zones, feed)
	overdue.Stop()
	if ctx.Err() != nil {
		return // It was cut off.
	}
	l.setHeldUp(p.o.Now().Sub(began) >= allowed, p.o.OnPace)
	l.roundEnded(p.o.Now())
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
	listed := z.wasListed()
	invalid, mayBe := cloudflare.IsInvalidCredential(err), cloudflare.MayBeInvalidCredential(err)
	switch {
	case invalid:
		// It may have been replaced. Whoever is told asks for the zone again, with
		// what the credential is by then.
		p.forget(z)
	case mayBe:
		// Whoever is told must not be answered from what was seen before.
		z.outdate()
	}
	if (invalid || mayBe) && !listed {
		// Nobody has seen anything with it that there would be news of. To name a zone
		// takes no right to it: who does must not wake those who have.
		return
	}
	feed.Tell(Change{ZoneID: z.id, RecordIDs: ids, Err: err})
}

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
		z.want(wanted)
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
