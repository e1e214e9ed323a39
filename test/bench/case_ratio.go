// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// leastRatio is the least part of the minimal creator's rate that the provider has to
// reach.
const leastRatio = 0.95

// A pace is what one run of [ratio] measured of one process.
type pace struct {
	rate     float64       // Ready objects a second
	server   time.Duration // CPU time of kube-apiserver for each of them
	requests float64       // to the Kubernetes API, for each of them
	bytes    int           // of an object in the end, on average
}

// paces are those of one process in several runs.
type paces []pace

// values returns one measure of all runs.
func (ps paces) values(of func(pace) float64) []float64 {
	out := make([]float64, 0, len(ps))
	for _, p := range ps {
		out = append(out, of(p))
	}
	return out
}

func (p pace) perSecond() float64    { return p.rate }
func (p pace) serverMillis() float64 { return float64(p.server) / float64(time.Millisecond) }
func (p pace) perRecord() float64    { return p.requests }
func (p pace) size() float64         { return float64(p.bytes) }

// turns returns the order of the runs of [ratio]: true is a run of the provider. Each of
// them is between two runs of the minimal creator, so that a machine that becomes slower
// or faster favours neither.
func turns(rounds int) []bool {
	out := []bool{false}
	for range rounds {
		out = append(out, true, false)
	}
	return out
}

// ratioWorlds runs [ratio], each of its runs in a world of its own.
func (b *bench) ratioWorlds(ctx context.Context) error {
	b.do(ctx, caseRatio, b.ratio)
	return nil
}

// ratio is the case [ratio].
func (b *bench) ratio(ctx context.Context) error {
	var ours, fewest paces
	for i, own := range turns(b.size.rounds) {
		p, err := b.pace(ctx, fmt.Sprintf("ratio-%d", i+1), own)
		if err != nil {
			return err
		}
		b.log.say("ratio: the provider: %t; %.1f/s, kube-apiserver %.1f ms each", own, p.rate, p.serverMillis())
		if own {
			ours = append(ours, p)
		} else {
			fewest = append(fewest, p)
		}
	}
	b.table.judgeRatio(b.size.create, ours, fewest)
	return nil
}

// judgeRatio compares the provider's runs with those of the minimal creator.
func (t *table) judgeRatio(n int, ours, fewest paces) {
	beside := func(of func(pace) float64, format string) string {
		return fmt.Sprintf("the provider %s, the fewest requests %s", spread(ours.values(of), format), spread(fewest.values(of), format))
	}
	r := ratioOf(ours, fewest)
	shown := math.Floor(r*100) / 100 // Rounded up, a missed target could look met.
	t.judge(caseRatio, fmt.Sprintf("creations a second of %d, as a part of those with the fewest requests", n), fmt.Sprintf(">= %.2f (goal 1.00)", leastRatio),
		fmt.Sprintf("%.2f (%s)", shown, beside(pace.perSecond, "%.1f/s")), r >= leastRatio)
	t.add(caseRatio, "CPU of kube-apiserver per creation", beside(pace.serverMillis, "%.1f ms"))
	t.add(caseRatio, "Kubernetes API requests per Record", beside(pace.perRecord, "%.2f"))
	t.note(caseRatio, "The runs were in turn, from and to the fewest requests, %d in all, each in a control plane of its own. A range is the lowest and the highest run.", len(ours)+len(fewest))
	t.note(caseRatio, "Bytes of a Record that is Ready, as the API server sends it: %s.", beside(pace.size, "%.0f"))
}

// ratioOf returns the provider's mean rate divided by that of the minimal creator, 0 if
// either was not measured.
func ratioOf(ours, fewest paces) float64 {
	of := mean(fewest.values(pace.perSecond))
	if of == 0 {
		return 0
	}
	return mean(ours.values(pace.perSecond)) / of
}

// pace creates the Records of [create] in a new world, with the provider or with the
// minimal creator.
func (b *bench) pace(ctx context.Context, name string, own bool) (p pace, err error) {
	w, ctx, err := b.newWorld(ctx, name, worldSpec{seed: worldOf(1, onPlan(simulator.PlanPro, zoneMany))})
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, w.stop()) }()
	if err := w.configure(ctx, map[string]string{configMain: w.sim.Tokens[0]}); err != nil {
		return p, err
	}
	if err := w.startPace(ctx, own); err != nil {
		return p, err
	}
	c, err := w.createMany(ctx, b.size.create, b.size.createLimit)
	if err != nil {
		return p, err
	}
	if c.cut {
		return p, fmt.Errorf("not all Records became Ready: %s", c.stood())
	}
	p = pace{
		rate:     perSecond(c.ready, c.took),
		server:   (c.to.cpu["kube-apiserver"] - c.from.cpu["kube-apiserver"]) / time.Duration(c.ready),
		requests: float64(kubeRequests(c.from, c.to, nil)) / float64(c.ready),
	}
	p.bytes, err = w.bytesOfRecords(ctx)
	return p, err
}

func (w *world) startPace(ctx context.Context, own bool) error {
	if own {
		return w.ours(ctx, "--max-batch", strconv.Itoa(w.size.maxBatch))
	}
	binary, err := filepath.Abs(w.flags.Minimal)
	if err != nil {
		return fmt.Errorf("cannot find the program with the fewest requests: %w", err)
	}
	return w.startProvider(ctx, binary)
}

// bytesOfRecords returns the average size of a Record. It reads the first ninety, because
// types and comments repeat every thirty.
func (w *world) bytesOfRecords(ctx context.Context) (int, error) {
	const n = 90
	u, err := url.JoinPath(w.cfg.Host, "apis", v1alpha1.Group, v1alpha1.Version, "namespaces", namespace, strings.ToLower(v1alpha1.RecordKind)+"s")
	if err != nil {
		return 0, fmt.Errorf("cannot measure the Records: %w", err)
	}
	body, err := get(ctx, w.http, fmt.Sprintf("%s?limit=%d", u, n))
	if err != nil {
		return 0, fmt.Errorf("cannot measure the Records: %w", err)
	}
	defer func() { _ = body.Close() }() // for reading only
	size, err := io.Copy(io.Discard, body)
	if err != nil {
		return 0, fmt.Errorf("cannot measure the Records: %w", err)
	}
	return int(size) / n, nil
}
