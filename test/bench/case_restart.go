// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// again stops the provider and starts it with another --drift-interval. It returns when
// the provider has caught up.
func (w *world) again(ctx context.Context, interval time.Duration) error {
	if err := w.provider.Stop(); err != nil {
		return err
	}
	if err := w.sweeping(ctx, interval); err != nil {
		return err
	}
	if _, err := w.caughtUp(ctx); err != nil {
		return err
	}
	return w.settle(ctx)
}

// caughtUp waits until the provider is ready, has reconciled each Record since its start,
// and has an empty queue. It returns when that was.
func (w *world) caughtUp(ctx context.Context) (at time.Time, err error) {
	n := float64(w.size.records())
	err = w.until(ctx, 200*time.Millisecond, "the provider has caught up", func(ctx context.Context) (bool, error) {
		s, err := scrape(ctx, http.DefaultClient, w.provider.MetricsURL, metricReconciles, metricDepth, metricActive)
		if err != nil {
			return false, err
		}
		at = time.Now()
		return s.sum(metricReconciles, ofRecords) >= n && !busy(s, ofRecords), nil
	})
	return at, err
}

// restart is the case [restart].
func (w *world) restart(ctx context.Context) error {
	n := w.size.records()
	asked := time.Now()
	if err := w.provider.Stop(); err != nil {
		return err
	}
	stopped := time.Since(asked)
	from := probe{}
	var err error
	if from.server, err = scrape(ctx, w.http, w.cfg.Host+"/metrics", metricServer); err != nil {
		return err
	}
	if from.cpu, err = cpuTimes(); err != nil {
		return err
	}
	if err := w.sweeping(ctx, w.size.interval); err != nil {
		return err
	}
	running := time.Since(w.startedAt)
	at, err := w.caughtUp(ctx)
	if err != nil {
		return err
	}
	took := at.Sub(w.startedAt)
	cs := w.requests.between(w.startedAt, at)
	to, err := w.probe(ctx)
	if err != nil {
		return err
	}
	most := 0
	for i := range w.size.zones {
		most = max(most, len(cs.inZone(w.sim.Zones[steadyZone(i)])))
	}
	kinds := kubeKinds(from, to, nil)
	t := &w.table
	t.judge(caseRestart, fmt.Sprintf("start to ready and caught up, %d Records", n), "<= 60 s", seconds(took), took <= time.Minute)
	t.judge(caseRestart, "Cloudflare API calls per zone", "<= 2", fmt.Sprint(most), most <= 2)
	changes := cs.count(call.writes)
	t.judge(caseRestart, "writes to Cloudflare", "0", fmt.Sprint(changes), changes == 0)
	judgeMemory(t, caseRestart, fmt.Sprintf("RSS when caught up, %d Records", n), to.memory, mostRSS)
	t.add(caseRestart, "writes to the Kubernetes API", fmt.Sprint(kubeWrites(kinds)))
	t.note(caseRestart, "The old process ended %s after SIGTERM. The new one's controllers ran after %s. Calls: %s.", seconds(stopped), seconds(running), cs.byRoute())
	t.note(caseRestart, "Kubernetes API requests as the API server counts: %s. CPU: %s.", counts(kinds), cpu(from, to))
	return w.settle(ctx)
}
