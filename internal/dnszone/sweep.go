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

// A Change names the records of a zone that are not what they were at the sweep
// before, other than by this process's own writes: changed, gone or new. The first
// list of a zone shows no change, for nobody has seen anything before it.
type Change struct {
	ZoneID    string
	RecordIDs []string
	// Err says why the zone could not be listed; there are no RecordIDs then.
	Err error
}

// A ChangeHandler handles what a Pool's sweeps find.
type ChangeHandler struct {
	// InUse reports whether a zone is in use. One that is not is not swept. Nil is
	// always.
	InUse func(zoneID string) bool
	// OnChange is called for each zone that changed or could not be listed, by one
	// goroutine at a time.
	OnChange func(Change)
}

func (h ChangeHandler) inUse(zoneID string) bool { return h.InUse == nil || h.InUse(zoneID) }

// sweepers is how many zones of a credential are listed at once: a slow one must
// not hold up the others, and many must not come all together.
const sweepers = 8

// Run sweeps the zones in use, each once an interval, until ctx ends. Each
// credential has a rhythm of its own, which is slower than the interval where its
// budget does not allow for that many lists (see Pace).
func (p *Pool) Run(ctx context.Context, handler ChangeHandler) {
	handler.OnChange = oneAtATime(handler.OnChange)
	var running sync.WaitGroup
	defer running.Wait()
	for {
		for _, l := range p.startable() {
			running.Go(func() { p.runSchedule(ctx, l, handler) })
		}
		select {
		case <-ctx.Done():
			return
		case <-p.newSchedule:
		}
	}
}

func oneAtATime(onChange func(Change)) func(Change) {
	var mu sync.Mutex
	return func(c Change) {
		mu.Lock()
		defer mu.Unlock()
		onChange(c)
	}
}

// Sweep lists every zone in use, once.
func (p *Pool) Sweep(ctx context.Context, handler ChangeHandler) {
	handler.OnChange = oneAtATime(handler.OnChange)
	var running sync.WaitGroup
	for _, l := range p.all() {
		running.Go(func() { p.sweepZones(ctx, p.zonesOf(l, handler), handler) })
	}
	running.Wait()
}

// runSchedule sweeps the zones of a schedule until there are none, or ctx ends.
func (p *Pool) runSchedule(ctx context.Context, l *schedule, handler ChangeHandler) {
	wait := p.o.Interval
	l.setPace(p.pace(p.zonesOf(l, handler)), p.o.OnPace) // It is known before it matters.
	for sleep(ctx, p.closing, wait) {
		began := p.o.Now()
		zones := p.zonesOf(l, handler)
		if len(zones) == 0 && p.drop(l) {
			return
		}
		l.setPace(p.pace(zones), p.o.OnPace)
		p.sweepRound(ctx, l, zones, handler)
		wait = max(0, l.Pace().Actual-p.o.Now().Sub(began))
	}
}

// leastGrace is how much longer than its interval a round of sweeps may take at
// least before it counts as held up.
const leastGrace = 10 * time.Second

// sweepRound sweeps the zones of a schedule, and reports when that takes much longer
// than the time until the next round.
func (p *Pool) sweepRound(ctx context.Context, l *schedule, zones []*Zone, handler ChangeHandler) {
	allowed := l.Pace().Actual
	allowed += max(allowed/2, leastGrace)
	began := p.o.Now()
	overdue := time.AfterFunc(allowed, func() { l.setHeldUp(true, p.o.OnPace) })
	p.sweepZones(ctx, zones, handler)
	overdue.Stop()
	if ctx.Err() != nil {
		return // It was cut off.
	}
	l.setHeldUp(p.o.Now().Sub(began) >= allowed, p.o.OnPace)
	l.roundEnded(p.o.Now())
}

func (p *Pool) sweepZones(ctx context.Context, zones []*Zone, handler ChangeHandler) {
	var g errgroup.Group
	g.SetLimit(sweepers)
	for _, z := range zones {
		g.Go(func() error {
			p.sweepZone(ctx, z, handler)
			return nil
		})
	}
	_ = g.Wait() // No sweep fails: the handler knows what went wrong.
}

func (p *Pool) sweepZone(ctx context.Context, z *Zone, handler ChangeHandler) {
	ids, err := z.changes(ctx)
	p.o.Metrics.swept(err)
	if ctx.Err() != nil || (err == nil && len(ids) == 0) {
		return
	}
	listed := z.wasListed()
	invalid, mayBe := cloudflare.IsInvalidCredential(err), cloudflare.MayBeInvalidCredential(err)
	switch {
	case invalid:
		// It may have been replaced. The handler has the zone asked for again, with what
		// the credential is by then.
		p.forget(z)
	case mayBe:
		// Whoever asks after that must not be answered from what was seen before.
		z.outdate()
	}
	if (invalid || mayBe) && !listed {
		// Nobody has seen anything with it that can have changed. To name a zone takes no
		// right to it: who does must not wake those who have one.
		return
	}
	handler.OnChange(Change{ZoneID: z.id, RecordIDs: ids, Err: err})
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

// startable gives the schedules that nobody runs, and marks them as running.
func (p *Pool) startable() []*schedule {
	var out []*schedule
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

// all gives the schedules, in the order of their fingerprints.
func (p *Pool) all() []*schedule {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []*schedule
	for _, l := range p.schedules {
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b *schedule) int { return strings.Compare(a.fingerprint, b.fingerprint) })
	return out
}

// drop forgets a schedule that has no zone. It gives false where it has one.
func (p *Pool) drop(l *schedule) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k := range p.zones {
		if k.fingerprint == l.fingerprint {
			return false
		}
	}
	delete(p.schedules, l.fingerprint)
	return true
}

// zonesOf gives the zones of a schedule that are to be swept, by ID, and forgets those
// that are not in use any more: no Record is in them, or their Records are seen
// with another credential by now.
func (p *Pool) zonesOf(l *schedule, handler ChangeHandler) []*Zone {
	var out []*Zone
	for _, z := range p.zonesIn(l) {
		inUse, idle := handler.inUse(z.id), z.idle() > p.o.Idle
		z.setInUse(inUse)
		switch {
		case idle && (!inUse || handler.InUse == nil || p.seenElsewhere(z)):
			p.forget(z)
		case inUse:
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

// zonesIn gives the zones of a schedule.
func (p *Pool) zonesIn(l *schedule) []*Zone {
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
