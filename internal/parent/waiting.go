// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"maps"
	"slices"
	"sync"
)

// Waiters is the set of objects that wait for something to appear below a parent, by the
// parent's key. A sweep that shows a change wakes them, because the ID of what they wait
// for is not known. Each object waits below one parent at a time. The zero value is empty.
// It is safe for concurrent use.
type Waiters[T comparable] struct {
	mu    sync.Mutex
	below map[string]map[T]struct{}
	where map[T]string
}

// Add notes that an object waits. To miss nothing, call Add before the look that may find
// nothing.
func (w *Waiters[T]) Add(key string, who T) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remove(who)
	if w.below == nil {
		w.below, w.where = map[string]map[T]struct{}{}, map[T]string{}
	}
	if w.below[key] == nil {
		w.below[key] = map[T]struct{}{}
	}
	w.below[key][who] = struct{}{}
	w.where[who] = key
}

// Remove notes that an object does not wait any more.
func (w *Waiters[T]) Remove(who T) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remove(who)
}

func (w *Waiters[T]) remove(who T) {
	key, ok := w.where[who]
	if !ok {
		return
	}
	delete(w.where, who)
	delete(w.below[key], who)
	if len(w.below[key]) == 0 {
		delete(w.below, key)
	}
}

// Of returns the objects that wait below a parent.
func (w *Waiters[T]) Of(key string) []T {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Keys(w.below[key]))
}

// Take returns the objects that wait below a parent, and removes them.
func (w *Waiters[T]) Take(key string) []T {
	out := w.Of(key)
	for _, who := range out {
		w.Remove(who)
	}
	return out
}
