// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package fairqueue

import (
	"slices"
	"time"
)

// An owner has items that are ready, or that workers have.
type owner[T comparable] struct {
	Owner

	places  places
	entries entryHeap[T] // those that are ready
	at      int          // in the queue's list, while there are any
	working int
}

// A work is an item that a worker has. The groups that it counts against stay the same
// even if the credential of its owner changes meanwhile.
type work[T comparable] struct {
	owner  *owner[T]
	places places
}

// ownerOf returns an owner, creating it if needed. tidy drops an owner without items.
// q.mu is held.
func (q *Queue[T]) ownerOf(key Owner) *owner[T] {
	o, ok := q.owners[key]
	if !ok {
		o = &owner[T]{
			Owner:   key,
			places:  q.shares.refer(key, q.o.Credential(key.Config)),
			entries: entryHeap[T]{less: moreUrgent[T]},
		}
		q.owners[key] = o
	}
	return o
}

// available reports whether there is an item to hand out.
func (q *Queue[T]) available() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.ContainsFunc(q.ready, q.hasRoom)
}

// take returns the next entry for a worker, or nil if there is none.
func (q *Queue[T]) take() *entry[T] {
	q.mu.Lock()
	defer q.mu.Unlock()
	o := q.best()
	// An owner's first items come before the credential of its config is known.
	for o != nil && q.refresh(o) {
		o = q.best()
	}
	if o == nil {
		return nil
	}
	e := o.entries.first()
	w := &work[T]{owner: o, places: q.shares.refer(o.Owner, o.places.names[2])}
	q.working[e.item] = w
	o.working++
	q.shares.begin(w.places)
	q.counter++
	q.handed++
	w.places.tenant.turn = q.counter
	q.leave(e)
	delete(q.entries, e.item)
	if q.o.Taken != nil {
		q.o.Taken(e.item, time.Since(e.since))
	}
	return e
}

// best returns the owner of the next item, or nil if no owner with a ready item has
// room. q.mu is held.
func (q *Queue[T]) best() *owner[T] {
	var best *owner[T]
	before := (*owner[T]).before
	if q.handed%fairTurns == fairTurns-1 {
		before = (*owner[T]).waitsLonger
	}
	for _, o := range q.ready {
		if (best == nil || before(o, best)) && q.hasRoom(o) {
			best = o
		}
	}
	return best
}

// fairTurns is how often the turn of a tenant counts for more than priorities: one of so
// many items is the most urgent one of the tenant that has waited longest. Without it, a
// tenant that keeps changing its objects would have the new objects of all other tenants
// wait for ever.
const fairTurns = 4

// waitsLonger is before, with the turns of tenants before priorities.
func (o *owner[T]) waitsLonger(other *owner[T]) bool {
	if o.places.tenant.turn != other.places.tenant.turn {
		return o.places.tenant.turn < other.places.tenant.turn
	}
	return o.before(other)
}

// before reports whether the first ready item of o comes before that of other.
func (o *owner[T]) before(other *owner[T]) bool {
	a, b := o.entries.first(), other.entries.first()
	switch {
	case a.priority != b.priority:
		return a.priority > b.priority
	case o.places.tenant.turn != other.places.tenant.turn:
		return o.places.tenant.turn < other.places.tenant.turn
	}
	return a.number < b.number
}

// hasRoom reports whether an owner may have one more worker. An owner whose credential
// was replaced does not wait for calls that hang with the old one. q.mu is held.
func (q *Queue[T]) hasRoom(o *owner[T]) bool {
	return q.shares.room(o.places, o.working) || (q.refresh(o) && q.shares.room(o.places, o.working))
}

// refresh reports whether the credential of an owner's config has changed, and takes
// over the new one. q.mu is held.
func (q *Queue[T]) refresh(o *owner[T]) bool {
	now := q.o.Credential(o.Config)
	if now == o.places.names[2] {
		return false
	}
	was := o.places
	o.places = q.shares.refer(o.Owner, now)
	q.shares.drop(was)
	return true
}

// tidy drops what an owner does not need any more. q.mu is held.
func (q *Queue[T]) tidy(o *owner[T]) {
	if o.entries.Len() > 0 {
		return
	}
	if n := len(q.ready); n > o.at && q.ready[o.at] == o {
		last := q.ready[n-1]
		q.ready[o.at], last.at = last, o.at
		q.ready[n-1] = nil
		q.ready = q.ready[:n-1]
	}
	if o.working == 0 {
		delete(q.owners, o.Owner)
		q.shares.drop(o.places)
	}
}

// Each calls f with every item that is ready, and with whether the item waits because
// its owner has no room. f must return at once.
func (q *Queue[T]) Each(f func(item T, priority int, noRoom bool)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, o := range q.ready {
		noRoom := !q.hasRoom(o)
		for _, e := range o.entries.entries {
			f(e.item, e.priority, noRoom)
		}
	}
}
