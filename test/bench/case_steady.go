// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const groupSteady = "steady"

func steadyZone(i int) string { return fmt.Sprintf("z%02d.example", i) }

// steadyGroup returns the group of the Records of one zone.
func steadyGroup(i int) string { return fmt.Sprintf("%s-%02d", groupSteady, i) }

// dnsCRDs returns the CRDs of a cluster that has activated Record and Zone, and no other
// kind.
func dnsCRDs() []string {
	return []string{
		"cloudflare.m.crossplane.io_clusterproviderconfigs.yaml",
		"cloudflare.m.crossplane.io_providerconfigs.yaml",
		"cloudflare.m.crossplane.io_providerconfigusages.yaml",
		"dns.cloudflare.m.crossplane.io_records.yaml",
		"zone.cloudflare.m.crossplane.io_zones.yaml",
	}
}

// steadyWorld runs the cases that need many Records in many zones. Only Record and Zone are
// active: [idle] has all kinds.
func (b *bench) steadyWorld(ctx context.Context) (err error) {
	zones := []simulator.SeedZone{onPlan(simulator.PlanPro, zoneBurst)}
	for i := range b.size.zones {
		z := onPlan(simulator.PlanBusiness, steadyZone(i))
		for j := range b.size.perZone {
			z.Records = append(z.Records, record(j).body())
		}
		zones = append(zones, z)
	}
	w, ctx, err := b.newWorld(ctx, groupSteady, worldSpec{seed: worldOf(1, zones...), crds: dnsCRDs()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.stop()) }()
	if err := w.configure(ctx, map[string]string{configMain: w.sim.Tokens[0]}); err != nil {
		return err
	}
	if err := w.sweeping(ctx, b.size.interval); err != nil {
		return err
	}
	b.do(ctx, caseMemory, w.idleMemory)
	settledAt, err := w.adoptAll(ctx)
	if err != nil {
		return fmt.Errorf("cannot set up the Records: %w", err)
	}
	if b.flags.wants(caseSteady, caseMemory) {
		if err := w.nothing(ctx, settledAt); err != nil {
			return err
		}
	}
	b.do(ctx, caseDrift, w.drift)
	b.do(ctx, caseEdit, w.editSweeps)
	b.do(ctx, caseRestart, w.restart)
	b.do(ctx, caseEdit, w.editBurst)
	return nil
}

// sweeping starts the provider with that --drift-interval.
func (w *world) sweeping(ctx context.Context, interval time.Duration) error {
	return w.ours(ctx, "--drift-interval", interval.String(), "--max-batch", fmt.Sprint(w.size.maxBatch))
}

// The most memory that the provider may use, without Records and with those of the full
// run.
const (
	mostIdleRSS = 60e6
	mostRSS     = 200e6
)

// judgeMemory compares a process's memory with the most that it may use.
func judgeMemory(t *table, kind, measure string, m memory, most int64) {
	t.judge(kind, measure, "<= "+megabytes(most), fmt.Sprintf("%s (peak %s)", megabytes(m.resident), megabytes(m.peak)), m.resident <= most)
}

// idleMemory is the first half of the case [memory].
func (w *world) idleMemory(ctx context.Context) error {
	if err := wait(ctx, w.size.idle); err != nil {
		return err
	}
	m, err := memoryOf(w.provider.PID())
	if err != nil {
		return err
	}
	judgeMemory(&w.table, caseMemory, fmt.Sprintf("RSS with Record and Zone active and no object, after %s", span(w.size.idle)), m, mostIdleRSS)
	return nil
}

// adoptAll makes a Record for each existing record, and waits until the provider is idle.
// It returns when that was. It is the case [adopt], and the set-up of others.
func (w *world) adoptAll(ctx context.Context) (time.Time, error) {
	began := time.Now()
	for i := range w.size.zones {
		ids, err := w.ids(ctx, steadyZone(i))
		if err != nil {
			return began, err
		}
		if err := w.apply(ctx, identified(steadyGroup(i), w.sim.Zones[steadyZone(i)], configMain, ids)); err != nil {
			return began, err
		}
	}
	n := w.size.records()
	w.log.say("%s: %d Records applied in %s", w.name, n, seconds(time.Since(began)))
	ready, last, err := w.waitReady(ctx, groupSteady, n, w.size.patience)
	if err != nil {
		return began, err
	}
	if ready < n {
		return began, fmt.Errorf("only %d of %d Records are Ready after %s", ready, n, span(w.size.patience))
	}
	if err := w.settle(ctx); err != nil {
		return began, err
	}
	w.log.say("%s: set up in %s", w.name, seconds(time.Since(began)))
	if w.flags.wants(caseAdopt) {
		w.judgeAdoption(last.Sub(began), w.requests.between(began, time.Now()))
	}
	return time.Now(), nil
}

// The limits of adopting the records of the full run. The calls are two lists of each
// zone, and those of the sweeps during that time.
const (
	mostAdoptionCalls = 40
	mostAdoptionTime  = 3 * time.Minute
)

func (w *world) judgeAdoption(took time.Duration, cs calls) {
	n, t := w.size.records(), &w.table
	t.judge(caseAdopt, fmt.Sprintf("%d Records that exist, first apply to last Ready", n), "<= "+span(mostAdoptionTime),
		fmt.Sprintf("%s (%.0f/s)", seconds(took), perSecond(n, took)), took <= mostAdoptionTime)
	t.judge(caseAdopt, fmt.Sprintf("Cloudflare API calls, in %d zones", w.size.zones), fmt.Sprintf("<= %d", mostAdoptionCalls),
		fmt.Sprint(len(cs)), len(cs) <= mostAdoptionCalls)
	changed := cs.count(call.writes)
	t.judge(caseAdopt, "writes to Cloudflare", "0", fmt.Sprint(changed), changed == 0)
	t.note(caseAdopt, "Calls: %s.", cs.byRoute())
}

// nothing is the case [steady], and the second half of [memory]: it measures an idle
// time.
func (w *world) nothing(ctx context.Context, settledAt time.Time) error {
	w.log.say("[%s] begins: nothing is done for %s", caseSteady, span(w.size.steady))
	from, to, err := w.untouched(ctx, w.size.steady)
	if err != nil {
		return err
	}
	if w.flags.wants(caseSteady) {
		w.judgeSteady(from, to, expectedPolls(w.size.records(), from.at.Sub(settledAt), to.at.Sub(settledAt)))
	}
	if w.flags.wants(caseMemory) {
		judgeMemory(&w.table, caseMemory, fmt.Sprintf("RSS at %d Records, after %s", w.size.records(), span(w.size.steady)), to.memory, mostRSS)
	}
	return nil
}

func (w *world) judgeSteady(from, to probe, polls float64) {
	cs := w.requests.between(from.at, to.at)
	s, t := w.size, &w.table
	window := to.at.Sub(from.at)
	sweeps := float64(window) / float64(s.interval)

	most, lists := 0, cs.count(call.lists)
	for i := range s.zones {
		most = max(most, cs.inZone(w.sim.Zones[steadyZone(i)]).count(call.lists))
	}
	// If the window is no multiple of the interval, or begins right before a sweep, it
	// has one sweep more than it has intervals.
	t.judge(caseSteady, fmt.Sprintf("list pages per zone and %s, %d Records in %d zones, %s", span(s.interval), s.records(), s.zones, span(s.steady)), "<= 1",
		fmt.Sprintf("%.2f (at most %d in %s)", float64(lists)/float64(s.zones)/sweeps, most, span(s.steady)), float64(most) <= sweeps+1)
	checks := cs.count(call.checks)
	judgeChecks(t, caseSteady, checks, 1, s.steady)
	other := len(cs) - lists - checks
	t.judge(caseSteady, "other Cloudflare API calls", "0", fmt.Sprint(other), other == 0)
	kinds := kubeKinds(from, to, nil)
	changes := kubeRequests(from, to, writes)
	t.judge(caseSteady, "writes to the Kubernetes API", "0", fmt.Sprint(changes), changes == 0)
	reconciles := to.provider.since(from.provider, metricReconciles, ofRecords)
	t.judge(caseSteady, "reconciles of Records beyond the backstop", "0",
		fmt.Sprintf("%d (%.0f polls expected)", max(reconciles-int(polls+0.5), 0), polls), float64(reconciles) <= polls*1.1)
	t.note(caseSteady, "Calls: %s. Kubernetes API requests as the API server counts: %s.", cs.byRoute(), counts(kinds))
	t.note(caseSteady, "Reconciles of all kinds: %s. CPU: %s.", reconcilesBy(from, to), cpu(from, to))
}

// reconcilesBy returns the number of reconciles between two probes, by controller.
func reconcilesBy(from, to probe) string {
	n := map[string]int{}
	for _, s := range to.provider[metricReconciles] {
		n[s.labels["controller"]] = 0
	}
	for _, name := range slices.Collect(maps.Keys(n)) {
		n[name] = to.provider.since(from.provider, metricReconciles, func(l map[string]string) bool { return l["controller"] == name })
	}
	return counts(n)
}
