// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A Forgetter ends what is being created for an object.
type Forgetter interface {
	// Forget returns when the journal has no creation under way for the object with
	// that UID any more.
	Forget(ctx context.Context, uid types.UID) error
}

// A Finalizer adds the runtime's finalizer without losing what the observation has put
// on the object's status. The answer to an update carries the status as it was before,
// and the next observation may be an hour away.
type Finalizer struct {
	resource.Finalizer

	kube    client.Client
	journal Forgetter
}

// NewFinalizer returns a Finalizer.
func NewFinalizer(kube client.Client, journal Forgetter) Finalizer {
	return Finalizer{Finalizer: resource.NewAPIFinalizer(kube, managed.FinalizerName), kube: kube, journal: journal}
}

// RemoveFinalizer removes the finalizer once the journal has forgotten the object. The
// fate of the external resource is decided by then.
func (f Finalizer) RemoveFinalizer(ctx context.Context, obj resource.Object) error {
	if err := f.journal.Forget(ctx, obj.GetUID()); err != nil {
		return err
	}
	return f.Finalizer.RemoveFinalizer(ctx, obj)
}

// AddFinalizer adds the finalizer if it is absent. If Observe announced a creation,
// AddFinalizer only sets it on obj: the next thing the runtime does is to persist the
// object with its create-pending annotation, and it calls Create only if that succeeds.
// So the finalizer is persisted before the external resource exists. If that update
// fails, there is neither a finalizer nor a resource.
func (f Finalizer) AddFinalizer(ctx context.Context, obj resource.Object) error {
	if meta.FinalizerExists(obj, managed.FinalizerName) {
		return nil
	}
	if StateFrom(ctx).WillCreate {
		meta.AddFinalizer(obj, managed.FinalizerName)
		return nil
	}
	sent, ok := obj.DeepCopyObject().(resource.Object)
	if !ok {
		return fmt.Errorf("cannot copy %T", obj)
	}
	meta.AddFinalizer(sent, managed.FinalizerName)
	if err := f.kube.Update(ctx, sent); err != nil {
		return fmt.Errorf("cannot add the finalizer: %w", err)
	}
	obj.SetFinalizers(sent.GetFinalizers())
	obj.SetResourceVersion(sent.GetResourceVersion())
	obj.SetGeneration(sent.GetGeneration())
	return nil
}
