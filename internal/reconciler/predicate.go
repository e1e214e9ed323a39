// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"maps"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// DesiredStateChanged passes events of changes that users make, and ignores the
// annotations in which a controller keeps its notes. If a refused creation woke its own
// object, it would be tried again at once, without backoff, for ever.
func DesiredStateChanged(notes ...string) predicate.Predicate {
	desired := resource.DesiredStateChanged()
	return predicate.Funcs{
		CreateFunc:  desired.Create,
		DeleteFunc:  desired.Delete,
		GenericFunc: desired.Generic,
		UpdateFunc: func(e event.UpdateEvent) bool {
			return desired.Update(event.UpdateEvent{ObjectOld: without(e.ObjectOld, notes), ObjectNew: without(e.ObjectNew, notes)})
		},
	}
}

// without returns the metadata of o without those annotations.
func without(o client.Object, notes []string) client.Object {
	a := maps.Clone(o.GetAnnotations())
	for _, n := range notes {
		delete(a, n)
	}
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Annotations: a, Labels: o.GetLabels(), Generation: o.GetGeneration(), DeletionTimestamp: o.GetDeletionTimestamp(),
		Finalizers: o.GetFinalizers(),
	}}
}
