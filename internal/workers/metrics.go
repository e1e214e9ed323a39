// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// The results of reconciles, as controller-runtime names them.
const (
	resultSuccess      = "success"
	resultRequeue      = "requeue"
	resultRequeueAfter = "requeue_after"
	resultError        = "error"
)

// metrics report by kind what controller-runtime's metrics report of the whole pool.
type metrics struct {
	reconciles *prometheus.CounterVec
	active     *prometheus.GaugeVec
	took       *prometheus.HistogramVec
	waited     *prometheus.HistogramVec
	queued     *prometheus.Desc
	waiting    *prometheus.Desc
}

func newMetrics() *metrics {
	return &metrics{
		reconciles: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cloudflare_reconciles_total",
			Help: "Reconciles of objects, by how they ended.",
		}, []string{"controller", "result"}),
		active: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "cloudflare_reconciles_active",
			Help: "Objects that are being reconciled.",
		}, []string{"controller"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "cloudflare_reconciles_duration_seconds",
			Help:    "How long reconciles took.",
			Buckets: seconds(),
		}, []string{"controller"}),
		waited: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "cloudflare_reconciles_queue_seconds",
			Help:    "How long objects whose turn had come waited for a worker.",
			Buckets: seconds(),
		}, []string{"controller"}),
		queued: prometheus.NewDesc("cloudflare_reconciles_queued",
			"Objects whose turn has come.", []string{"controller", "priority"}, nil),
		waiting: prometheus.NewDesc("cloudflare_reconciles_waiting",
			"Objects that wait because as many others of their namespace, provider config or credential are being reconciled as may be.",
			[]string{"controller"}, nil),
	}
}

// seconds returns buckets from reconciles without a call to reconciles that hang until
// their timeout.
func seconds() []float64 { return []float64{.001, .01, .1, .5, 1, 5, 10, 30, 60, 120} }

// expect shows a kind before it has objects.
func (m *metrics) expect(controller string) {
	for _, r := range []string{resultSuccess, resultRequeue, resultRequeueAfter, resultError} {
		m.reconciles.WithLabelValues(controller, r)
	}
	m.active.WithLabelValues(controller)
}

// begin counts a reconcile that begins. The function it returns takes the result of the
// reconcile.
func (m *metrics) begin(controller string) func(result string) {
	began := time.Now()
	m.active.WithLabelValues(controller).Inc()
	return func(result string) {
		m.active.WithLabelValues(controller).Dec()
		m.took.WithLabelValues(controller).Observe(time.Since(began).Seconds())
		m.reconciles.WithLabelValues(controller, result).Inc()
	}
}

func (m *metrics) taken(controller string, waited time.Duration) {
	m.waited.WithLabelValues(controller).Observe(waited.Seconds())
}

// resultOf returns the result as controller-runtime names it.
func resultOf(res reconcile.Result, err error) string {
	switch {
	case err != nil:
		return resultError
	case res.RequeueAfter > 0:
		return resultRequeueAfter
	case res.Requeue: //nolint:staticcheck // The runtime still uses it.
		return resultRequeue
	}
	return resultSuccess
}

func (m *metrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.reconciles, m.active, m.took, m.waited}
}

// Describe implements prometheus.Collector.
func (p *Pool) Describe(ch chan<- *prometheus.Desc) {
	for _, c := range p.metrics.collectors() {
		c.Describe(ch)
	}
	ch <- p.metrics.queued
	ch <- p.metrics.waiting
}

// Collect implements prometheus.Collector.
func (p *Pool) Collect(ch chan<- prometheus.Metric) {
	for _, c := range p.metrics.collectors() {
		c.Collect(ch)
	}
	type line struct {
		controller string
		priority   int
	}
	queued, waiting := map[line]int{}, map[string]int{}
	for name, q := range p.depth() {
		waiting[name] += q.waiting
		for priority, n := range q.queued {
			queued[line{name, priority}] += n
		}
	}
	for of, n := range queued {
		ch <- prometheus.MustNewConstMetric(p.metrics.queued, prometheus.GaugeValue, float64(n), of.controller, strconv.Itoa(of.priority))
	}
	for name, n := range waiting {
		ch <- prometheus.MustNewConstMetric(p.metrics.waiting, prometheus.GaugeValue, float64(n), name)
	}
}

// A depth is how many objects of a kind are in the queue.
type depth struct {
	queued  map[int]int // by priority
	waiting int
}

// depth returns the depths of all kinds, by name.
func (p *Pool) depth() map[string]*depth {
	p.mu.RLock()
	q, out, names := p.queue, map[string]*depth{}, map[any]string{}
	for gk, k := range p.kinds {
		names[gk] = k.Name
		out[k.Name] = &depth{queued: map[int]int{0: 0}}
	}
	p.mu.RUnlock()
	if q == nil {
		return out
	}
	q.Each(func(r Request, priority int, noRoom bool) {
		d, ok := out[names[r.Kind]]
		if !ok {
			return
		}
		d.queued[priority]++
		if noRoom {
			d.waiting++
		}
	})
	return out
}
