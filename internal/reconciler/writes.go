// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Writes remembers what this process wrote to the objects of a kind until the cache
// shows it. It answers two questions: whether an event shows nothing but a write of
// this process, and whether the cache is behind one. It is safe for concurrent use.
type Writes struct {
	mu      sync.Mutex
	objects map[types.UID]*objectWrites
}

// objectWrites are the writes to one object that are not known to be in the cache yet.
type objectWrites struct {
	// updates are changes of the object itself, in order. Each starts at the resource
	// version that the previous one led to.
	updates []*update
	// last is the resource version of the last write, "" once the cache had it.
	last string
}

// An update leads from one resource version to the next. An update names the version
// that it is based on, so no other client's write is in between.
type update struct {
	from string
	// to is "" while the request is under way.
	to string
	// early is an event that arrived before the answer to the request.
	early *earlyEvent
}

type earlyEvent struct {
	to   string
	wake func()
}

func newWrites() *Writes { return &Writes{objects: map[types.UID]*objectWrites{}} }

// Begin is called before an update of the object is sent. The function it returns is
// called with the resource version in the answer, or "" if there was none.
func (w *Writes) Begin(uid types.UID, from string) func(to string) {
	u := &update{from: from}
	w.mu.Lock()
	defer w.mu.Unlock()
	o := w.object(uid)
	o.updates = append(o.updates, u)
	return func(to string) { w.end(uid, u, to) }
}

func (w *Writes) end(uid types.UID, u *update, to string) {
	w.mu.Lock()
	early := u.early
	u.to, u.early = to, nil
	if o, ok := w.objects[uid]; !ok || !slices.Contains(o.updates, u) {
		to = "" // The object has gone meanwhile: Forget was called.
	}
	if early != nil || to == "" || to == u.from {
		w.drop(uid, u)
	}
	if to != "" {
		w.setLast(uid, u.from, to)
	}
	if early != nil && early.to == to {
		w.dropCached(uid, to)
	}
	w.mu.Unlock()
	if early != nil && early.to != to {
		early.wake()
	}
}

// Wrote is called after any other write, such as one of the status.
func (w *Writes) Wrote(uid types.UID, from, to string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setLast(uid, from, to)
}

// IsOwn reports whether an event shows one update of this process and nothing else.
// While the answer to the update is under way, IsOwn assumes that it does, and wake is
// called if the event turns out to show another change.
func (w *Writes) IsOwn(before, after client.Object, wake func()) bool {
	uid, from, to := after.GetUID(), before.GetResourceVersion(), after.GetResourceVersion()
	if from == to {
		return false // A resync of the informer shows no change.
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dropCached(uid, from)
	o, ok := w.objects[uid]
	if !ok {
		return false
	}
	defer w.dropCached(uid, to)
	i := slices.IndexFunc(o.updates, func(u *update) bool { return u.from == from })
	if i < 0 {
		return false
	}
	u := o.updates[i]
	if u.to == "" {
		u.early = &earlyEvent{to: to, wake: wake}
		return true
	}
	return u.to == to
}

// Behind reports whether the cache may be older than the last write of this process.
// cached is the version that the cache shows. Behind keeps the updates for IsOwn: the
// cache shows a version some time before its event arrives.
func (w *Writes) Behind(uid types.UID, cached string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	o, ok := w.objects[uid]
	if !ok {
		return false
	}
	if o.last == cached {
		o.last = ""
		w.clean(uid, o)
	}
	return o.last != ""
}

// Forget is called when the object is gone.
func (w *Writes) Forget(uid types.UID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.objects, uid)
}

func (w *Writes) object(uid types.UID) *objectWrites {
	o, ok := w.objects[uid]
	if !ok {
		o = &objectWrites{}
		w.objects[uid] = o
	}
	return o
}

// setLast records a write. A write that changed nothing leaves the version as it was,
// and shows that the cache had the latest.
func (w *Writes) setLast(uid types.UID, from, to string) {
	if from == to {
		if o, ok := w.objects[uid]; ok {
			o.last = ""
			w.clean(uid, o)
		}
		return
	}
	w.object(uid).last = to
}

// dropCached drops the writes that the cache has when it shows that version.
func (w *Writes) dropCached(uid types.UID, version string) {
	o, ok := w.objects[uid]
	if !ok {
		return
	}
	if o.last == version {
		o.last = ""
	}
	if i := slices.IndexFunc(o.updates, func(u *update) bool { return u.to == version }); i >= 0 {
		o.updates = slices.Delete(o.updates, 0, i+1)
	}
	w.clean(uid, o)
}

func (w *Writes) drop(uid types.UID, u *update) {
	if o, ok := w.objects[uid]; ok {
		o.updates = slices.DeleteFunc(o.updates, func(other *update) bool { return other == u })
		w.clean(uid, o)
	}
}

func (w *Writes) clean(uid types.UID, o *objectWrites) {
	if o.last == "" && len(o.updates) == 0 {
		delete(w.objects, uid)
	}
}
