// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/crossplane/crossplane-runtime/v2/pkg/statemetrics"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

func TestQuietSendsOnlyChanges(t *testing.T) {
	c := newCluster(t, named("r"))
	q := Quiet(schemeOnly{scheme: newScheme(t), kube: c}).GetClient()
	try := func(reason string, update func(client.Object) error, edit func(*v1alpha1.Record), want ...string) {
		t.Helper()
		r := c.read(t, "r")
		edit(r)
		if err := update(r); err != nil {
			t.Errorf("%s: %v", reason, err)
		}
		c.took(t, reason, want...)
	}
	object := func(o client.Object) error { return q.Update(t.Context(), o) }
	status := func(o client.Object) error { return q.Status().Update(t.Context(), o) }
	note := func(r *v1alpha1.Record) { meta.AddAnnotations(r, map[string]string{"a": "v"}) }
	ready := func(r *v1alpha1.Record) { r.SetConditions(xpv2.Available()) }
	try("a change", object, note, "update")
	try("none", object, note)
	try("a change of the status", status, ready, "update status")
	try("none of the status", status, ready)
	down := errors.New("down")
	c.fail = func(string) error { return down }
	r := c.read(t, "r")
	r.SetLabels(map[string]string{"l": "v"})
	if !errors.Is(q.Update(t.Context(), r), down) {
		t.Error("a failure was not told")
	}
	l := &v1alpha1.RecordList{}
	if err := q.List(t.Context(), l, client.InNamespace("elsewhere")); err != nil || len(l.Items) != 0 {
		t.Errorf("a list gave %d objects of another namespace (%v)", len(l.Items), err)
	}
}

func TestLaterDelaysEveryEvent(t *testing.T) {
	h, q, r := Later(&handler.EnqueueRequestForObject{}, time.Second), &added{}, named("r")
	h.Generic(t.Context(), event.GenericEvent{Object: r}, q)
	h.Delete(t.Context(), event.DeleteEvent{Object: r}, q)
	h.Create(t.Context(), event.CreateEvent{Object: r}, q)
	h.Update(t.Context(), event.UpdateEvent{ObjectOld: r, ObjectNew: r}, q)
	if got := fmt.Sprint(q.got); got != "[r after 1s r after 1s r after 1s r after 1s]" {
		t.Errorf("enqueued %s", got)
	}
}

// TestObjectsAreCountedByState counts three objects of which two are ready.
func TestObjectsAreCountedByState(t *testing.T) {
	var objects []client.Object
	for name, conditions := range map[string][]xpv2.Condition{
		"a": {xpv2.Available(), xpv2.ReconcileSuccess()},
		"b": {xpv2.Available(), xpv2.ReconcileError(errors.New("down"))},
		"c": {xpv2.Unavailable()},
	} {
		r := named(name)
		r.SetConditions(conditions...)
		objects = append(objects, r)
	}
	m := &adds{schemeOnly: schemeOnly{scheme: newScheme(t), kube: newCluster(t, objects...)}}
	states := statemetrics.NewMRStateMetrics()
	o := controller.Options{MetricOptions: &controller.MetricOptions{PollStateMetricInterval: time.Hour, MRStateMetrics: states}}
	newList := func() resource.ManagedList { return &v1alpha1.RecordList{} }
	if err := StateMetrics(m, o, v1alpha1.RecordGroupVersionKind, newList); err != nil || m.added == nil {
		t.Fatalf("nothing counts: %v", err)
	}
	// It counts once before it sees that it is to end, and not only in an hour.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.added.Start(ctx); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"exists": 3, "ready": 2, "synced": 1} {
		if got := gauge(t, states, "crossplane_managed_resource_"+name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if err := StateMetrics(nil, controller.Options{}, v1alpha1.RecordGroupVersionKind, newList); err != nil {
		t.Errorf("without metrics: %v", err)
	}
}

// adds is a manager that keeps the one runnable it is given.
type adds struct {
	schemeOnly

	added *stateCounter
}

func (m *adds) Add(r manager.Runnable) error {
	c, ok := r.(*stateCounter)
	if !ok {
		return fmt.Errorf("%T counts nothing", r)
	}
	m.added = c
	return nil
}

func gauge(t *testing.T, c prometheus.Collector, name string) float64 {
	t.Helper()
	reg := prometheus.NewRegistry()
	reg.MustRegister(c)
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}
