// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"
	"fmt"
	"reflect"

	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
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
	api      client.Reader // past the cache
	retrying managed.CriticalAnnotationUpdater
}

func newCriticalAnnotations(k kube, api client.Reader) criticalAnnotations {
	return criticalAnnotations{kube: k, api: api, retrying: managed.NewRetryingCriticalAnnotationUpdater(pastCache{kube: k, api: api})}
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
	err := u.retrying.UpdateCriticalAnnotations(ctx, o)
	c.gone = kerrors.IsNotFound(err)
	if err != nil && !c.gone && c.takeBack != nil {
		c.takeBack, c.unrecorded = u.ifGone(o, c.takeBack), true
	}
	return err
}

// ifGone is takeBack for an object of which nobody knows whether it is gone. One that
// is there finds what was made for it by itself.
func (u criticalAnnotations) ifGone(o client.Object, takeBack func(context.Context) error) func(context.Context) error {
	key, uid, kind := client.ObjectKeyFromObject(o), o.GetUID(), o.GetObjectKind().GroupVersionKind()
	return func(ctx context.Context) error {
		now := &metav1.PartialObjectMetadata{}
		now.SetGroupVersionKind(kind)
		switch err := u.api.Get(ctx, key, now); {
		case err == nil && now.GetUID() == uid:
			return nil
		case client.IgnoreNotFound(err) != nil:
			return fmt.Errorf("cannot see whether the object is gone that something was created for: %w", err)
		}
		return takeBack(ctx)
	}
}

// pastCache is the client of the runtime's updater. After a conflict it reads the
// object anew, five times within 50 ms: a cache that lags behind would give the
// same old version each time, and the external name would be lost. What it writes
// wakes the object, as the runtime means it to.
type pastCache struct {
	kube

	api client.Reader
}

// Get reads past the cache. Another object of the same name is not the one that is
// asked for, which is gone: what was created for one must not become another's.
func (c pastCache) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	// Into an object of its own, or what is decoded would be mixed with what was
	// there.
	now := reflect.New(reflect.TypeOf(obj).Elem())
	fresh, ok := now.Interface().(client.Object)
	if !ok {
		return fmt.Errorf("cannot read a %T", obj)
	}
	if err := c.api.Get(ctx, key, fresh, opts...); err != nil {
		return err
	}
	if fresh.GetUID() != obj.GetUID() {
		return kerrors.NewNotFound(schema.GroupResource{Group: obj.GetObjectKind().GroupVersionKind().Group, Resource: "object"}, string(obj.GetUID()))
	}
	reflect.ValueOf(obj).Elem().Set(now.Elem())
	return nil
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
