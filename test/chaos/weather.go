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

// A front is a set of faults that are active together.
type front struct {
	Faults []simulator.Fault
	Lasts  time.Duration
	Then   time.Duration // time without faults
}

// maxLag is the longest lag of lists. After five seconds the engine no longer trusts its own
// writes over a list, but asks for a missing resource by its ID (ADR 8). Absence counts as
// proven 30 seconds after an attempt to create (ADR 22): no client that believes lists can be
// right about a longer lag. Ten seconds are left for the time between the attempt and the list.
const maxLag = 20 * time.Second

// failures returns the faults that make requests fail or their outcome unknown.
func failures() []simulator.FaultKind {
	return []simulator.FaultKind{
		simulator.FaultHTML502, simulator.Fault500AfterCommit, simulator.FaultFalseSuccess, simulator.FaultYoungZone, simulator.FaultResetBefore,
		simulator.FaultResetAfter, simulator.FaultThrottle, simulator.FaultThrottleBare,
	}
}

// slowness returns a front that makes the windows for kills longer.
func slowness(rng *rand.Rand) front {
	kind := []simulator.FaultKind{simulator.FaultSlow, simulator.FaultSlowBefore}[rng.IntN(2)]
	f := simulator.Fault{Kind: kind, Times: -1, Probability: 0.9, Delay: between(rng, 50*time.Millisecond, 600*time.Millisecond)}
	if rng.IntN(4) == 0 {
		f.Method = http.MethodPost
	}
	return front{Faults: []simulator.Fault{f}, Lasts: between(rng, time.Second, 4*time.Second), Then: between(rng, 100*time.Millisecond, time.Second)}
}

// storm returns a front of two to four faults of any kind.
func storm(rng *rand.Rand) front {
	// Huge answers cost much time and test no crash, and the plan has no LOC records.
	// FaultBehind and FaultWrong404 would last as long as the storm.
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
	// copyLag is the longest lag of a copy that answers a GET of one resource. It is no longer
	// than the time after which the provider asks again before it acts.
	copyLag = 4 * time.Second
	// copyApart is the time after a wrong answer about a resource in which no copy denies that
	// the resource exists. One wrong answer must not convince the provider, but two equal ones,
	// a while apart, do.
	copyApart = 10 * time.Second
)

// lagging returns a front in which outdated copies, or copies without the resource, answer
// GETs. Outdated copies may answer lists, too.
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

// absent returns a fault: copies without the resource answer GETs of that route, "" for all
// routes.
func absent(rng *rand.Rand, route string) simulator.Fault {
	return simulator.Fault{Kind: simulator.FaultStaleGet, Method: http.MethodGet, Path: route, Times: -1, Apart: copyApart, Probability: 0.5 + 0.5*rng.Float64()}
}

// singleReads returns the routes that read one resource of a described kind.
func singleReads() []string {
	return []string{
		"/accounts/{account_id}/access/groups/{group_id}", "/accounts/{account_id}/gateway/lists/{list_id}",
		"/accounts/{account_id}/gateway/lists/{list_id}/items", "/accounts/{account_id}/cfd_tunnel/{tunnel_id}/configurations",
		"/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint",
	}
}

// andAbsent returns next with a fault for each route of singleReads: copies without the
// resource answer. The lists of described kinds are never outdated then.
func andAbsent(next func(*rand.Rand) front) func(*rand.Rand) front {
	return func(rng *rand.Rand) front {
		f := next(rng)
		for _, route := range singleReads() {
			f.Faults = append(f.Faults, absent(rng, route))
		}
		return f
	}
}

// weather applies one front after the other until ctx ends, and then removes all faults.
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

// An aim is the moment at which a provider is killed: some time after its start, or after its
// next write, if that comes soon.
type aim struct {
	AtWrite bool
	After   time.Duration
	Again   bool // wait for another write first, so that the process gets work done
	Early   bool // do not wait for the process's first call
}

func nextAim(rng *rand.Rand) aim {
	switch n := rng.IntN(10); {
	case n < 4:
		return aim{After: between(rng, 50*time.Millisecond, 1500*time.Millisecond), Early: n == 0}
	case n < 7:
		return aim{AtWrite: true, After: between(rng, 0, 150*time.Millisecond), Again: rng.IntN(3) == 0}
	case n < 9:
		// before the answer is stored
		return aim{AtWrite: true, After: between(rng, 0, 15*time.Millisecond)}
	default:
		return aim{After: between(rng, 2*time.Second, 5*time.Second)}
	}
}

// await waits until the channel is closed, at most for long.
func await(ctx context.Context, c <-chan struct{}, long time.Duration) {
	select {
	case <-c:
	case <-time.After(long):
	case <-ctx.Done():
	}
}

// soon is the longest wait for a write.
const soon = 2500 * time.Millisecond

// starting is the longest wait for the first call of a new process, on a busy machine.
const starting = 15 * time.Second

// killer kills and restarts providers until ctx ends. Most kills hit a process that has made a
// call, because the others test little.
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

// usurper kills leaders until ctx ends, mostly after their first call.
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

// An outage is one stop of the API server.
type outage struct {
	Gently bool // by request, not by SIGKILL
	Away   time.Duration
	Then   time.Duration
}

// graceful is the most time that the API server may take to end on request.
const graceful = 5 * time.Second

func nextOutage(rng *rand.Rand) outage {
	return outage{Gently: rng.IntN(3) == 0, Away: between(rng, 0, 5*time.Second), Then: between(rng, 3*time.Second, 12*time.Second)}
}

// breaker stops and restarts the API server until ctx ends. The API server runs when it
// returns.
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
