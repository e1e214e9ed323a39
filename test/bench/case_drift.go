// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// spare is what [drift] allows beyond the interval.
const spare = 10 * time.Second

// strange is the content that somebody writes outside of the cluster.
const strange = "203.0.113.77"

// An outsideEdit is one record that was changed behind the provider's back.
type outsideEdit struct {
	zone, id, content string // what it was
	at                time.Time
	reverted          <-chan time.Time
}

// drift is the case [drift].
func (w *world) drift(ctx context.Context) error {
	var edits []outsideEdit
	per := max(w.size.outside/w.size.zones, 1)
	began := time.Now()
	for i := range w.size.zones {
		ids, err := w.ids(ctx, steadyZone(i))
		if err != nil {
			return err
		}
		for _, j := range withType("A", w.size.perZone)[:per] {
			e := outsideEdit{zone: steadyZone(i), id: ids[record(j).name], content: record(j).content, at: time.Now()}
			var stop func()
			e.reverted, stop = w.requests.change(e.id)
			defer stop()
			if err := w.dashboardEdit(ctx, e.zone, e.id, strange); err != nil {
				return err
			}
			edits = append(edits, e)
		}
	}
	w.log.say("%s: %d records edited outside in %s", w.name, len(edits), seconds(time.Since(began)))
	took, err := w.awaitReverts(ctx, edits)
	if err != nil {
		return err
	}
	end := time.Now()
	return w.judgeDrift(ctx, edits, took, began, end)
}

// awaitReverts waits for as long as twice what is allowed.
func (w *world) awaitReverts(ctx context.Context, edits []outsideEdit) ([]time.Duration, error) {
	var took []time.Duration
	timeout := time.After(2 * (w.size.interval + spare))
	for _, e := range edits {
		select {
		case at := <-e.reverted:
			took = append(took, at.Sub(e.at))
		case <-timeout:
			return took, nil
		case <-ctx.Done():
			return took, context.Cause(ctx)
		}
	}
	return took, nil
}

func (w *world) judgeDrift(ctx context.Context, edits []outsideEdit, took []time.Duration, began, end time.Time) error {
	wrong := 0
	cs := w.requests.between(began, end)
	most, busiest := 0, calls{}
	for i := range w.size.zones {
		zone := steadyZone(i)
		live, err := w.records(ctx, zone)
		if err != nil {
			return err
		}
		for _, r := range live {
			if strings.Contains(r.Content, strange) {
				wrong++
			}
		}
		if n := cs.inZone(w.sim.Zones[zone]); len(n) > most {
			most, busiest = len(n), n
		}
	}
	limit := w.size.interval + spare
	slowest := percentile(took, 100)
	good := len(took) == len(edits) && wrong == 0 && slowest <= limit
	t := &w.table
	t.judge(caseDrift, fmt.Sprintf("%d of %d records edited outside: all reverted within", len(edits), w.size.records()), "<= "+seconds(limit),
		fmt.Sprintf("%s (%d reverted, %d wrong at the end)", seconds(slowest), len(took), wrong), good)
	// As many sweeps as the interval goes into the window, and the one it begins with.
	sweeps := int(end.Sub(began)/w.size.interval) + 1
	t.judge(caseDrift, "Cloudflare API calls of the busiest zone meanwhile", fmt.Sprintf("<= %d sweeps + 4", sweeps), fmt.Sprint(most), most <= sweeps+4)
	t.note(caseDrift, "Half were reverted within %s. All calls: %s. The busiest zone's: %s.", seconds(percentile(took, 50)), cs.byRoute(), busiest.byRoute())
	return nil
}
