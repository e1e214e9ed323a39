// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// writes remembers what this process wrote to the objects of a kind until the
// cache shows it. It tells two things: whether an event is nothing but a write of
// our own, and whether the cache is behind one. It is safe for concurrent use.
type writes struct {
	mu     sync.Mutex
	trails map[types.UID]*trail
}

// A trail is what is not known to be in the cache yet of one object.
type trail struct {
	// steps are changes of the object itself, in order, each from the resource
	// version that the one before led to.
	steps []*step
	// last is the resource version of the last write, "" once the cache had it.
	last string
}

// A step leads from one resource version to the next, as every update does that
// names the version it is based on: nothing of anyone else is in between.
type step struct {
	from string
	// to is "" while the request is under way.
	to string
	// early is an event that came before the answer to the request did.
	early *earlyEvent
}

type earlyEvent struct {
	to   string
	wake func()
}

func newWrites() *writes { return &writes{trails: map[types.UID]*trail{}} }

// begin is called before an update of the object is sent. The function it gives
// is called with the resource version in the answer, or "" if there was none.
func (w *writes) begin(uid types.UID, from string) func(to string) {
	s := &step{from: from}
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.trail(uid)
	t.steps = append(t.steps, s)
	return func(to string) { w.end(uid, s, to) }
}

func (w *writes) end(uid types.UID, s *step, to string) {
	w.mu.Lock()
	early := s.early
	s.to, s.early = to, nil
	if t, ok := w.trails[uid]; !ok || !slices.Contains(t.steps, s) {
		to = "" // The object has gone meanwhile: forget was called.
	}
	if early != nil || to == "" || to == s.from {
		w.drop(uid, s)
	}
	if to != "" {
		w.setLast(uid, s.from, to)
	}
	if early != nil && early.to == to {
		w.caught(uid, to)
	}
	w.mu.Unlock()
	if early != nil && early.to != to {
		early.wake()
	}
}

// wrote is called after any other write, such as one of the status.
func (w *writes) wrote(uid types.UID, from, to string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setLast(uid, from, to)
}

// own reports whether an event shows one step of ours and nothing else. While the
// answer that would tell is still under way, it is taken for ours, and wake is
// called if it turns out not to be.
func (w *writes) own(before, after client.Object, wake func()) bool {
	uid, from, to := after.GetUID(), before.GetResourceVersion(), after.GetResourceVersion()
	if from == to {
		return false // The informer's resync shows no change of anyone.
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.caught(uid, from)
	t, ok := w.trails[uid]
	if !ok {
		return false
	}
	defer w.caught(uid, to)
	i := slices.IndexFunc(t.steps, func(s *step) bool { return s.from == from })
	if i < 0 {
		return false
	}
	s := t.steps[i]
	if s.to == "" {
		s.early = &earlyEvent{to: to, wake: wake}
		return true
	}
	return s.to == to
}

// behind reports whether the cache, which shows that version, may be older than
// what this process wrote. Steps stay: the cache shows a version some time before
// its event is told, which own then has to know.
func (w *writes) behind(uid types.UID, cached string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	t, ok := w.trails[uid]
	if !ok {
		return false
	}
	if t.last == cached {
		t.last = ""
		w.clean(uid, t)
	}
	return t.last != ""
}

// forget is called when the object is gone.
func (w *writes) forget(uid types.UID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.trails, uid)
}

func (w *writes) trail(uid types.UID) *trail {
	t, ok := w.trails[uid]
	if !ok {
		t = &trail{}
		w.trails[uid] = t
	}
	return t
}

// setLast notes a write. One that changed nothing leaves the version as it was,
// and shows that the cache had the latest.
func (w *writes) setLast(uid types.UID, from, to string) {
	if from == to {
		if t, ok := w.trails[uid]; ok {
			t.last = ""
			w.clean(uid, t)
		}
		return
	}
	w.trail(uid).last = to
}

// caught drops what the cache has by the time it shows that version.
func (w *writes) caught(uid types.UID, version string) {
	t, ok := w.trails[uid]
	if !ok {
		return
	}
	if t.last == version {
		t.last = ""
	}
	if i := slices.IndexFunc(t.steps, func(s *step) bool { return s.to == version }); i >= 0 {
		t.steps = slices.Delete(t.steps, 0, i+1)
	}
	w.clean(uid, t)
}

func (w *writes) drop(uid types.UID, s *step) {
	if t, ok := w.trails[uid]; ok {
		t.steps = slices.DeleteFunc(t.steps, func(o *step) bool { return o == s })
		w.clean(uid, t)
	}
}

func (w *writes) clean(uid types.UID, t *trail) {
	if t.last == "" && len(t.steps) == 0 {
		delete(w.trails, uid)
	}
}
