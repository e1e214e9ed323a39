// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"context"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	apihelpers "k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// addGate adds a controller to mgr that tells gate which kinds are served. It takes
// the place of the runtime's, to which a kind that is being deleted is not served:
// the kind waits for its objects, these for their finalizer to be removed, and so
// for a controller that a restart of the process would then never start.
func addGate(mgr ctrl.Manager, gate controller.Gate) error {
	err := ctrl.NewControllerManagedBy(mgr).
		For(&apiextensionsv1.CustomResourceDefinition{}).
		Named("crd-gate").
		Complete(reconcile.AsReconciler(mgr.GetClient(), gatekeeper{gate}))
	if err != nil {
		return fmt.Errorf("cannot watch which kinds are served: %w", err)
	}
	return nil
}

type gatekeeper struct{ gate controller.Gate }

// Reconcile tells the gate of one kind.
func (k gatekeeper) Reconcile(_ context.Context, crd *apiextensionsv1.CustomResourceDefinition) (ctrl.Result, error) {
	for _, v := range crd.Spec.Versions {
		k.gate.Set(schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind}, v.Served && hasWork(crd))
	}
	return ctrl.Result{}, nil
}

// hasWork reports whether there are objects of a kind to look after, or may come
// to be. The API server takes Terminating back when the last one is gone.
func hasWork(crd *apiextensionsv1.CustomResourceDefinition) bool {
	if !apihelpers.IsCRDConditionTrue(crd, apiextensionsv1.Established) {
		return false
	}
	return crd.GetDeletionTimestamp().IsZero() || apihelpers.IsCRDConditionTrue(crd, apiextensionsv1.Terminating)
}
