// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// shows reports whether the API server has obj exactly as it is: the cache shows
// the same, at the same resource version, and is not behind a write of our own,
// which may have said something else.
func shows(ctx context.Context, kube client.Reader, w *writes, obj client.Object) bool {
	cached, ok := reflect.New(reflect.TypeOf(obj).Elem()).Interface().(client.Object)
	// It is only read, so the cache's own copy will do.
	if !ok || kube.Get(ctx, client.ObjectKeyFromObject(obj), cached, client.UnsafeDisableDeepCopy) != nil {
		return false
	}
	if cached.GetResourceVersion() != obj.GetResourceVersion() || w.behind(obj.GetUID(), cached.GetResourceVersion()) {
		return false
	}
	cached.GetObjectKind().SetGroupVersionKind(obj.GetObjectKind().GroupVersionKind())
	return equality.Semantic.DeepEqual(cached, obj)
}

// Quiet is mgr with a client that sends no update which changes nothing, and does
// not copy what it lists: for a reconciler of the runtime that updates its object
// each time, and counts what it lists.
func Quiet(mgr ctrl.Manager) ctrl.Manager {
	return withClient{Manager: mgr, kube: quiet{Client: mgr.GetClient(), writes: newWrites()}}
}

type quiet struct {
	client.Client

	writes *writes
}

// List lists what must not be changed.
func (q quiet) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	return q.Client.List(ctx, list, append(opts[:len(opts):len(opts)], client.UnsafeDisableDeepCopy)...)
}

// Update sends obj, if it is not what the API server has.
func (q quiet) Update(ctx context.Context, obj client.Object, opts ...client.UpdateOption) error {
	return q.unlessShown(ctx, obj, func() error { return q.Client.Update(ctx, obj, opts...) })
}

// Status gives the writer of statuses.
func (q quiet) Status() client.SubResourceWriter {
	return quietStatus{SubResourceWriter: q.Client.Status(), quiet: q}
}

type quietStatus struct {
	client.SubResourceWriter

	quiet quiet
}

// Update sends the status of obj, if it is not what the API server has.
func (s quietStatus) Update(ctx context.Context, obj client.Object, opts ...client.SubResourceUpdateOption) error {
	return s.quiet.unlessShown(ctx, obj, func() error { return s.SubResourceWriter.Update(ctx, obj, opts...) })
}

func (q quiet) unlessShown(ctx context.Context, obj client.Object, send func() error) error {
	if shows(ctx, q.Client, q.writes, obj) {
		return nil
	}
	from := obj.GetResourceVersion()
	if err := send(); err != nil {
		return err
	}
	q.writes.wrote(obj.GetUID(), from, obj.GetResourceVersion())
	return nil
}

// Later is h, but what it enqueues waits for d: thousands of events about one
// object then are one reconcile each d, rather than one after the other.
func Later(h handler.EventHandler, d time.Duration) handler.EventHandler {
	return later{h: h, d: d}
}

type later struct {
	h handler.EventHandler
	d time.Duration
}

// Create handles a creation.
func (l later) Create(ctx context.Context, e event.CreateEvent, q Queue) {
	l.h.Create(ctx, e, delayed{Queue: q, d: l.d})
}

// Update handles an update.
func (l later) Update(ctx context.Context, e event.UpdateEvent, q Queue) {
	l.h.Update(ctx, e, delayed{Queue: q, d: l.d})
}

// Delete handles a deletion.
func (l later) Delete(ctx context.Context, e event.DeleteEvent, q Queue) {
	l.h.Delete(ctx, e, delayed{Queue: q, d: l.d})
}

// Generic handles any other event.
func (l later) Generic(ctx context.Context, e event.GenericEvent, q Queue) {
	l.h.Generic(ctx, e, delayed{Queue: q, d: l.d})
}

// delayed is a queue that has no priorities to give.
type delayed struct {
	Queue

	d time.Duration
}

// Add adds after the delay.
func (q delayed) Add(r reconcile.Request) { q.AddAfter(r, q.d) }
