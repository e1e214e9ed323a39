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

// addGate adds a controller to mgr that reports to gate which kinds are served. It
// replaces the runtime's controller, which treats a kind under deletion as not served.
// Such a kind waits for its objects, and these wait for a controller that removes their
// finalizer. After a restart of the process, the runtime's gate would never start that
// controller.
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

// Reconcile reports one kind to the gate.
func (k gatekeeper) Reconcile(_ context.Context, crd *apiextensionsv1.CustomResourceDefinition) (ctrl.Result, error) {
	for _, v := range crd.Spec.Versions {
		k.gate.Set(schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind}, v.Served && hasWork(crd))
	}
	return ctrl.Result{}, nil
}

// hasWork reports whether objects of a kind exist or can be created. The API server
// removes Terminating when the last one is gone.
func hasWork(crd *apiextensionsv1.CustomResourceDefinition) bool {
	if !apihelpers.IsCRDConditionTrue(crd, apiextensionsv1.Established) {
		return false
	}
	return crd.GetDeletionTimestamp().IsZero() || apihelpers.IsCRDConditionTrue(crd, apiextensionsv1.Terminating)
}
