// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"

	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// criticalAnnotations persists what Create left on an object. Where that is
// complete, one update of the whole object is tried first, under its resource
// version: it persists the spec that Create filled in, too, and what comes of it
// is known to the letter. Whatever goes wrong with that, the runtime's updater
// takes over, which tries again and merges the annotations into what others
// wrote; what was complete is then for the next reconcile to find out.
type criticalAnnotations struct {
	kube     kube
	retrying managed.CriticalAnnotationUpdater
}

func newCriticalAnnotations(k kube, api client.Reader) criticalAnnotations {
	return criticalAnnotations{kube: k, retrying: managed.NewRetryingCriticalAnnotationUpdater(pastCache{kube: k, api: api})}
}

// UpdateCriticalAnnotations persists the annotations of o.
func (u criticalAnnotations) UpdateCriticalAnnotations(ctx context.Context, o client.Object) error {
	c := courseOf(ctx)
	if c.finish != nil {
		if err := u.kube.Update(ctx, o); err == nil {
			return nil
		}
		c.finish = nil
	}
	return u.retrying.UpdateCriticalAnnotations(ctx, o)
}

// pastCache is the client of the runtime's updater. After a conflict it reads the
// object anew, five times within 50 ms: a cache that lags behind would give the
// same old version each time, and the external name would be lost. What it writes
// wakes the object, as the runtime means it to.
type pastCache struct {
	kube

	api client.Reader
}

// Get reads past the cache.
func (c pastCache) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	return c.api.Get(ctx, key, obj, opts...)
}

// Update writes without claiming the change of the object as foreseen.
func (c pastCache) Update(ctx context.Context, obj client.Object, opts ...client.UpdateOption) error {
	before := obj.GetResourceVersion()
	err := c.Client.Update(ctx, obj, opts...)
	if err == nil {
		c.writes.wrote(obj.GetUID(), before, obj.GetResourceVersion())
	}
	return err
}
