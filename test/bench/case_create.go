// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"time"
)

// groupCreate is the group of the Records of [create] and its baseline.
const groupCreate = "create"

// A creation is the result of applying Records together.
type creation struct {
	n, ready int
	took     time.Duration // to the last Ready, or until it was cut
	applied  time.Duration // to the end of the last apply
	cut      bool
	calls    calls
	from, to probe // to is read at the last Ready, or at the cut
}

// createMany applies n Records to the zone and waits until all are Ready, at most for
// limit.
func (w *world) createMany(ctx context.Context, n int, limit time.Duration) (creation, error) {
	c := creation{n: n}
	var err error
	if c.from, err = w.probe(ctx); err != nil {
		return c, err
	}
	began := time.Now()
	if err := w.apply(ctx, objects(groupCreate, w.sim.Zones[zoneMany], configMain, n)); err != nil {
		return c, err
	}
	c.applied = time.Since(began)
	w.log.say("%s: %d Records applied in %s", w.name, n, seconds(c.applied))
	ready, last, err := w.waitReady(ctx, groupCreate, n, limit-c.applied)
	if err != nil {
		return c, err
	}
	if c.ready, c.cut = ready, ready < n; c.cut {
		last = time.Now()
	}
	c.took = last.Sub(began)
	c.calls = w.requests.between(began, last)
	c.to, err = w.probe(ctx)
	return c, err
}

// stood describes the state of a creation when it was cut.
func (c creation) stood() string {
	return fmt.Sprintf("cut after %s: %d of %d Ready, %d calls, %d of them answered 429", seconds(c.took), c.ready, c.n, len(c.calls), c.calls.throttled())
}

// The measures of [create] that the baseline has, too.
func measureCalls(n int) string { return fmt.Sprintf("Cloudflare API calls for %d Records", n) }
func measureRate(n int) string  { return fmt.Sprintf("%d Records, first apply to last Ready", n) }

const (
	measureKube      = "Kubernetes API requests per Record"
	measureConflicts = "conflicts (409)"
	measureJournal   = "writes to the journal of creations per 1,000 Records"
	measureCPU       = "CPU of the provider"
	measureRSS       = "RSS of the provider"
)

// rate describes how fast the creation was.
func (c creation) rate() string {
	return fmt.Sprintf("%.1f/s (%s)", perSecond(c.ready, c.took), seconds(c.took))
}

func (c creation) kube(end probe) string {
	return fmt.Sprintf("%.2f", float64(kubeRequests(c.from, end, nil))/float64(max(c.ready, 1)))
}

func (c creation) cpu(name string) string {
	return fmt.Sprintf("%.1f s", (c.to.cpu[name] - c.from.cpu[name]).Seconds())
}

func (c creation) rss() string {
	return fmt.Sprintf("%s (peak %s)", megabytes(c.to.memory.resident), megabytes(c.to.memory.peak))
}

// create is the case [create].
func (w *world) create(ctx context.Context) error {
	n := w.size.create
	c, err := w.createMany(ctx, n, w.size.createLimit)
	if err != nil {
		return err
	}
	end := c.to
	t := &w.table
	if c.cut {
		t.judge(caseCreate, measureCalls(n), "<= 80", c.stood(), false)
		t.judge(caseCreate, measureRate(n), ">= 90/s (goal 120/s)", "not all Ready: "+c.rate(), false)
	} else {
		if err := w.settle(ctx); err != nil {
			return err
		}
		if end, err = w.probe(ctx); err != nil {
			return err
		}
		t.judge(caseCreate, measureCalls(n), "<= 80", fmt.Sprint(len(c.calls)), len(c.calls) <= 80)
		t.judge(caseCreate, measureRate(n), ">= 90/s (goal 120/s)", c.rate(), perSecond(n, c.took) >= 90)
	}
	t.add(caseCreate, measureKube, c.kube(end))
	t.add(caseCreate, measureConflicts, fmt.Sprint(kubeRequests(c.from, end, conflicts)))
	t.add(caseCreate, measureJournal, fmt.Sprintf("%.1f", 1000*float64(journalWrites(kubeKinds(c.from, end, nil)))/float64(max(c.ready, 1))))
	t.add(caseCreate, measureCPU, c.cpu("provider"))
	t.add(caseCreate, measureRSS, c.rss())

	t.note(caseCreate, "%d parallel creators had applied all after %s. At most %d changes in a batch.", creators, seconds(c.applied), w.size.maxBatch)
	t.note(caseCreate, "Calls until the last Ready: %s. %s", c.calls.byRoute(), c.calls.batches())
	t.note(caseCreate, "Kubernetes API requests until the provider was at rest, by its own count: %d, of them %d changes. As the API server counts, without the applies: %s.",
		kubeRequests(c.from, end, nil), kubeRequests(c.from, end, writes),
		counts(kubeKinds(c.from, end, map[string]int{"POST records": n})))
	t.note(caseCreate, "CPU until the last Ready: %s.", cpu(c.from, c.to))
	own, seen := int(end.provider.sum(metricCalls, nil)), len(w.requests.between(w.startedAt, end.at))
	t.note(caseCreate, "Cross-check: since its start the provider counts %d calls to Cloudflare, the simulator %d.", own, seen)
	return nil
}

// baseline is [create] with the plain connector.
func (w *world) baseline(ctx context.Context) error {
	n := w.size.create
	c, err := w.createMany(ctx, n, w.size.baselineLimit)
	if err != nil {
		return err
	}
	t := &w.table
	if c.cut {
		t.compare(measureCalls(n), c.stood())
	} else {
		t.compare(measureCalls(n), fmt.Sprint(len(c.calls)))
	}
	t.compare(measureRate(n), c.rate())
	t.compare(measureKube, c.kube(c.to))
	t.compare(measureConflicts, fmt.Sprint(kubeRequests(c.from, c.to, conflicts)))
	t.compare(measureCPU, c.cpu(w.provider.Name()))
	t.compare(measureRSS, c.rss())
	t.note(caseBaseline, "Calls: %s.", c.calls.byRoute())
	t.note(caseBaseline, "Kubernetes API requests by its own count: %d. As the API server counts, without the applies: %s.",
		kubeRequests(c.from, c.to, nil), counts(kubeKinds(c.from, c.to, map[string]int{"POST records": n})))
	t.note(caseBaseline, "CPU: %s.", cpu(c.from, c.to))
	return nil
}
