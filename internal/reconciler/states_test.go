// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/crossplane/crossplane-runtime/v2/pkg/statemetrics"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler/reconcilertest"
)

// TestObjectsAreCountedByState counts three objects of which two are ready.
func TestObjectsAreCountedByState(t *testing.T) {
	var objects []client.Object
	for name, conditions := range map[string][]xpv2.Condition{
		"a": {xpv2.Available(), xpv2.ReconcileSuccess()},
		"b": {xpv2.Available(), xpv2.ReconcileError(errors.New("down"))},
		"c": {xpv2.Unavailable()},
	} {
		r := reconcilertest.Record(name)
		r.SetConditions(conditions...)
		objects = append(objects, r)
	}
	m := &adds{schemeOnly: schemeOnly{scheme: reconcilertest.Scheme(t), kube: reconcilertest.NewCluster(t, objects...)}}
	states := statemetrics.NewMRStateMetrics()
	o := controller.Options{MetricOptions: &controller.MetricOptions{PollStateMetricInterval: time.Hour, MRStateMetrics: states}}
	newList := func() resource.ManagedList { return &v1alpha1.RecordList{} }
	if err := CountStates(m, o, v1alpha1.RecordGroupVersionKind, newList); err != nil || m.added == nil {
		t.Fatalf("nothing counts: %v", err)
	}
	// It counts once before it sees that it is to end, and not first after an hour.
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
	if err := CountStates(nil, controller.Options{}, v1alpha1.RecordGroupVersionKind, newList); err != nil {
		t.Errorf("without metrics: %v", err)
	}
}

// adds is a manager that keeps the one runnable that is added to it.
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
