// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"
	"fmt"
	"reflect"

	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// ReadinessRecorder returns a function that reports to rec that an object became ready. The
// runtime reports this only when it reconciles the object a second time. That is an hour later,
// and the hour would count. So the function has a reconciler of its own observe the object in
// hand. This sends no request, writes nothing and records no event.
func ReadinessRecorder(mgr ctrl.Manager, of resource.ManagedKind, rec managed.MetricRecorder) func(context.Context, *State) {
	r := managed.NewReconciler(WithClient(mgr, inHand{}), of,
		managed.WithInitializers(),
		managed.WithReferenceResolver(managed.ReferenceResolverFn(func(context.Context, resource.Managed) error { return nil })),
		managed.WithFinalizer(resource.NewNopFinalizer()),
		managed.WithManagementPolicies(),
		managed.WithDeterministicExternalName(true),
		managed.WithExternalConnector(managed.ExternalConnectorFn(asDeclared)),
		managed.WithMetricRecorder(rec))
	return func(ctx context.Context, state *State) {
		// It cannot fail: this file answers all its calls.
		_, _ = r.Reconcile(WithState(ctx, state), reconcile.Request{NamespacedName: state.Object})
	}
}

// asDeclared connects to an external resource that matches what the object declares.
func asDeclared(context.Context, resource.Managed) (managed.ExternalClient, error) {
	return &managed.ExternalClientFns{
		ObserveFn: func(context.Context, resource.Managed) (managed.ExternalObservation, error) {
			return managed.ExternalObservation{ResourceExists: true, ResourceUpToDate: true}, nil
		},
		DisconnectFn: func(context.Context) error { return nil },
	}, nil
}

// inHand is a client of a cluster with one object, the one whose reconcile is finished. Writes
// to it have no effect.
type inHand struct{ client.Client }

// Get returns the object in obj.
func (inHand) Get(ctx context.Context, _ client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	mg := StateFrom(ctx).Finished
	into, from := reflect.ValueOf(obj), reflect.ValueOf(mg)
	if into.Type() != from.Type() {
		return fmt.Errorf("there is a %T, not a %T", mg, obj)
	}
	into.Elem().Set(from.Elem())
	return nil
}

// Status returns a writer that writes nothing.
func (inHand) Status() client.SubResourceWriter { return unwritten{} }

type unwritten struct{ client.SubResourceWriter }

// Update does nothing.
func (unwritten) Update(context.Context, client.Object, ...client.SubResourceUpdateOption) error {
	return nil
}
