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
	// outageInterval is the drift interval in an outage: that of production. The time for which
	// calls are held depends on it.
	outageInterval = time.Minute
	// longestBackOff is the longest back-off of the work queue.
	longestBackOff = time.Minute
	// leastFailure is the shortest time of a kind of failure. A short outage has fewer kinds.
	leastFailure = 5 * time.Second
)

// beforeOutages starts the provider as in production, and waits until it makes calls.
func (c *chaos) beforeOutages(ctx context.Context) error {
	if err := c.fleet.alone(ctx, "--drift-interval", outageInterval.String(), "--resource-interval", outageInterval.String()); err != nil {
		return err
	}
	await(ctx, c.world.watch.nextCall(), time.Minute)
	return nil
}

// blackouts makes every call fail, with one kind of failure after the other, while the provider
// runs. No call succeeds in between, so that held calls stay held. It measures the number of
// calls.
func (c *chaos) blackouts(ctx context.Context) error {
	until, _ := ctx.Deadline()
	wait(ctx, time.Until(until)/20) // The provider reads its resources first.
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

// only makes every call fail in that way and in no other, without a gap after the previous
// faults.
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

// attempts returns how often a call is tried in a time in which it always fails: twice at once,
// because the first failure may come alone, and then after 1, 2, 4, ... seconds, up to most.
func attempts(in, most time.Duration) int {
	n := 2
	for at, pause := time.Second, time.Second; at <= in; at += pause {
		n++
		pause = min(2*pause, most)
	}
	return n
}

// outageBound returns the most calls that an outage may cost (ADR 24). It does not depend on
// the number of Records:
//
//   - For each zone and credential, five kinds of calls are held separately, each for up
//     to half a drift interval: lists, writes (a write with an unknown outcome is settled
//     by a list), GETs of one record, the GET of the zone's name, and the look-up of a
//     name. Sweeps add a list an interval.
//   - Each credential is verified for its provider config, which the work queue backs off
//     separately, for up to a minute.
//   - Each Zone is read and written separately, with the same back-off.
//   - For each family of described kinds and credential, lists, reads and writes are held.
func outageBound(lasted time.Duration, s stage) int {
	held := attempts(lasted, outageInterval/2)
	alone := attempts(lasted, longestBackOff)
	sweeps := int(lasted/outageInterval) + 1
	return s.pairs()*(6*held+sweeps) + s.families()*(3*held+sweeps) + len(s.tenants())*alone + len(domainNamespaces())*maxDomains*2*alone
}
