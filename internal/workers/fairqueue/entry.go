// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package fairqueue

import (
	"container/heap"
	"time"
)

// An entry is an item that is in the queue. It is in one heap at most: that of the
// delayed entries or that of its owner's ready ones. An entry that is ready while a
// worker has its item is in neither.
type entry[T comparable] struct {
	item     T
	of       Owner
	priority int
	// due is when the entry becomes ready. It is zero for a ready entry.
	due time.Time
	// since is when the entry became ready. number orders the ready entries.
	since  time.Time
	number uint64

	in *entryHeap[T]
	at int
}

func (e *entry[T]) isReady() bool { return e.due.IsZero() }

func dueBefore[T comparable](a, b *entry[T]) bool { return a.due.Before(b.due) }

func moreUrgent[T comparable](a, b *entry[T]) bool {
	if a.priority != b.priority {
		return a.priority > b.priority
	}
	return a.number < b.number
}

// An entryHeap has the least of its entries first. It implements heap.Interface for
// push, remove and first, which the rest of the package uses.
type entryHeap[T comparable] struct {
	entries []*entry[T]
	less    func(a, b *entry[T]) bool
}

func (h *entryHeap[T]) push(e *entry[T])   { heap.Push(h, e) }
func (h *entryHeap[T]) remove(e *entry[T]) { heap.Remove(h, e.at) }

// first returns the least entry, or nil if there is none.
func (h *entryHeap[T]) first() *entry[T] {
	if len(h.entries) == 0 {
		return nil
	}
	return h.entries[0]
}

// Len implements heap.Interface.
func (h *entryHeap[T]) Len() int { return len(h.entries) }

// Less implements heap.Interface.
func (h *entryHeap[T]) Less(i, j int) bool { return h.less(h.entries[i], h.entries[j]) }

// Swap implements heap.Interface.
func (h *entryHeap[T]) Swap(i, j int) {
	h.entries[i], h.entries[j] = h.entries[j], h.entries[i]
	h.entries[i].at, h.entries[j].at = i, j
}

// Push implements heap.Interface.
func (h *entryHeap[T]) Push(x any) {
	if e, ok := x.(*entry[T]); ok {
		e.in, e.at = h, len(h.entries)
		h.entries = append(h.entries, e)
	}
}

// Pop implements heap.Interface.
func (h *entryHeap[T]) Pop() any {
	last := len(h.entries) - 1
	e := h.entries[last]
	h.entries[last] = nil
	h.entries = h.entries[:last]
	e.in = nil
	return e
}

// add puts an item into the queue, or moves its entry forward if it is there.
func (q *Queue[T]) add(item T, of Owner, priority int, after time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ShuttingDown() {
		return
	}
	var due time.Time
	if after > 0 {
		due = time.Now().Add(after)
	}
	e, ok := q.entries[item]
	if !ok {
		e = &entry[T]{item: item, of: of, priority: priority, due: due}
		q.entries[item] = e
		q.enter(e)
		return
	}
	q.leave(e)
	wasReady, raised := e.isReady(), priority > e.priority
	e.of, e.priority = of, max(priority, e.priority)
	if due.Before(e.due) {
		e.due = due
	}
	if wasReady && !raised {
		q.place(e)
		return
	}
	q.enter(e)
}

// enter places an entry behind the ready entries of its priority. q.mu is held.
func (q *Queue[T]) enter(e *entry[T]) {
	if e.isReady() {
		q.counter++
		e.number = q.counter
		if e.since.IsZero() {
			e.since = time.Now()
		}
	}
	q.place(e)
}

// place puts an entry into the heap where it belongs. q.mu is held.
func (q *Queue[T]) place(e *entry[T]) {
	if !e.isReady() {
		q.delayed.push(e)
		q.schedule()
		return
	}
	if _, ok := q.working[e.item]; ok {
		return // Done places it.
	}
	o := q.ownerOf(e.of)
	if o.entries.Len() == 0 {
		o.at = len(q.ready)
		q.ready = append(q.ready, o)
	}
	o.entries.push(e)
	q.notify()
}

// leave removes an entry from its heap, for place or for a worker. q.mu is held.
func (q *Queue[T]) leave(e *entry[T]) {
	if e.in == nil {
		return
	}
	e.in.remove(e)
	if o, ok := q.owners[e.of]; ok && e.isReady() {
		q.tidy(o)
	}
}

// schedule sets the timer to fire when the first delayed entry is due. q.mu is held.
func (q *Queue[T]) schedule() {
	e := q.delayed.first()
	switch {
	case e == nil || q.ShuttingDown():
	case q.timer == nil:
		q.timer = time.AfterFunc(time.Until(e.due), q.release)
	default:
		q.timer.Reset(time.Until(e.due))
	}
}

// release makes the due entries ready.
func (q *Queue[T]) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	for e := q.delayed.first(); e != nil && !e.due.After(now); e = q.delayed.first() {
		q.delayed.remove(e)
		e.due = time.Time{}
		q.enter(e)
	}
	q.schedule()
}
