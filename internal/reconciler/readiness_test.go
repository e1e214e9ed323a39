// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler/reconcilertest"
)

// schemeOnly is a manager that has nothing but a scheme.
type schemeOnly struct {
	ctrl.Manager

	scheme *runtime.Scheme
	kube   client.Client
}

func (m schemeOnly) GetScheme() *runtime.Scheme { return m.scheme }
func (m schemeOnly) GetClient() client.Client   { return m.kube }

// TestReadinessIsCounted lets the runtime reconcile an object for the first time, which
// starts the clock of its metric, and then finishes a creation.
func TestReadinessIsCounted(t *testing.T) {
	made := reconcilertest.Record("r")
	made.CreationTimestamp = metav1.NewTime(time.Now().Add(-90 * time.Second))
	made.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
	c := reconcilertest.NewCluster(t, made)
	mgr, of, rec := schemeOnly{scheme: reconcilertest.Scheme(t), kube: c}, resource.ManagedKind(v1alpha1.RecordGroupVersionKind), managed.NewMRMetricRecorder()

	down := managed.ExternalConnectorFn(func(context.Context, resource.Managed) (managed.ExternalClient, error) {
		return nil, errors.New("down")
	})
	first := managed.NewReconciler(mgr, of, managed.WithInitializers(), managed.WithManagementPolicies(), managed.WithExternalConnector(down), managed.WithMetricRecorder(rec))
	if _, err := first.Reconcile(t.Context(), reconcile.Request{NamespacedName: reconcilertest.Key("r")}); err != nil {
		t.Fatal(err)
	}
	c.Asked = nil

	mg := c.Read(t, "r")
	mg.SetConditions(xpv2.Available(), xpv2.ReconcileSuccess())
	before := mg.DeepCopy()
	ReadinessRecorder(mgr, of, rec)(t.Context(), &State{Object: reconcilertest.Key("r"), Finished: mg})
	c.Took(t, "nothing is asked of the cluster")
	if diff := cmp.Diff(before, mg); diff != "" {
		t.Errorf("the object was changed (-was +is):\n%s", diff)
	}
	n, sum := histogram(t, rec, "crossplane_managed_resource_first_time_to_readiness_seconds")
	if n != 1 || sum < 90 || sum > 100 {
		t.Errorf("the time to readiness was counted %d times, %f s, want once, 90 s", n, sum)
	}
}

func histogram(t *testing.T, c prometheus.Collector, name string) (count uint64, sum float64) {
	t.Helper()
	reg := prometheus.NewRegistry()
	reg.MustRegister(c)
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			for _, m := range f.GetMetric() {
				count += m.GetHistogram().GetSampleCount()
				sum += m.GetHistogram().GetSampleSum()
			}
		}
	}
	return count, sum
}
