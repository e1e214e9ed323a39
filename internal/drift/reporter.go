// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package drift

import (
	"errors"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/prometheus/client_golang/prometheus"
)

// Metrics count drifts over all objects, by kind.
type Metrics struct {
	detected, reverted *prometheus.CounterVec
}

// NewMetrics makes Metrics and registers them with reg.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	count := func(name, help string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{"kind"})
	}
	m := &Metrics{
		detected: count("cloudflare_drift_detected_total", "External resources that were found changed outside the provider, by kind."),
		reverted: count("cloudflare_drift_reverted_total", "Changes made outside the provider that it undid, by kind."),
	}
	reg.MustRegister(m.detected, m.reverted)
	return m
}

// Expect makes the counters of a kind begin at 0: what rises from nothing at all to
// 1 is no rise to who reads metrics.
func (m *Metrics) Expect(kind string) {
	if m != nil {
		m.detected.WithLabelValues(kind)
		m.reverted.WithLabelValues(kind)
	}
}

// A Reporter tells of the drifts of one object: in an event, in the log and in
// the metrics.
type Reporter struct {
	Kind    string
	Events  event.Recorder
	Log     logging.Logger
	Metrics *Metrics // nil counts nothing
}

// For is r with the object's name in the log.
func (r Reporter) For(mg resource.Managed) Reporter {
	r.Log = r.Log.WithValues("namespace", mg.GetNamespace(), "name", mg.GetName(), "uid", mg.GetUID())
	return r
}

// Announce sets the verdict's condition, and tells of a drift that is new. id is
// the external resource's.
func (r Reporter) Announce(mg resource.Managed, v Verdict, id string) {
	mg.SetConditions(v.Condition)
	if !v.News {
		return
	}
	r.Events.Event(mg, event.Warning(EventDetected, errors.New(v.Condition.Message)))
	r.Log.Info("DriftDetected", "id", id, "difference", v.Condition.Message)
	if r.Metrics != nil {
		r.Metrics.detected.WithLabelValues(r.Kind).Inc()
	}
}

// Reverted tells that a drift was undone, and what it was.
func (r Reporter) Reverted(mg resource.Managed, what string) {
	r.Events.Event(mg, event.Normal(EventReverted, "Reverted: "+what))
	if r.Metrics != nil {
		r.Metrics.reverted.WithLabelValues(r.Kind).Inc()
	}
}
