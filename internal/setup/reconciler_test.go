// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconcilestate"
)

func TestReconcilerDecidesWhenNext(t *testing.T) {
	down := errors.New("down")
	again := reconcile.Result{Requeue: true}
	tests := []struct {
		reason   string
		finished bool
		pause    time.Duration
		inner    reconcile.Result
		err      error
		want     reconcile.Result
	}{
		{"what is well goes behind the rest", false, 0, reconcile.Result{RequeueAfter: time.Minute}, nil, reconcile.Result{RequeueAfter: time.Minute, Priority: ptr.To(PriorityPoll)}},
		{"a complete creation is not looked at again", true, 0, again, nil, reconcile.Result{RequeueAfter: 2 * time.Hour, Priority: ptr.To(PriorityPoll)}},
		{"what is not complete is", false, 0, again, nil, again},
		{"what failed keeps its place", false, 0, reconcile.Result{}, down, reconcile.Result{}},
		{"a pause of a moment is for the queue to spread", false, time.Second, again, nil, again},
		{"what is gone needs no turn", false, 0, reconcile.Result{}, nil, reconcile.Result{}},
	}
	for _, tc := range tests {
		told := 0
		r := &reconciler{
			inner: reconcile.Func(func(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
				state := reconcilestate.From(ctx)
				if state.Object != req.NamespacedName {
					t.Errorf("%s: the state is of %s", tc.reason, state.Object)
				}
				reconcilestate.NotBefore(ctx, tc.pause)
				if tc.finished {
					state.Finished = named("r")
				}
				return tc.inner, tc.err
			}),
			poll:  func(resource.Managed) time.Duration { return 2 * time.Hour },
			ready: func(context.Context, *reconcilestate.State) { told++ },
		}
		got, err := r.Reconcile(t.Context(), reconcile.Request{NamespacedName: clientKey("r")})
		if diff := cmp.Diff(tc.want, got); diff != "" || !errors.Is(err, tc.err) {
			t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
		}
		if (told > 0) != tc.finished {
			t.Errorf("%s: the metrics were told %d times", tc.reason, told)
		}
	}
}

// TestAfterAPauseAnObjectComesBackAtItsEnd has an object fail because nothing can be
// asked for five minutes.
func TestAfterAPauseAnObjectComesBackAtItsEnd(t *testing.T) {
	r := &reconciler{inner: reconcile.Func(func(ctx context.Context, _ reconcile.Request) (reconcile.Result, error) {
		reconcilestate.NotBefore(ctx, 5*time.Minute)
		return reconcile.Result{Requeue: true}, nil
	})}
	got, err := r.Reconcile(t.Context(), reconcile.Request{NamespacedName: clientKey("r")})
	if err != nil || got.RequeueAfter < 5*time.Minute || got.RequeueAfter > 5*time.Minute+spread || got.Priority != nil {
		t.Errorf("got %+v, %v, want its turn when the pause ends, in its place", got, err)
	}
}

func TestPollAfter(t *testing.T) {
	double := func(_ resource.Managed, d time.Duration) time.Duration { return 2 * d }
	mg := named("r")
	if got := pollAfter(time.Hour, double)(mg); got != 2*time.Hour {
		t.Errorf("got %s, want what the hook makes of the interval", got)
	}
	mg.SetAnnotations(map[string]string{meta.AnnotationKeyPollInterval: "5m"})
	if got := pollAfter(time.Hour, double)(mg); got != 10*time.Minute {
		t.Errorf("got %s, want what the hook makes of the object's own interval", got)
	}
}

// schemeOnly is a manager that has nothing but a scheme.
type schemeOnly struct {
	ctrl.Manager

	scheme *runtime.Scheme
	kube   client.Client
}

func (m schemeOnly) GetScheme() *runtime.Scheme { return m.scheme }
func (m schemeOnly) GetClient() client.Client   { return m.kube }

// TestReadinessIsCounted lets the runtime reconcile an object for the first time,
// which starts the clock of its metric, and finishes a creation thereafter.
func TestReadinessIsCounted(t *testing.T) {
	made := named("r")
	made.CreationTimestamp = metav1.NewTime(time.Now().Add(-90 * time.Second))
	made.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
	c := newCluster(t, made)
	mgr, of, rec := schemeOnly{scheme: newScheme(t), kube: c}, resource.ManagedKind(v1alpha1.RecordGroupVersionKind), managed.NewMRMetricRecorder()

	down := managed.ExternalConnectorFn(func(context.Context, resource.Managed) (managed.ExternalClient, error) {
		return nil, errors.New("down")
	})
	first := managed.NewReconciler(mgr, of, managed.WithInitializers(), managed.WithManagementPolicies(), managed.WithExternalConnector(down), managed.WithMetricRecorder(rec))
	if _, err := first.Reconcile(t.Context(), reconcile.Request{NamespacedName: clientKey("r")}); err != nil {
		t.Fatal(err)
	}
	c.asked = nil

	mg := c.read(t, "r")
	mg.SetConditions(xpv2.Available(), xpv2.ReconcileSuccess())
	before := mg.DeepCopy()
	recordReady(mgr, of, rec)(t.Context(), &reconcilestate.State{Object: clientKey("r"), Finished: mg})
	c.took(t, "nothing is asked of the cluster")
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
