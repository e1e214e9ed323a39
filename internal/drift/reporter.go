// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package drift

import (
	"errors"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/prometheus/client_golang/prometheus"
)

// Metrics count drifts of all objects, by kind.
type Metrics struct {
	detected, reverted *prometheus.CounterVec
}

// NewMetrics returns Metrics that are registered with reg.
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

// Expect makes the counters of a kind begin at 0: Prometheus sees no increase if a counter
// first appears at 1.
func (m *Metrics) Expect(kind string) {
	if m != nil {
		m.detected.WithLabelValues(kind)
		m.reverted.WithLabelValues(kind)
	}
}

// Warn writes a line to the log at the level of warnings, with alternating keys and values.
// The loggers of Crossplane and of controller-runtime do not have that level.
type Warn func(msg string, keysAndValues ...any)

// A Reporter reports the drifts of objects of one kind in events, in the log and in the
// metrics.
type Reporter struct {
	Kind    string
	Events  event.Recorder
	Warn    Warn     // nil logs nothing
	Metrics *Metrics // nil counts nothing
}

// A Resource is the external resource that a drift is about.
type Resource struct {
	ID string
	// Place says where the resource is, as alternating keys and values for the log.
	Place []any
}

// Announce sets the verdict's condition, and reports a drift that is new.
func (r Reporter) Announce(mg resource.Managed, v Verdict, s Resource) {
	mg.SetConditions(v.Condition)
	if !v.News {
		return
	}
	r.Events.Event(mg, event.Warning(EventDetected, errors.New(v.Condition.Message)))
	r.log(mg, v, s)
	if r.Metrics != nil {
		r.Metrics.detected.WithLabelValues(r.Kind).Inc()
	}
}

// log writes a new drift to the log.
func (r Reporter) log(mg resource.Managed, v Verdict, s Resource) {
	if r.Warn == nil {
		return
	}
	fields := []any{"kind", r.Kind, "namespace", mg.GetNamespace(), "name", mg.GetName(), "uid", string(mg.GetUID()), "id", s.ID}
	fields = append(fields, s.Place...)
	// A plain slice: a logger would log Differences as their text.
	fields = append(fields, "differences", []Difference(v.Differences), "undone", v.Undone)
	if v.Cause != "" {
		fields = append(fields, "cause", v.Cause)
	}
	r.Warn(string(EventDetected), fields...)
}

// Reverted reports that a drift was undone. what describes the drift.
func (r Reporter) Reverted(mg resource.Managed, what string) {
	r.Events.Event(mg, event.Normal(EventReverted, "Reverted: "+what))
	if r.Metrics != nil {
		r.Metrics.reverted.WithLabelValues(r.Kind).Inc()
	}
}
