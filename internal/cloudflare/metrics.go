// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics count the calls to the API. The label zone is a zone's ID, or "" for calls that
// are about no zone. There are as many series as zones in use.
type Metrics struct {
	calls *prometheus.CounterVec
	took  *prometheus.HistogramVec
}

// NewMetrics returns Metrics that are registered with reg.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	m := &Metrics{
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cloudflare_api_requests_total",
			Help: "Requests sent to the Cloudflare API, by method, route, zone and HTTP status (0: no answer).",
		}, []string{"method", "route", "zone", "status"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "cloudflare_api_request_duration_seconds",
			Help:    "How long requests to the Cloudflare API took, answer included.",
			Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}, []string{"method", "route"}),
	}
	reg.MustRegister(m.calls, m.took)
	return m
}

// Observe counts one call. It fits Options.Observe.
func (m *Metrics) Observe(c Call) {
	m.calls.WithLabelValues(c.Method, c.Route, c.Zone, strconv.Itoa(c.Status)).Inc()
	m.took.WithLabelValues(c.Method, c.Route).Observe(c.Took.Seconds())
}

// credentialLength is how many characters of a fingerprint are shown to tell credentials apart. The hash has a
// key: its reader cannot check whether a token that he has is used here.
const credentialLength = 12

// CredentialLabel returns the name of the credential with that fingerprint in metrics, logs and statuses.
func CredentialLabel(fingerprint string) string {
	return fingerprint[:min(credentialLength, len(fingerprint))]
}

// BudgetMetrics show the state of the budgets of the credentials in use. The series of a
// client end when the client is dropped.
type BudgetMetrics struct {
	clients func() []*Client

	left, limit, paused, throttled *prometheus.Desc
}

// NewBudgetMetrics returns BudgetMetrics of the clients that are in use when metrics are
// collected, one client for each credential.
func NewBudgetMetrics(clients func() []*Client) *BudgetMetrics {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, append([]string{"credential"}, labels...), nil)
	}
	return &BudgetMetrics{
		clients: clients,
		left: desc("cloudflare_api_budget_requests_left",
			"Requests the credential may make at once; a quarter of the limit is saved up at most."),
		limit: desc("cloudflare_api_budget_requests_limit",
			"Requests the credential may make in a window (five minutes, unless the API says otherwise)."),
		paused: desc("cloudflare_api_paused_seconds",
			"How long the credential still pauses because the API throttled it."),
		throttled: desc("cloudflare_api_throttled_total",
			"Calls refused for their rate, by what refused them: an answer of the API (api), the pause after it (pause), "+
				"the budget (budget), or the share of it that sweeps may use (sweep_share).", "by"),
	}
}

// Describe implements prometheus.Collector.
func (m *BudgetMetrics) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{m.left, m.limit, m.paused, m.throttled} {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (m *BudgetMetrics) Collect(ch chan<- prometheus.Metric) {
	for _, c := range m.clients() {
		s, credential := c.Budget(), CredentialLabel(c.Fingerprint())
		gauge := func(d *prometheus.Desc, v float64) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, credential)
		}
		gauge(m.left, float64(s.Left))
		gauge(m.limit, float64(s.Limit))
		gauge(m.paused, max(0, s.PausedUntil.Sub(c.o.Now()).Seconds()))
		for by, n := range map[string]uint64{
			"api": s.Throttled.API, "pause": s.Throttled.Pause, "budget": s.Throttled.Budget, "sweep_share": s.Throttled.SweepShare,
		} {
			ch <- prometheus.MustNewConstMetric(m.throttled, prometheus.CounterValue, float64(n), credential, by)
		}
	}
}
