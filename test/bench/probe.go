// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// A probe is the set of measurements at one moment.
type probe struct {
	at               time.Time
	provider, server samples
	cpu              map[string]time.Duration
	memory           memory
}

func (w *world) probe(ctx context.Context) (probe, error) {
	var (
		p   = probe{at: time.Now()}
		err error
	)
	if p.cpu, err = cpuTimes(); err != nil {
		return p, err
	}
	if p.memory, err = memoryOf(w.provider.PID()); err != nil {
		return p, err
	}
	p.provider, err = scrape(ctx, http.DefaultClient, w.provider.MetricsURL, metricReconciles, metricDepth, metricActive, metricKube, metricCalls)
	if err != nil {
		return p, err
	}
	p.server, err = scrape(ctx, w.http, w.cfg.Host+"/metrics", metricServer)
	return p, err
}

// untouched returns the probes before and after an idle time.
func (w *world) untouched(ctx context.Context, d time.Duration) (from, to probe, err error) {
	if from, err = w.probe(ctx); err != nil {
		return from, to, err
	}
	if err := wait(ctx, time.Until(from.at.Add(d))); err != nil {
		return from, to, err
	}
	to, err = w.probe(ctx)
	return from, to, err
}

// kubeRequests returns the requests that the provider's own client counted between two
// probes.
func kubeRequests(from, to probe, match func(map[string]string) bool) int {
	return to.provider.since(from.provider, metricKube, match)
}

// kubeKinds returns the requests that the API server counted between two probes for the
// resources that a provider uses, without this program's own.
func kubeKinds(from, to probe, own map[string]int) map[string]int {
	out := map[string]int{}
	for sign, s := range map[int]samples{-1: from.server, 1: to.server} {
		for _, x := range s[metricServer] {
			if k, ok := kubeKind(x.labels); ok {
				out[k] += sign * int(x.value)
			}
		}
	}
	for k, n := range own {
		out[k] -= n
	}
	maps.DeleteFunc(out, func(_ string, n int) bool { return n == 0 })
	return out
}

// kubeKind returns "VERB resource/subresource", and whether it is a request that a
// provider makes.
func kubeKind(l map[string]string) (string, bool) {
	r := l["resource"]
	if l["verb"] == "WATCH" { // A watch is counted when it ends, and this program watches as well.
		return "", false
	}
	if !strings.HasSuffix(l["group"], "cloudflare.m.crossplane.io") && !slices.Contains([]string{"configmaps", "events", "secrets", "selfsubjectaccessreviews"}, r) {
		return "", false
	}
	if l["subresource"] != "" {
		r += "/" + l["subresource"]
	}
	return l["verb"] + " " + r, true
}

// journalWrites returns how many of these requests change the journal of creations, which
// is in ConfigMaps.
func journalWrites(kinds map[string]int) int {
	journal := maps.Clone(kinds)
	maps.DeleteFunc(journal, func(k string, _ int) bool { return !strings.HasSuffix(k, " configmaps") })
	return kubeWrites(journal)
}

// kubeWrites returns how many of these requests change an object of a Cloudflare kind, a
// ConfigMap or an event.
func kubeWrites(kinds map[string]int) int {
	n := 0
	for k, count := range kinds {
		verb, resource, _ := strings.Cut(k, " ")
		if writes(map[string]string{"verb": verb}) && resource != "selfsubjectaccessreviews" {
			n += count
		}
	}
	return n
}

// cpu describes the CPU time that each process took between two probes.
func cpu(from, to probe) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(to.cpu)) {
		parts = append(parts, fmt.Sprintf("%s %.1f s", name, (to.cpu[name]-from.cpu[name]).Seconds()))
	}
	return strings.Join(parts, ", ")
}
