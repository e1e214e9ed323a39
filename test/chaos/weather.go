// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// A front is faults that are on together for a while.
type front struct {
	Faults []simulator.Fault
	Lasts  time.Duration
	Then   time.Duration // fair weather
}

// maxLag is how far lists lag behind at most. Beyond five seconds the engine does not
// hold to its own writes any more, but asks for what is missing by its ID (ADR 8).
// Absence counts as proven 30 seconds after an attempt to create something (ADR 22):
// no client that believes lists can be right about one that lags for longer. Ten
// seconds are left for what lies between the attempt and the list.
const maxLag = 20 * time.Second

// failures are the faults that make requests fail, or their outcome unknown.
func failures() []simulator.FaultKind {
	return []simulator.FaultKind{
		simulator.FaultHTML502, simulator.Fault500AfterCommit, simulator.FaultFalseSuccess, simulator.FaultYoungZone, simulator.FaultResetBefore,
		simulator.FaultResetAfter, simulator.FaultThrottle, simulator.FaultThrottleBare,
	}
}

// slowness stretches the windows that kills aim at.
func slowness(rng *rand.Rand) front {
	kind := []simulator.FaultKind{simulator.FaultSlow, simulator.FaultSlowBefore}[rng.IntN(2)]
	f := simulator.Fault{Kind: kind, Times: -1, Probability: 0.9, Delay: between(rng, 50*time.Millisecond, 600*time.Millisecond)}
	if rng.IntN(4) == 0 {
		f.Method = http.MethodPost
	}
	return front{Faults: []simulator.Fault{f}, Lasts: between(rng, time.Second, 4*time.Second), Then: between(rng, 100*time.Millisecond, time.Second)}
}

// storm is two to four faults of any kind.
func storm(rng *rand.Rand) front {
	// Huge answers cost this machine more than they tell about crashes, and nobody here
	// has a LOC record. No copy is behind, or lacks what it is asked for, for as long as a storm lasts.
	kinds := slices.DeleteFunc(simulator.FaultKinds(), func(k simulator.FaultKind) bool {
		return k == simulator.FaultHugeBody || k == simulator.FaultHugeTexts || k == simulator.FaultLOCRendering || k == simulator.FaultBehind || k == simulator.FaultWrong404
	})
	f := front{Lasts: between(rng, time.Second, 6*time.Second), Then: between(rng, 100*time.Millisecond, 1500*time.Millisecond)}
	for range 2 + rng.IntN(3) {
		k := kinds[rng.IntN(len(kinds))]
		fault := simulator.Fault{Kind: k, Times: -1, Probability: 0.3 + 0.6*rng.Float64()}
		switch rng.IntN(4) {
		case 0:
			fault.Method = http.MethodPost
		case 1:
			fault.Path = recordsRoute
		}
		switch k {
		case simulator.FaultStaleList:
			fault.Delay, fault.Method, fault.Path = between(rng, 300*time.Millisecond, maxLag), http.MethodGet, recordsRoute
		case simulator.FaultStaleGet:
			fault.Delay, fault.Method, fault.Path = between(rng, 300*time.Millisecond, maxLag), http.MethodGet, recordsRoute+"/{dns_record_id}"
		case simulator.FaultSlow, simulator.FaultSlowBefore:
			fault.Delay = between(rng, 50*time.Millisecond, 2*time.Second)
		case simulator.FaultThrottle:
			fault.RetryAfter = between(rng, time.Second, 3*time.Second)
		}
		f.Faults = append(f.Faults, fault)
	}
	return f
}

const (
	// copyLag is how far behind the copy is that answers about one thing: no longer than the provider takes until it asks
	// again before it acts.
	copyLag = 4 * time.Second
	// copyApart is for how long no copy says of a thing that it is not there after one has said so, or has shown what it was:
	// a single answer proves nothing, and two that are wrong in the same way, a while apart, do.
	copyApart = 10 * time.Second
)

// lagging has GETs be answered by a copy that is behind, or that has nothing, and lists by one that is behind.
func lagging(rng *rand.Rand) front {
	f := front{Faults: []simulator.Fault{absent(rng, "")}, Lasts: between(rng, time.Second, 6*time.Second), Then: between(rng, 100*time.Millisecond, time.Second)}
	if rng.IntN(3) == 0 {
		f.Faults[0].Apart, f.Faults[0].Delay = 0, between(rng, 300*time.Millisecond, copyLag)
	}
	if rng.IntN(2) == 0 {
		f.Faults = append(f.Faults, simulator.Fault{
			Kind: simulator.FaultStaleList, Method: http.MethodGet, Times: -1, Probability: 0.5, Delay: between(rng, 300*time.Millisecond, copyLag),
		})
	}
	if rng.IntN(2) == 0 {
		f.Faults = append(f.Faults, slowness(rng).Faults...)
	}
	return f
}

// absent has GETs of that route, "" for all, be answered by a copy that has nothing.
func absent(rng *rand.Rand, route string) simulator.Fault {
	return simulator.Fault{Kind: simulator.FaultStaleGet, Method: http.MethodGet, Path: route, Times: -1, Apart: copyApart, Probability: 0.5 + 0.5*rng.Float64()}
}

// singleReads are the routes of reads of one thing of described kinds.
func singleReads() []string {
	return []string{
		"/accounts/{account_id}/access/groups/{group_id}", "/accounts/{account_id}/gateway/lists/{list_id}",
		"/accounts/{account_id}/gateway/lists/{list_id}/items", "/accounts/{account_id}/cfd_tunnel/{tunnel_id}/configurations",
		"/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint",
	}
}

// andAbsent is next with answers by copies that have nothing of described kinds. What lists show of these is never behind then.
func andAbsent(next func(*rand.Rand) front) func(*rand.Rand) front {
	return func(rng *rand.Rand) front {
		f := next(rng)
		for _, route := range singleReads() {
			f.Faults = append(f.Faults, absent(rng, route))
		}
		return f
	}
}

// weather has one front after the other, until ctx ends; then it is fair.
func weather(ctx context.Context, sim *rig.Simulator, next func() front) error {
	always := context.WithoutCancel(ctx)
	for !over(ctx) {
		f := next()
		for _, fault := range f.Faults {
			if err := sim.Admin(always, http.MethodPost, "/faults", fault, nil); err != nil {
				return fmt.Errorf("cannot switch a fault on: %w", err)
			}
		}
		wait(ctx, f.Lasts)
		if err := sim.Admin(always, http.MethodDelete, "/faults", nil, nil); err != nil {
			return fmt.Errorf("cannot switch the faults off: %w", err)
		}
		wait(ctx, f.Then)
	}
	return nil
}

// over reports whether a phase has ended.
func over(ctx context.Context) bool { return ctx.Err() != nil }

// An aim says when a provider is killed: some time after it was started, or after
// the next write that it makes, if there is one soon.
type aim struct {
	AtWrite bool
	After   time.Duration
	Again   bool // wait for another write first, so that something is done
	Early   bool // whether it has made a call or not
}

func nextAim(rng *rand.Rand) aim {
	switch n := rng.IntN(10); {
	case n < 4:
		return aim{After: between(rng, 50*time.Millisecond, 1500*time.Millisecond), Early: n == 0}
	case n < 7:
		return aim{AtWrite: true, After: between(rng, 0, 150*time.Millisecond), Again: rng.IntN(3) == 0}
	case n < 9:
		// Before the answer is written down.
		return aim{AtWrite: true, After: between(rng, 0, 15*time.Millisecond)}
	default:
		return aim{After: between(rng, 2*time.Second, 5*time.Second)}
	}
}

// await waits for a channel to be closed, for that long.
func await(ctx context.Context, c <-chan struct{}, long time.Duration) {
	select {
	case <-c:
	case <-time.After(long):
	case <-ctx.Done():
	}
}

// soon is how long a write is waited for.
const soon = 2500 * time.Millisecond

// starting is how long a process that was just started may take until its first call,
// on a machine that has other things to do as well.
const starting = 15 * time.Second

// killer kills and starts providers until ctx ends. Most kills hit a process that has
// begun to work: the others break little.
func killer(ctx context.Context, f *fleet, w *watch, rng *rand.Rand) error {
	for !over(ctx) {
		a := nextAim(rng)
		if !a.Early {
			await(ctx, w.nextCall(), starting)
		}
		if a.AtWrite {
			await(ctx, w.nextWrite(), soon)
		}
		if a.Again {
			await(ctx, w.nextWrite(), soon)
		}
		wait(ctx, a.After)
		for _, r := range f.all() {
			if over(ctx) {
				break
			}
			if err := f.kill(ctx, r, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// usurper kills leaders that have begun to work, mostly, until ctx ends.
func usurper(ctx context.Context, f *fleet, w *watch, rng *rand.Rand) error {
	for !over(ctx) {
		await(ctx, w.nextCall(), starting)
		wait(ctx, between(rng, time.Second, 5*time.Second))
		wantLeader := rng.IntN(5) > 0
		for _, r := range f.all() {
			if over(ctx) {
				break
			}
			if leads := f.leads(ctx, r); leads == wantLeader {
				if err := f.kill(ctx, r, leads); err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

// An outage is an API server that ends and comes back.
type outage struct {
	Gently bool // asked to end, rather than killed
	Away   time.Duration
	Then   time.Duration
}

// graceful is how long an API server that is asked to end may take.
const graceful = 5 * time.Second

func nextOutage(rng *rand.Rand) outage {
	return outage{Gently: rng.IntN(3) == 0, Away: between(rng, 0, 5*time.Second), Then: between(rng, 3*time.Second, 12*time.Second)}
}

// breaker ends the API server and starts it again, until ctx ends; then it runs.
func breaker(ctx context.Context, cp *rig.ControlPlane, rng *rand.Rand, count *[2]int) error {
	for {
		o := nextOutage(rng)
		wait(ctx, o.Then)
		if over(ctx) {
			return nil
		}
		if o.Gently {
			count[1]++
			cp.StopServer(graceful)
		} else {
			count[0]++
			cp.KillServer()
		}
		wait(ctx, o.Away)
		if err := cp.StartServer(context.WithoutCancel(ctx)); err != nil {
			return err
		}
	}
}
