// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics count the calls to the API. They have no label that grows with the
// number of zones or records.
type Metrics struct {
	calls *prometheus.CounterVec
	took  *prometheus.HistogramVec
}

// NewMetrics makes Metrics and registers them with reg.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	m := &Metrics{
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cloudflare_api_requests_total",
			Help: "Requests sent to the Cloudflare API, by method, route and HTTP status (0: no answer).",
		}, []string{"method", "route", "status"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "cloudflare_api_request_duration_seconds",
			Help:    "How long requests to the Cloudflare API took, answer included.",
			Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}, []string{"method", "route"}),
	}
	reg.MustRegister(m.calls, m.took)
	return m
}

// Observe notes one call. It fits Options.Observe.
func (m *Metrics) Observe(method, route string, status int, took time.Duration) {
	m.calls.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	m.took.WithLabelValues(method, route).Observe(took.Seconds())
}
