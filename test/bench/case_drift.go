// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// spare is how much longer than the interval [drift] allows for a revert.
const spare = 10 * time.Second

// strange is the content that [drift] writes without the provider.
const strange = "203.0.113.77"

// An outsideEdit is the change of one record without the provider.
type outsideEdit struct {
	zone, id string
	at       time.Time
	reverted <-chan time.Time
}

// drift is the case [drift].
func (w *world) drift(ctx context.Context) error {
	edits, err := w.toEdit(ctx)
	if err != nil {
		return err
	}
	if err := w.afterSweep(ctx); err != nil {
		return err
	}
	began := time.Now()
	for i, e := range edits {
		edits[i].at = time.Now()
		if err := w.dashboardEdit(ctx, e.zone, e.id, strange); err != nil {
			return err
		}
	}
	w.log.say("%s: %d records edited outside in %s", w.name, len(edits), seconds(time.Since(began)))
	took, err := w.awaitReverts(ctx, edits)
	if err != nil {
		return err
	}
	return w.judgeDrift(ctx, edits, took, began, time.Now())
}

// toEdit chooses A records to edit, equally many in each zone.
func (w *world) toEdit(ctx context.Context) ([]outsideEdit, error) {
	var edits []outsideEdit
	for i := range w.size.zones {
		ids, err := w.ids(ctx, steadyZone(i))
		if err != nil {
			return nil, err
		}
		for _, j := range withType("A", w.size.perZone)[:max(w.size.outside/w.size.zones, 1)] {
			e := outsideEdit{zone: steadyZone(i), id: ids[record(j).name]}
			e.reverted, _ = w.requests.change(e.id) // listens until this world ends
			edits = append(edits, e)
		}
	}
	return edits, nil
}

// afterSweep waits until a zone has been listed, and 500 ms more for the zones that are
// listed with it. An edit at that moment waits the longest for the next sweep.
func (w *world) afterSweep(ctx context.Context) error {
	listed, stop := w.listed()
	defer stop()
	select {
	case <-listed:
	case <-time.After(2 * w.size.interval):
		return fmt.Errorf("no zone was listed for %s", span(2*w.size.interval))
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-time.After(500 * time.Millisecond):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// listed returns a channel with the ID of a zone that was listed. It drops a list that is
// answered before the last ID was received.
func (w *world) listed() (zones <-chan string, stop func()) {
	lists := make(chan string, 1)
	return lists, w.requests.listen(func(r simulator.LoggedRequest) {
		if c := callOf(r); c.lists() && c.status == http.StatusOK {
			select {
			case lists <- c.zone:
			default:
			}
		}
	})
}

// awaitReverts waits for twice the time that a revert may take.
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
	t.judge(caseDrift, fmt.Sprintf("%d of %d records edited outside: all reverted within", len(edits), w.size.records()), "<= "+span(limit),
		fmt.Sprintf("%s (%d reverted, %d wrong at the end)", seconds(slowest), len(took), wrong), good)
	// The window has as many sweeps as it has intervals, and the one at its start.
	sweeps := int(end.Sub(began)/w.size.interval) + 1
	t.judge(caseDrift, "Cloudflare API calls of the busiest zone meanwhile", fmt.Sprintf("<= %d sweeps + 4", sweeps), fmt.Sprint(most), most <= sweeps+4)
	t.note(caseDrift, "Half were reverted within %s. All calls: %s. The busiest zone's: %s.", seconds(percentile(took, 50)), cs.byRoute(), busiest.byRoute())
	return nil
}
