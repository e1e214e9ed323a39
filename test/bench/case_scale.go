// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// scaleWorlds runs the case [scale]: the same Records with the provider and with the
// plain connector, one size after the other, each run in a world of its own. It writes
// the figures only after every run has ended, because a chart needs all of them.
func (b *bench) scaleWorlds(ctx context.Context) error {
	s := series{
		Date: b.machine.began.UTC().Format(time.DateOnly), Revision: b.machine.revision, Machine: b.machine.name(), Load: loadAverage(),
		IntervalSeconds: b.size.interval.Seconds(),
	}
	b.do(ctx, caseScale, func(ctx context.Context) error {
		for _, n := range b.size.scale {
			for _, c := range connectors() {
				p, err := b.scaleAt(ctx, c, n)
				if err != nil {
					return fmt.Errorf("%s with %d Records: %w", c, n, err)
				}
				b.log.say("[%s] %+v", caseScale, p)
				s.Points = append(s.Points, p)
			}
		}
		b.scaleRows(s)
		return s.write(b.flags.Data)
	})
	return nil
}

// scaleAt creates n Records in a new world, and then counts the calls of an idle time.
func (b *bench) scaleAt(ctx context.Context, connector string, n int) (p point, err error) {
	w, ctx, err := b.newWorld(ctx, fmt.Sprintf("%s-%s-%d", caseScale, connector, n), worldSpec{seed: worldOf(1, onPlan(simulator.PlanPro, zoneMany))})
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, w.stop()) }()
	if err := w.configure(ctx, map[string]string{configMain: w.sim.Tokens[0]}); err != nil {
		return p, err
	}
	if err := w.startConnector(ctx, connector); err != nil {
		return p, err
	}
	c, err := w.createMany(ctx, n, b.size.scaleLimit)
	if err != nil {
		return p, err
	}
	// The calls of the creation are not calls of the idle time.
	if err := wait(ctx, b.size.interval); err != nil {
		return p, err
	}
	from := time.Now()
	if err := wait(ctx, b.size.scaleRest); err != nil {
		return p, err
	}
	return pointOf(connector, c, w.requests.between(from, time.Now()), b.size), nil
}

// startConnector starts the provider or the plain connector with the same drift interval.
func (w *world) startConnector(ctx context.Context, connector string) error {
	if connector == connectorProvider {
		return w.sweeping(ctx, w.size.interval)
	}
	binary, err := filepath.Abs(w.flags.Baseline)
	if err != nil {
		return fmt.Errorf("cannot find the plain connector: %w", err)
	}
	return w.startProvider(ctx, binary, "--poll", w.size.interval.String())
}

// pointOf returns the figures of one run. A run that was cut has no time to the last
// Ready.
func pointOf(connector string, c creation, rest calls, s size) point {
	perMinute := float64(time.Minute) / float64(s.scaleRest)
	p := point{
		Connector: connector, Records: c.n, Ready: c.ready,
		CallsPerMinute:   float64(len(rest)) * perMinute,
		RefusedPerMinute: float64(rest.throttled()) * perMinute,
	}
	if c.cut {
		p.CutAfterSeconds = s.scaleLimit.Seconds()
	} else {
		p.SecondsToReady = c.took.Seconds()
	}
	return p
}

// scaleRows adds the figures of a series to the table, with the plain connector as the baseline.
func (b *bench) scaleRows(s series) {
	t := &b.table
	for i := 0; i+1 < len(s.Points); i += len(connectors()) {
		own, plain := s.Points[i], s.Points[i+1]
		t.rows = append(t.rows,
			row{caseScale, fmt.Sprintf("%d Records, first apply to last Ready", own.Records), "", own.readiness(), plain.readiness()},
			row{caseScale, fmt.Sprintf("Cloudflare API calls per minute at rest, %d Records", own.Records), "", own.rest(), plain.rest()})
	}
	t.note(caseScale, "Load average of the machine before the case: %.2f. Calls at rest: counted for %s, %s after the last Ready or the cut; both look for drift every %s.",
		s.Load, span(b.size.scaleRest), span(b.size.interval), span(b.size.interval))
}

// readiness describes how long the creation took, or when it was cut.
func (p point) readiness() string {
	if p.SecondsToReady == 0 {
		return fmt.Sprintf("cut after %.0f s: %d Ready", p.CutAfterSeconds, p.Ready)
	}
	return seconds(time.Duration(p.SecondsToReady * float64(time.Second)))
}

// rest describes how many calls the idle time had, and how many of them were refused.
func (p point) rest() string {
	if p.RefusedPerMinute == 0 {
		return fmt.Sprintf("%.1f", p.CallsPerMinute)
	}
	return fmt.Sprintf("%.1f, %.1f of them answered 429", p.CallsPerMinute, p.RefusedPerMinute)
}

// loadAverage returns the load average of the last minute, 0 if it is unknown.
func loadAverage() float64 {
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	var load float64
	if _, err := fmt.Fscan(strings.NewReader(string(raw)), &load); err != nil {
		return 0
	}
	return load
}
