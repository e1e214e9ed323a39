// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	rfake "github.com/crossplane/crossplane-runtime/v2/pkg/resource/fake"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler/reconcilertest"
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
		notified := 0
		r := &reconciler{
			underWay: &underWay{},
			inner: reconcile.Func(func(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
				state := StateFrom(ctx)
				if state.Object != req.NamespacedName {
					t.Errorf("%s: the state is of %s", tc.reason, state.Object)
				}
				NotBefore(ctx, tc.pause)
				if tc.finished {
					state.Finished = reconcilertest.Record("r")
				}
				return tc.inner, tc.err
			}),
			poll:  func(resource.Managed) time.Duration { return 2 * time.Hour },
			ready: func(context.Context, *State) { notified++ },
		}
		got, err := r.Reconcile(t.Context(), reconcile.Request{NamespacedName: reconcilertest.Key("r")})
		if diff := cmp.Diff(tc.want, got); diff != "" || !errors.Is(err, tc.err) {
			t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
		}
		if (notified > 0) != tc.finished {
			t.Errorf("%s: the metrics were notified %d times", tc.reason, notified)
		}
	}
}

// TestAfterAPauseAnObjectComesBackAtItsEnd has an object fail because no request can be sent
// for five minutes.
func TestAfterAPauseAnObjectComesBackAtItsEnd(t *testing.T) {
	r := &reconciler{underWay: &underWay{}, inner: reconcile.Func(func(ctx context.Context, _ reconcile.Request) (reconcile.Result, error) {
		NotBefore(ctx, 5*time.Minute)
		return reconcile.Result{Requeue: true}, nil
	})}
	got, err := r.Reconcile(t.Context(), reconcile.Request{NamespacedName: reconcilertest.Key("r")})
	if err != nil || got.RequeueAfter < 5*time.Minute || got.RequeueAfter > 5*time.Minute+spread || got.Priority != nil {
		t.Errorf("got %+v, %v, want its turn when the pause ends, in its place", got, err)
	}
}

// TestTheRuntimeSaysThatItFailedByRequeue shows what Reconcile relies on: for a failure the
// runtime returns Requeue and no error, and for a healthy object it returns neither.
func TestTheRuntimeSaysThatItFailedByRequeue(t *testing.T) {
	for reason, tc := range map[string]struct {
		err    error
		failed bool
	}{
		"what could not be observed failed": {errors.New("down"), true},
		"what is as declared is well":       {nil, false},
	} {
		r := reconcilertest.Record("r")
		r.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
		kube := reconcilertest.NewCluster(t, r)
		inner := managed.NewReconciler(
			WithClient(&rfake.Manager{Client: kube, Scheme: kube.Scheme()}, kube), resource.ManagedKind(v1alpha1.RecordGroupVersionKind),
			managed.WithInitializers(), managed.WithManagementPolicies(), managed.WithDeterministicExternalName(true),
			managed.WithExternalConnector(managed.ExternalConnectorFn(func(context.Context, resource.Managed) (managed.ExternalClient, error) {
				return &managed.ExternalClientFns{
					ObserveFn: func(context.Context, resource.Managed) (managed.ExternalObservation, error) {
						return managed.ExternalObservation{ResourceExists: true, ResourceUpToDate: true}, tc.err
					},
					DisconnectFn: func(context.Context) error { return nil },
				}, nil
			})))
		got, err := inner.Reconcile(t.Context(), reconcile.Request{NamespacedName: reconcilertest.Key("r")})
		if err != nil || got.Requeue != tc.failed || (got.RequeueAfter > 0) == tc.failed { //nolint:staticcheck // It is what the runtime gives.
			t.Errorf("%s: the runtime gives %+v, %v", reason, got, err)
		}
	}
}

// withReader is a manager that reads past its cache.
type withReader struct{ *rfake.Manager }

func (m withReader) GetAPIReader() client.Reader { return m.Client }

// TestTheRuntimeFinishesACompleteCreation shows what Complete and the finalizer rely on. The
// runtime writes an object that is about to be created before it calls Create. After a
// Create without an error it sends the annotations, and then one status that says Synced.
func TestTheRuntimeFinishesACompleteCreation(t *testing.T) {
	r := reconcilertest.Record("r")
	r.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
	c := reconcilertest.NewCluster(t, r)
	b := NewBuilder(withReader{&rfake.Manager{Client: c, Scheme: c.Scheme()}}, controller.Options{}, nil, &journal{})
	kind := Controller{
		Log: logging.NewNopLogger(), Events: event.NewNopRecorder(),
		Poll:    func(_ resource.Managed, d time.Duration) time.Duration { return d },
		Resolve: func(context.Context, client.Reader, resource.Managed) error { return nil },
	}
	external := &managed.ExternalClientFns{
		ObserveFn: func(ctx context.Context, _ resource.Managed) (managed.ExternalObservation, error) {
			WillCreate(ctx)
			return managed.ExternalObservation{}, nil
		},
		CreateFn: func(ctx context.Context, mg resource.Managed) (managed.ExternalCreation, error) {
			c.Took(t, "before the creation", "update")
			if !meta.FinalizerExists(c.Read(t, "r"), managed.FinalizerName) {
				t.Error("there is no finalizer before the creation")
			}
			meta.SetExternalName(mg, "made")
			Complete(ctx, func() { mg.SetConditions(xpv2.Available()) })
			return managed.ExternalCreation{}, nil
		},
		DisconnectFn: func(context.Context) error { return nil },
	}
	connector := managed.ExternalConnectorFn(func(context.Context, resource.Managed) (managed.ExternalClient, error) { return external, nil })
	of := &reconciler{
		underWay: &underWay{},
		inner: managed.NewReconciler(WithClient(b.mgr, b.kube), resource.ManagedKind(v1alpha1.RecordGroupVersionKind),
			append(b.options(kind, managed.NewNopMetricRecorder()), managed.WithExternalConnector(connector))...),
		poll:  func(resource.Managed) time.Duration { return time.Hour },
		ready: func(context.Context, *State) {},
	}
	res, err := of.Reconcile(t.Context(), reconcile.Request{NamespacedName: reconcilertest.Key("r")})
	if err != nil || res.RequeueAfter != time.Hour {
		t.Errorf("the creation ends with %+v, %v, want a look at it in an hour", res, err)
	}
	c.Took(t, "after the creation", "update", "update status")
	got := c.Read(t, "r")
	if is := meta.GetExternalName(got) + " " + condition(got, xpv2.TypeReady) + " " + condition(got, xpv2.TypeSynced); is != "made True/Available/0 True/ReconcileSuccess/1" {
		t.Errorf("the object is %s", is)
	}
}

func TestWithin(t *testing.T) {
	for _, tc := range []struct {
		reason    string
		again     time.Duration
		min, most time.Duration
	}{
		{"nothing is open", 0, time.Hour, time.Hour},
		{"it is to be looked at sooner", time.Minute, time.Minute, time.Minute + spread},
		{"it is looked at sooner anyway", 2 * time.Hour, time.Hour, time.Hour},
	} {
		s := &State{}
		LookAgain(WithState(t.Context(), s), tc.again)
		if got := s.within(time.Hour); got < tc.min || got > tc.most {
			t.Errorf("%s: got %s", tc.reason, got)
		}
	}
}

func TestPollAfter(t *testing.T) {
	double := func(_ resource.Managed, d time.Duration) time.Duration { return 2 * d }
	mg := reconcilertest.Record("r")
	if got := pollAfter(time.Hour, double)(mg); got != 2*time.Hour {
		t.Errorf("got %s, want what the hook makes of the interval", got)
	}
	mg.SetAnnotations(map[string]string{meta.AnnotationKeyPollInterval: "5m"})
	if got := pollAfter(time.Hour, double)(mg); got != 10*time.Minute {
		t.Errorf("got %s, want what the hook makes of the object's own interval", got)
	}
}
