// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const (
	// outageInterval is the drift interval in an outage: that of production, from which
	// it follows how long calls are held.
	outageInterval = time.Minute
	// longestBackOff is how long the work queue puts an object off at most.
	longestBackOff = time.Minute
	// leastFailure is how long a failure lasts at least. A short outage has fewer kinds.
	leastFailure = 5 * time.Second
)

// beforeOutages starts the provider as it is in production, and waits until it works.
func (c *chaos) beforeOutages(ctx context.Context) error {
	if err := c.fleet.alone(ctx, "--drift-interval", outageInterval.String(), "--resource-interval", outageInterval.String()); err != nil {
		return err
	}
	await(ctx, c.world.watch.nextCall(), time.Minute)
	return nil
}

// blackouts lets the provider live, and nothing but failures come from Cloudflare: of
// one kind after the other, with nothing that succeeds in between, so that what is
// held stays held. How many calls that costs is measured.
func (c *chaos) blackouts(ctx context.Context) error {
	until, _ := ctx.Deadline()
	wait(ctx, time.Until(until)/20) // It reads what there is.
	kinds := failures()
	stream(c.seed, "outages").Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	kinds = kinds[:max(1, min(len(kinds), int(time.Until(until)*9/10/leastFailure)))]
	share := time.Until(until) * 9 / 10 / time.Duration(len(kinds))
	before, began := c.world.watch.calls(), time.Now()
	for _, kind := range kinds {
		calls := c.world.watch.calls()
		if err := c.only(ctx, kind); err != nil {
			return err
		}
		wait(ctx, share)
		c.result.Outages[string(kind)] = c.world.watch.calls() - calls
	}
	c.result.OutageCalls, c.result.OutageLasted = c.world.watch.calls()-before, time.Since(began)
	if err := c.world.sim.Admin(context.WithoutCancel(ctx), http.MethodDelete, "/faults", nil, nil); err != nil {
		return err
	}
	wait(ctx, time.Until(until))
	return c.fleet.alone(context.WithoutCancel(ctx), single()...)
}

// only has every call fail in that way, and in no other, without a gap after what was
// on before.
func (c *chaos) only(ctx context.Context, kind simulator.FaultKind) error {
	ctx = context.WithoutCancel(ctx)
	var before map[string]simulator.Fault
	err := c.world.sim.Admin(ctx, http.MethodGet, "/faults", nil, &before)
	if err == nil {
		err = c.world.sim.Admin(ctx, http.MethodPost, "/faults", simulator.Fault{Kind: kind, Times: -1, RetryAfter: time.Second}, nil)
	}
	for id := range before {
		err = errors.Join(err, c.world.sim.Admin(ctx, http.MethodDelete, "/faults/"+id, nil, nil))
	}
	if err != nil {
		return fmt.Errorf("cannot have all calls fail: %w", err)
	}
	return nil
}

// attempts is how often something is called in a time in which it always fails: twice
// at once, for the first failure may come alone, and then after 1, 2, 4, ... seconds,
// up to most.
func attempts(in, most time.Duration) int {
	n := 2
	for at, pause := time.Second, time.Second; at <= in; at += pause {
		n++
		pause = min(2*pause, most)
	}
	return n
}

// outageBound is how many calls an outage may cost (ADR 24), whatever the number of
// Records:
//
//   - For each zone and credential five kinds of calls are held, each by itself, for up
//     to half a drift interval: lists, writes (each of which is settled by a list of its
//     own where its outcome is not known), GETs of one record, the question for the
//     zone's name, and the look-up of a name. Sweeps add a list an interval.
//   - Each credential is verified for its provider config, which the work queue puts off
//     by itself, for up to a minute.
//   - Each Zone is read and written by itself, with the same back-off.
//   - For each family of described kinds and credential lists, reads and writes are held.
func outageBound(lasted time.Duration, s stage) int {
	held := attempts(lasted, outageInterval/2)
	alone := attempts(lasted, longestBackOff)
	sweeps := int(lasted/outageInterval) + 1
	return s.pairs()*(6*held+sweeps) + s.families()*(3*held+sweeps) + len(s.tenants())*alone + len(domainNamespaces())*maxDomains*2*alone
}
