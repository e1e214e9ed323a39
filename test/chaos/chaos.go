// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"
)

// chaos is one run.
type chaos struct {
	*flags
	seed   uint64
	say    func(format string, args ...any)
	fail   context.CancelCauseFunc
	result *result

	world   *world
	fleet   *fleet
	users   *users
	outages [2]int // stops of the API server: by SIGKILL, by request
}

// A phase is a way to break the system for a share of the time.
type phase struct {
	name   string
	weight int
	least  amounts // per minute
	run    func(*chaos, context.Context) error
	// before runs first, and takes none of the phase's time.
	before func(*chaos, context.Context) error
}

// phases returns the phases in order. The last one leaves two replicas, of which one leads. A
// machine with two cores does about the least of each phase in the phase's share of the time. A
// slower one takes longer.
func phases() []phase {
	return []phase{
		{name: "kills", weight: 26, least: amounts{Kills: 22, Faults: 400, Operations: 130, Wrong: 30}, run: (*chaos).kills},
		{name: "storms", weight: 31, least: amounts{Kills: 22, Faults: 860, Operations: 130, Wrong: 37}, run: (*chaos).storms},
		{name: "copies", weight: 19, least: amounts{Kills: 22, Faults: 450, Operations: 130, Wrong: 64}, run: (*chaos).copies},
		{name: "calm", weight: 3, least: amounts{Operations: 40}, run: (*chaos).calm},
		{name: "outages", weight: 7, least: amounts{Faults: 60, Operations: 20}, run: (*chaos).blackouts, before: (*chaos).beforeOutages},
		{name: "api-server", weight: 7, least: amounts{Kills: 8, Faults: 300, Operations: 10}, run: (*chaos).apiServer},
		{name: "leaders", weight: 7, least: amounts{Kills: 4, Faults: 320, Operations: 30}, run: (*chaos).leaders, before: (*chaos).beforeLeaders},
	}
}

// run runs everything. The result has Counts if the run came to a judgement.
func (c *chaos) run(ctx context.Context, dir string) (err error) {
	if c.world, err = newWorld(ctx, c.flags, dir, c.seed, c.fail); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.world.stop()) }()
	bin, err := filepath.Abs(filepath.Join(c.Bin, "provider"))
	if err != nil {
		return fmt.Errorf("cannot find the provider: %w", err)
	}
	c.fleet = &fleet{binary: bin, kubeconfig: c.world.cp.Kubeconfig, api: c.world.sim.URL, logPath: c.world.path, fail: c.fail, known: map[string]bool{}}
	defer func() { err = errors.Join(err, c.fleet.stop()) }()
	if err := c.fleet.addReplica(ctx, single()...); err != nil {
		return err
	}
	c.users = newUsers(c.world.kube, c.world.sim)
	c.users.place = c.world.place
	c.result = &result{Seed: c.seed, Revision: c.Revision, Duration: c.Duration.String(), Outages: map[string]int{}}
	began := time.Now()
	if err := c.havoc(ctx); err != nil {
		return err
	}
	c.result.Havoc = time.Since(began).Round(time.Second).String()
	return c.settle(ctx)
}

// amounts returns what the run has done so far.
func (c *chaos) amounts() amounts {
	faults, wrong := c.world.watch.fires()
	return amounts{
		Kills: float64(c.fleet.killed()), Faults: float64(faults), Operations: float64(c.users.operations()), Wrong: float64(wrong),
	}
}

// havoc lets users work while the phases break the system. It returns when the users have
// finished their steps.
func (c *chaos) havoc(ctx context.Context) error {
	halt := make(chan struct{})
	working, ctx := errgroup.WithContext(ctx)
	for i := range c.Users {
		working.Go(func() error { return c.users.run(ctx, newActor(c.world.stage, c.seed, i), halt) })
	}
	working.Go(func() error {
		defer close(halt)
		weights := 0
		for _, p := range phases() {
			if c.wants(p.name) {
				weights += p.weight
			}
		}
		for _, p := range phases() {
			if !c.wants(p.name) {
				continue
			}
			share := c.Duration * time.Duration(p.weight) / time.Duration(weights)
			c.say("%s for %s", p.name, share.Round(time.Second))
			did, err := c.perform(ctx, p, share)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			c.result.Phases = append(c.result.Phases, did)
			c.say("%s done in %s: %s", p.name, did.Lasted.Round(time.Second), did.Did)
		}
		return nil
	})
	err := working.Wait()
	c.say("the users have ended what they were about")
	return err
}

// patience is the number of its shares that a phase may last until it has done its least.
const patience = 4

// perform runs a phase for its share of the time, and longer until it has done its least.
func (c *chaos) perform(ctx context.Context, p phase, share time.Duration) (phaseResult, error) {
	if p.before != nil {
		if err := p.before(c, ctx); err != nil {
			return phaseResult{}, err
		}
	}
	before, began, least := c.amounts(), time.Now(), p.least.during(share)
	own, cancel := context.WithTimeout(ctx, patience*share)
	defer cancel()
	err := together(own,
		func(ctx context.Context) error { return p.run(c, ctx) },
		func(ctx context.Context) error {
			defer cancel()
			for wait(ctx, share); !over(ctx) && !c.amounts().minus(before).reach(least); {
				wait(ctx, time.Second)
			}
			return nil
		})
	did := phaseResult{Name: p.name, Lasted: time.Since(began), Did: c.amounts().minus(before), Least: least}
	return did, errors.Join(err, context.Cause(ctx))
}

// together runs several functions until the phase ends.
func together(ctx context.Context, all ...func(context.Context) error) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, f := range all {
		g.Go(func() error { return f(ctx) })
	}
	return g.Wait()
}

func (c *chaos) weather(name string, next func(*rand.Rand) front) func(context.Context) error {
	rng := stream(c.seed, name+" weather")
	return func(ctx context.Context) error {
		return weather(ctx, c.world.sim, func() front { return next(rng) })
	}
}

func (c *chaos) killer(name string) func(context.Context) error {
	rng := stream(c.seed, name+" kills")
	return func(ctx context.Context) error { return killer(ctx, c.fleet, c.world.watch, rng) }
}

// kills kills the provider repeatedly. At times answers are slow, or come from copies without
// the resource.
func (c *chaos) kills(ctx context.Context) error {
	return together(ctx, c.killer("kills"), c.weather("kills", andAbsent(slowness)))
}

// storms kills the provider while the Cloudflare API fails in every way.
func (c *chaos) storms(ctx context.Context) error {
	return together(ctx, c.killer("storms"), c.weather("storms", andAbsent(storm)))
}

// copies kills the provider while outdated copies answer GETs of one resource.
func (c *chaos) copies(ctx context.Context) error {
	return together(ctx, c.killer("copies"), c.weather("copies", lagging))
}

// calm breaks nothing.
func (c *chaos) calm(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// apiServer stops the API server and kills the provider.
func (c *chaos) apiServer(ctx context.Context) error {
	rng := stream(c.seed, "api server")
	return together(ctx, c.killer("api server"), c.weather("api server", slowness),
		func(ctx context.Context) error { return breaker(ctx, c.world.cp, rng, &c.outages) })
}

const (
	driftInterval = 5 * time.Second
	leaseDuration = 6 * time.Second
)

// single returns the flags of a provider that runs alone.
func single() []string {
	return []string{"--drift-interval", driftInterval.String(), "--resource-interval", driftInterval.String()}
}

// elected returns the flags of one of several replicas.
func elected() []string {
	return append(single(), "--leader-election", "--leader-election-namespace", home,
		"--leader-election-lease-duration", leaseDuration.String(), "--leader-election-renew-deadline", "4s", "--leader-election-retry-period", "500ms")
}

// beforeLeaders starts two replicas, and waits until the leader makes calls. Killing it before
// that would test nothing.
func (c *chaos) beforeLeaders(ctx context.Context) error {
	if err := c.fleet.alone(ctx, elected()...); err != nil {
		return err
	}
	if err := c.fleet.addReplica(ctx, elected()...); err != nil {
		return err
	}
	await(ctx, c.world.watch.nextCall(), time.Minute)
	return nil
}

// leaders runs two replicas and kills the leader.
func (c *chaos) leaders(ctx context.Context) error {
	rng := stream(c.seed, "leaders")
	return together(ctx, c.weather("leaders", storm), func(ctx context.Context) error { return usurper(ctx, c.fleet, c.world.watch, rng) })
}
