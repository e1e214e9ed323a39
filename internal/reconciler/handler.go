// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// Enqueue adds objects of a kind to the pool's queue.
func Enqueue(q workers.Queue, priority int, kind schema.GroupKind, objects ...client.ObjectKey) {
	for _, o := range objects {
		r := workers.Request{Kind: kind, NamespacedName: o}
		if pq, ok := q.(priorityqueue.PriorityQueue[workers.Request]); ok {
			pq.AddWithOpts(priorityqueue.AddOpts{Priority: ptr.To(priority)}, r)
			continue
		}
		q.Add(r)
	}
}

// An EventHandler enqueues the objects of a kind whose desired state changed, unless the change is
// a write of the reconcile that is at work on them.
type EventHandler struct {
	// Kind is the kind of the objects in the pool's queue.
	Kind    schema.GroupKind
	Desired predicate.Predicate
	// Writes records what the process wrote to the objects.
	Writes *Writes
	// Lost is called with the UID of each object that may not exist any more.
	Lost func(types.UID)
	// Seen is called with each object that is new or changed, before it is enqueued. It may be nil.
	Seen func(client.Object)
	// Gone is called with each object that is gone. It may be nil.
	Gone func(client.Object)
}

// Create enqueues a new object, or an object of the initial list.
func (h EventHandler) Create(_ context.Context, e event.CreateEvent, q workers.Queue) {
	h.see(e.Object)
	priority := PriorityCreate
	if e.IsInInitialList {
		priority = startPriority(e.Object)
	}
	Enqueue(q, priority, h.Kind, client.ObjectKeyFromObject(e.Object))
}

func (h EventHandler) see(o client.Object) {
	if h.Seen != nil {
		h.Seen(o)
	}
}

// startPriority returns the priority of an object that exists when the process starts: a user may
// have waited for it since before the start.
func startPriority(o client.Object) int {
	mg, ok := o.(resource.Managed)
	switch {
	case !ok:
		return PriorityPoll
	case meta.WasDeleted(o):
		return PriorityEdit
	case meta.GetExternalName(o) == "":
		return PriorityCreate
	case mg.GetCondition(xpv2.TypeSynced).ObservedGeneration != o.GetGeneration():
		return PriorityEdit
	}
	return PriorityPoll
}

// Update enqueues an object whose desired state changed. An event that spans more than one write,
// as after a lost watch, never counts as this process's own.
func (h EventHandler) Update(ctx context.Context, e event.UpdateEvent, q workers.Queue) {
	if e.ObjectOld.GetUID() != e.ObjectNew.GetUID() {
		// The watch missed that one object was deleted and another took its name.
		h.Delete(ctx, event.DeleteEvent{Object: e.ObjectOld}, q)
		h.Create(ctx, event.CreateEvent{Object: e.ObjectNew}, q)
		return
	}
	h.see(e.ObjectNew)
	priority := PriorityEdit
	if meta.GetExternalName(e.ObjectOld) == "" && meta.GetExternalName(e.ObjectNew) != "" {
		priority = PriorityCreate // The creation continues, unless a user imports by ID: that can wait as long.
	}
	wake := func() { Enqueue(q, priority, h.Kind, client.ObjectKeyFromObject(e.ObjectNew)) }
	changed := h.Desired.Update(e)
	if !changed {
		wake = func() {}
	}
	if !h.Writes.IsOwn(e.ObjectOld, e.ObjectNew, wake) {
		wake()
	}
}

// Delete enqueues nothing: nothing is left to do for an object that is gone. The journal removes
// what is being created for it.
func (h EventHandler) Delete(_ context.Context, e event.DeleteEvent, _ workers.Queue) {
	h.Writes.Forget(e.Object.GetUID())
	h.Lost(e.Object.GetUID())
	if h.Gone != nil {
		h.Gone(e.Object)
	}
}

// Generic enqueues an object.
func (h EventHandler) Generic(_ context.Context, e event.GenericEvent, q workers.Queue) {
	Enqueue(q, PriorityCreate, h.Kind, client.ObjectKeyFromObject(e.Object))
}
