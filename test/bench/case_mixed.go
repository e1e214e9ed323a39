// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// mixedDelay is the time that DNSSEC and the tenants of custom hostnames take in [mixed].
const mixedDelay = time.Second

// mixedWorld runs [mixed].
func (b *bench) mixedWorld(ctx context.Context) (err error) {
	w, ctx, err := b.newWorld(ctx, caseMixed, worldSpec{
		seed:      mixedSeed(b.size.mixed),
		simulator: []string{"--dnssec-delay", mixedDelay.String(), "--tenant-delay", mixedDelay.String()},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.stop()) }()
	i := b.size.intervals()
	if err := w.ours(ctx, "--drift-interval", i.drift.String(), "--resource-interval", i.resource.String()); err != nil {
		return err
	}
	b.do(ctx, caseMixed, w.mixed)
	return nil
}

// intervals returns the intervals of [mixed]. The two differ, so that a kind with an interval in
// its description differs from a kind with the provider's flag.
func (s size) intervals() intervals { return intervals{drift: s.interval, resource: 2 * s.interval} }

// mixedWindow returns the length of the idle time in [mixed], in which every kind is read
// a few times.
func (s size) mixedWindow() time.Duration { return max(s.steady, 3*s.intervals().resource) }

// mixedSeed returns the seed of accountsSeed with a zone in each account.
func mixedSeed(n int) simulator.Seed {
	s := accountsSeed(n)
	for i := range s.Accounts {
		s.Accounts[i].Zones = []simulator.SeedZone{onPlan(simulator.PlanEnterprise, mixedZone(i))}
	}
	return s
}

func mixedZone(i int) string { return accountName(i) + ".example" }

// mixed creates the example of every kind in each namespace, waits until all are as
// declared, and then measures an idle time.
func (w *world) mixed(ctx context.Context) error {
	served, err := w.managedKinds(ctx)
	if err != nil {
		return err
	}
	m, err := newMixture("examples", served, w.size.mixed)
	if err != nil {
		return err
	}
	if err := w.configureNamespaces(ctx); err != nil {
		return err
	}
	began := time.Now()
	if err := w.createMixture(ctx, m); err != nil {
		return err
	}
	if err := w.until(ctx, time.Second, "the examples of all kinds are Ready", func(ctx context.Context) (bool, error) { return w.mixtureSettled(ctx, m) }); err != nil {
		return err
	}
	ready, n := time.Since(began), m.managed()*w.size.mixed
	w.table.add(caseMixed, fmt.Sprintf("%d objects of %d kinds in %d accounts, first apply to last Ready", n, len(m.kinds), w.size.mixed), seconds(ready))
	w.table.note(caseMixed, "Set-up: %d objects; all Ready after %s (%.0f/s), with %d calls to Cloudflare.",
		n, seconds(ready), perSecond(n, ready), len(w.requests.between(began, time.Now())))
	// The answer to a write may differ from a list, which the provider does not believe
	// until parent.Lag has passed.
	if err := wait(ctx, parent.Lag+2*w.size.intervals().resource); err != nil {
		return err
	}
	all, err := w.examples(ctx, m)
	if err != nil {
		return err
	}
	expected, err := looks(kinds.All(), all, w.size.intervals())
	if err != nil {
		return err
	}
	w.log.say("[%s] nothing is done for %s", caseMixed, span(w.size.mixedWindow()))
	from, to, err := w.untouched(ctx, w.size.mixedWindow())
	if err != nil {
		return err
	}
	w.judgeMixed(from, to, n, expected)
	return nil
}

func (w *world) judgeMixed(from, to probe, objects int, expected []look) {
	s, t := w.size, &w.table
	cs, window, each := w.requests.between(from.at, to.at), to.at.Sub(from.at), s.intervals().resource
	about := cs.without(call.checks)
	checks := len(cs) - len(about)
	least, most := bounds(expected, window)
	more, missing := beyond(about, least, most)
	t.judge(caseMixed, fmt.Sprintf("calls per %s, %d objects in %d accounts, %s", span(each), objects, s.mixed, span(window.Round(time.Second))),
		fmt.Sprintf("<= %.1f", perInterval(expected, each)),
		fmt.Sprintf("%.1f (%d in all)", float64(len(about))*float64(each)/float64(window), len(about)), len(about) <= total(most))
	t.judge(caseMixed, "calls beyond those that the descriptions say", "0", fmt.Sprint(total(more)), len(more) == 0)
	t.judge(caseMixed, "calls that look for drift and were not made", "0", fmt.Sprint(total(missing)), len(missing) == 0)
	judgeChecks(t, caseMixed, checks, s.mixed, window)
	judgeUntouched(t, caseMixed, from, to, fmt.Sprintf("RSS at %d objects, after %s", objects, span(window.Round(time.Second))))
	t.note(caseMixed, "Too many calls: %s. Too few: %s.", counts(more), counts(missing))
	t.note(caseMixed, "Calls: %s. Kubernetes API requests as the API server counts: %s.", cs.byRoute(), counts(kubeKinds(from, to, nil)))
	t.note(caseMixed, "Reconciles of all kinds: %s. CPU: %s.", reconcilesBy(from, to), cpu(from, to))
}
