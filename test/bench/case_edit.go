// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	groupEditBurst = "burst"
	// editPatience is the time after which an edit counts as missed.
	editPatience = time.Minute
	// editTarget is the time within which an edit has to reach Cloudflare.
	editTarget = 2 * time.Second
)

// edits counts edits of users, with the time that each took to reach Cloudflare.
type edits struct {
	mu     sync.Mutex
	took   []time.Duration
	missed int
}

// edit makes one edit and waits until the simulator has carried it out. It measures the
// time from before the request to the Kubernetes API.
func (w *world) edit(ctx context.Context, es *edits, object, content string) error {
	made, stop := w.requests.change(content)
	defer stop()
	began := time.Now()
	if err := w.setContent(ctx, object, content); err != nil {
		return err
	}
	timer := time.NewTimer(editPatience)
	defer timer.Stop()
	select {
	case at := <-made:
		es.mu.Lock()
		defer es.mu.Unlock()
		es.took = append(es.took, at.Sub(began))
	case <-timer.C:
		es.mu.Lock()
		defer es.mu.Unlock()
		es.missed++
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// editable returns the n-th Record to edit in a zone. It is a TXT record, because its
// content can be distinguished from all others.
func (w *world) editable(zone, n int) string {
	texts := withType("TXT", w.size.perZone)
	return objectName(steadyGroup(zone), texts[n%len(texts)])
}

// editSweeps is the first half of the case [edit]. It makes each edit when the simulator
// answers a list of the same zone. A short interval makes enough sweeps.
func (w *world) editSweeps(ctx context.Context) error {
	if err := w.again(ctx, w.size.editInterval); err != nil {
		return err
	}
	lists, stop := w.listed()
	defer stop()
	numbers := map[string]int{}
	for i := range w.size.zones {
		numbers[w.sim.Zones[steadyZone(i)]] = i
	}
	es, began := &edits{}, time.Now()
	g, gctx := errgroup.WithContext(ctx)
	for made := 0; made < w.size.edits; {
		select {
		case id := <-lists:
			i, ok := numbers[id]
			if !ok {
				continue
			}
			object, content := w.editable(i, made), fmt.Sprintf("bench-sweep-edit-%05d", made)
			g.Go(func() error { return w.edit(gctx, es, object, content) })
			made++
		case <-time.After(2 * w.size.interval):
			return fmt.Errorf("no zone was listed for %s", span(2*w.size.interval))
		case <-gctx.Done():
			return g.Wait()
		}
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("cannot edit: %w", err)
	}
	w.judgeEdits("during sweeps", es)
	w.table.note(caseEdit, "During sweeps: each edit was sent while a list of its zone was being answered; --drift-interval=%s for this half. Calls: %s.",
		span(w.size.editInterval), w.requests.between(began, time.Now()).byRoute())
	return nil
}

// editBurst is the second half: it makes edits at even distances while many Records are
// created.
func (w *world) editBurst(ctx context.Context) error {
	if !w.flags.wants(caseRestart) {
		if err := w.again(ctx, w.size.interval); err != nil {
			return err
		}
	}
	s := w.size
	g, gctx := errgroup.WithContext(ctx)
	began := time.Now()
	g.Go(func() error {
		return w.apply(gctx, objects(groupEditBurst, w.sim.Zones[zoneBurst], configMain, s.burst))
	})
	// At 100 Records a second, the last edit comes at four fifths of the burst.
	tick := time.NewTicker(time.Duration(s.burst) * time.Second / 100 * 4 / 5 / time.Duration(s.edits))
	defer tick.Stop()
	es, within := &edits{}, 0
	for i := range s.edits {
		select {
		case <-tick.C:
		case <-gctx.Done():
			return g.Wait()
		}
		if ready, _ := w.ready.of(groupEditBurst); ready < s.burst {
			within++
		}
		g.Go(func() error {
			return w.edit(gctx, es, w.editable(i%s.zones, s.edits+i), fmt.Sprintf("bench-burst-edit-%05d", i))
		})
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("cannot edit: %w", err)
	}
	ready, last := w.ready.of(groupEditBurst)
	w.judgeEdits(fmt.Sprintf("during %d creations", s.burst), es)
	w.table.note(caseEdit, "During creations: %d of %d edits were sent while Records of the burst were not Ready yet. When the last edit was made %d of %d were Ready (the last after %s). Calls: %s.",
		within, s.edits, ready, s.burst, seconds(max(last.Sub(began), 0)), w.requests.between(began, time.Now()).byRoute())
	return nil
}

func (w *world) judgeEdits(when string, es *edits) {
	n := len(es.took) + es.missed
	p99 := percentile(es.took, 99)
	reached := fmt.Sprintf("%s (p50 %s, max %s)", seconds(p99), seconds(percentile(es.took, 50)), seconds(percentile(es.took, 100)))
	if es.missed > 0 {
		reached = fmt.Sprintf("%d not at all within %s; the others: %s", es.missed, span(editPatience), reached)
	}
	w.table.judge(caseEdit, fmt.Sprintf("p99 of %d edits %s", n, when), "<= "+span(editTarget), reached, es.missed == 0 && p99 <= editTarget)
}
