// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// Metrics show how writes are grouped and how zones are swept. A nil *Metrics
// measures nothing.
type Metrics struct {
	operations prometheus.Histogram
	bisections prometheus.Counter
	wait       prometheus.Histogram
	sweeps     *prometheus.CounterVec
}

// These are the results of sweeps, as values of labels.
const (
	sweepOK    = "ok"
	sweepError = "error"
)

// NewMetrics makes Metrics and registers them with reg.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	m := &Metrics{
		operations: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "cloudflare_dns_write_operations",
			Help:    "Operations in each call that writes DNS records.",
			Buckets: []float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 3500},
		}),
		bisections: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "cloudflare_dns_write_bisections_total",
			Help: "Calls of several operations that were refused and bisected to find those at fault.",
		}),
		wait: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "cloudflare_dns_write_wait_seconds",
			Help:    "Time that a write waited until its call was sent.",
			Buckets: []float64{.001, .005, .01, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}),
		sweeps: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cloudflare_dns_sweeps_total",
			Help: "Lists of zones that looked for drift, by result (ok, error).",
		}, []string{"result"}),
	}
	for _, result := range []string{sweepOK, sweepError} {
		m.sweeps.WithLabelValues(result) // The counter begins at 0.
	}
	reg.MustRegister(m.operations, m.bisections, m.wait, m.sweeps)
	return m
}

func (m *Metrics) called(operations int) {
	if m != nil {
		m.operations.Observe(float64(operations))
	}
}

func (m *Metrics) bisected() {
	if m != nil {
		m.bisections.Inc()
	}
}

func (m *Metrics) waited(group []*pendingWrite, now time.Time) {
	if m == nil {
		return
	}
	for _, w := range group {
		m.wait.Observe(now.Sub(w.at).Seconds())
	}
}

func (m *Metrics) swept(err error) {
	switch {
	case m == nil:
	case err != nil:
		m.sweeps.WithLabelValues(sweepError).Inc()
	default:
		m.sweeps.WithLabelValues(sweepOK).Inc()
	}
}

// A Collector collects the present state of a Pool. It is a prometheus.Collector.
type Collector struct{ pool *Pool }

// NewCollector makes a Collector of p.
func NewCollector(p *Pool) Collector { return Collector{pool: p} }

func description(name, help, label string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, []string{label}, nil)
}

func ageDesc() *prometheus.Desc {
	return description("cloudflare_dns_snapshot_age_seconds", "How long ago the newest list of the zone began.", "zone")
}

func recordsDesc() *prometheus.Desc {
	return description("cloudflare_dns_snapshot_records", "DNS records in the newest list of the zone.", "zone")
}

func unreadableDesc() *prometheus.Desc {
	return description("cloudflare_dns_unreadable_records",
		"DNS records in the newest list of the zone that are in a form that cannot be read.", "zone")
}

func wantedDesc() *prometheus.Desc {
	return description("cloudflare_dns_sweep_interval_wanted_seconds",
		"Time between two sweeps of a credential's zones that is asked for with --drift-interval.", "credential")
}

func roundDesc() *prometheus.Desc {
	return description("cloudflare_dns_sweep_round_age_seconds",
		"How long ago the last round of sweeps over a credential's zones ended.", "credential")
}

func heldUpDesc() *prometheus.Desc {
	return description("cloudflare_dns_sweep_held_up",
		"1 if a round of sweeps over a credential's zones takes much longer than its interval: users' calls leave it too little of the budget, or the API is slow.",
		"credential")
}

func intervalDesc() *prometheus.Desc {
	return description("cloudflare_dns_sweep_interval_seconds",
		"Time between two sweeps of a credential's zones; more than --drift-interval where its budget does not allow for that.", "credential")
}

// Describe implements prometheus.Collector.
func (c Collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{ageDesc(), recordsDesc(), unreadableDesc(), intervalDesc(), wantedDesc(), roundDesc(), heldUpDesc()} {
		ch <- d
	}
}

// Collect implements prometheus.Collector. A zone that several credentials see is
// counted once, by its newest list.
func (c Collector) Collect(ch chan<- prometheus.Metric) {
	for id, s := range c.pool.snapshots() {
		ch <- prometheus.MustNewConstMetric(ageDesc(), prometheus.GaugeValue, s.age.Seconds(), id)
		ch <- prometheus.MustNewConstMetric(recordsDesc(), prometheus.GaugeValue, float64(s.records), id)
		ch <- prometheus.MustNewConstMetric(unreadableDesc(), prometheus.GaugeValue, float64(s.unreadable), id)
	}
	for _, r := range c.pool.sweeps.Rounds() {
		p := r.Pace
		if p.Parents == 0 {
			continue // Nothing is swept.
		}
		gauge := func(d *prometheus.Desc, v float64) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, cloudflare.CredentialLabel(r.Credential))
		}
		gauge(intervalDesc(), p.Actual.Seconds())
		gauge(wantedDesc(), p.Wanted.Seconds())
		gauge(roundDesc(), r.Since.Seconds())
		heldUp := 0.0
		if p.HeldUp {
			heldUp = 1
		}
		gauge(heldUpDesc(), heldUp)
	}
}

type snapshotState struct {
	age                 time.Duration
	records, unreadable int
}

// snapshots returns the state of the newest snapshot of each zone that was listed. It
// leaves out zones that are not swept because no Record is in them any more: the age of
// such a snapshot is of no interest.
func (p *Pool) snapshots() map[string]snapshotState {
	out := map[string]snapshotState{}
	for _, m := range p.sweeps.All() {
		z := m.Parent
		age, listed := m.Lists.Age()
		if known, ok := out[z.id]; listed && (!ok || age < known.age) {
			s := z.snapshot()
			out[z.id] = snapshotState{age: age, records: s.len(), unreadable: len(s.unreadable)}
		}
	}
	return out
}
