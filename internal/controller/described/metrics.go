// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// Metrics counts the lists that look for drift of resources.
type Metrics struct{ sweeps *prometheus.CounterVec }

// The results of sweeps, as values of labels.
const (
	sweepOK    = "ok"
	sweepError = "error"
)

// NewMetrics returns Metrics that are registered with reg.
func NewMetrics(reg prometheus.Registerer) Metrics {
	m := Metrics{prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "cloudflare_resource_sweeps_total",
		Help: "Sweeps of the resources of a kind in an account or a zone that looked for drift, by result (ok, error).",
	}, []string{"result"})}
	for _, result := range []string{sweepOK, sweepError} {
		m.sweeps.WithLabelValues(result) // The series begins at 0.
	}
	reg.MustRegister(m.sweeps)
	return m
}

// Swept counts a sweep.
func (m Metrics) Swept(err error) {
	result := sweepOK
	if err != nil {
		result = sweepError
	}
	m.sweeps.WithLabelValues(result).Inc()
}

// A Collector collects how often resources are swept now. It is a prometheus.Collector. A credential has a series for
// each interval that its kinds want.
type Collector struct{ rounds func() []parent.SweepStatus }

// NewCollector returns a Collector of p.
func NewCollector(p *Pool) Collector { return Collector{p.lists.Rounds} }

func sweepDesc(name, help string) *prometheus.Desc {
	return prometheus.NewDesc("cloudflare_resource_sweep_"+name, help, []string{"credential", "wanted"}, nil)
}

func intervalDesc() *prometheus.Desc {
	return sweepDesc("interval_seconds", "Time between two sweeps of a credential's resources of those kinds that want that interval.")
}

func roundDesc() *prometheus.Desc {
	return sweepDesc("round_age_seconds", "How long ago the last round of these sweeps ended.")
}

func heldUpDesc() *prometheus.Desc {
	return sweepDesc("held_up", "1 if a round of these sweeps takes much longer than its interval: users' calls leave it too little of the budget, or the API is slow.")
}

// Describe implements prometheus.Collector.
func (c Collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{intervalDesc(), roundDesc(), heldUpDesc()} {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (c Collector) Collect(ch chan<- prometheus.Metric) {
	for _, r := range c.rounds() {
		if r.Pace.Parents == 0 {
			continue // Nothing is swept.
		}
		gauge := func(d *prometheus.Desc, v float64) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, cloudflare.CredentialLabel(r.Credential), r.Pace.Wanted.String())
		}
		gauge(intervalDesc(), r.Pace.Actual.Seconds())
		gauge(roundDesc(), r.Since.Seconds())
		heldUp := 0.0
		if r.Pace.HeldUp {
			heldUp = 1
		}
		gauge(heldUpDesc(), heldUp)
	}
}
