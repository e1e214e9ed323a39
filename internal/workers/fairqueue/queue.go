// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package fairqueue is a work queue that many owners share. It decides whose item a
// worker gets next, and how fast. It knows no Kubernetes objects.
package fairqueue

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

// Options are the settings of a Queue.
type Options[T comparable] struct {
	Shares Shares
	// Rate bounds how many items a second are handed out. A token is taken only if there
	// is an item to hand out, and by one worker at a time.
	Rate *rate.Limiter
	// Backoff returns the delay of an item that is added with RateLimited.
	Backoff workqueue.TypedRateLimiter[T]
	// Owner returns the owner of an item. It is called when the item is added, by the
	// caller that adds it, with no lock held.
	Owner func(T) Owner
	// Credential returns what a config authenticates with now, or "" if that is not
	// known. It must return at once. If it is nil, no credential is known.
	Credential func(config string) string
	// Taken is called with each item that is handed out, and how long it was ready. It
	// must return at once. It may be nil.
	Taken func(item T, waited time.Duration)
}

// A Queue hands items to workers. Each item is in it once, with the highest of its
// priorities and the earliest of its times. No two workers have the same item: an item
// that is added while a worker has it is handed out again after Done.
//
// The next item is one of the highest priority among the ready items whose owner has
// room. Among those, the tenant whose last turn is longest ago comes first. Among the
// tenant's items, the one that has been ready longest comes first. Every few items, the
// turns of tenants count before priorities (see fairTurns).
//
// A queue without items has no goroutines and takes no tokens.
type Queue[T comparable] struct {
	o Options[T]
	// open ends when the queue is shut down.
	open     context.Context //nolint:containedctx // The queue's interface knows no contexts.
	shutDown context.CancelFunc
	// next is held by the one worker that waits for an item or for a token.
	next chan struct{}
	// changed has a value after an item became ready or a worker became free.
	changed chan struct{}

	mu      sync.Mutex
	entries map[T]*entry[T]
	delayed entryHeap[T]
	timer   *time.Timer // fires when the first of delayed is due
	working map[T]*work[T]
	owners  map[Owner]*owner[T]
	ready   []*owner[T] // those with items that are ready
	shares  shares
	counter uint64 // of items that became ready and of turns
	handed  uint64 // items handed out
}

var _ priorityqueue.PriorityQueue[int] = &Queue[int]{}

// New returns a Queue.
func New[T comparable](o Options[T]) *Queue[T] {
	if o.Credential == nil {
		o.Credential = func(string) string { return "" }
	}
	open, shutDown := context.WithCancel(context.Background()) //nolint:gosec // ShutDown calls it.
	return &Queue[T]{
		o:        o,
		open:     open,
		shutDown: shutDown,
		next:     make(chan struct{}, 1),
		changed:  make(chan struct{}, 1),
		entries:  map[T]*entry[T]{},
		delayed:  entryHeap[T]{less: dueBefore[T]},
		working:  map[T]*work[T]{},
		owners:   map[Owner]*owner[T]{},
		shares:   newShares(o.Shares),
	}
}

// GetWithPriority waits for an item whose owner has room, then for a token, and returns
// the item that is next by then. shutdown is true if the queue is shut down.
func (q *Queue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	select {
	case q.next <- struct{}{}:
		defer func() { <-q.next }()
	case <-q.open.Done():
	}
	token := false
	for q.open.Err() == nil {
		switch {
		case !q.available():
			select {
			case <-q.changed:
			case <-q.open.Done():
			}
		case !token:
			token = q.o.Rate.Wait(q.open) == nil
		default:
			if e := q.take(); e != nil {
				return e.item, e.priority, false
			}
		}
	}
	return item, 0, true
}

// Get is GetWithPriority without the priority.
func (q *Queue[T]) Get() (item T, shutdown bool) {
	item, _, shutdown = q.GetWithPriority()
	return item, shutdown
}

// Done records that the worker has finished with item.
func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w, ok := q.working[item]
	if !ok {
		return
	}
	delete(q.working, item)
	q.shares.end(w.places)
	q.shares.drop(w.places)
	w.owner.working--
	q.tidy(w.owner)
	if e, ok := q.entries[item]; ok && e.isReady() {
		q.place(e)
	}
	q.notify()
}

// AddWithOpts adds items. It does nothing if the queue is shut down.
func (q *Queue[T]) AddWithOpts(o priorityqueue.AddOpts, items ...T) {
	for _, item := range items {
		after := o.After
		if o.RateLimited {
			if backoff := q.o.Backoff.When(item); after == 0 || backoff < after {
				after = backoff
			}
		}
		q.add(item, q.o.Owner(item), ptr.Deref(o.Priority, 0), after)
	}
}

// Add adds an item that is ready.
func (q *Queue[T]) Add(item T) { q.AddWithOpts(priorityqueue.AddOpts{}, item) }

// AddAfter adds an item that will be ready after a while.
func (q *Queue[T]) AddAfter(item T, after time.Duration) {
	q.AddWithOpts(priorityqueue.AddOpts{After: after}, item)
}

// AddRateLimited adds an item that will be ready after its backoff.
func (q *Queue[T]) AddRateLimited(item T) {
	q.AddWithOpts(priorityqueue.AddOpts{RateLimited: true}, item)
}

// Forget ends the backoff of an item.
func (q *Queue[T]) Forget(item T) { q.o.Backoff.Forget(item) }

// NumRequeues returns how often in a row an item was added with its backoff.
func (q *Queue[T]) NumRequeues(item T) int { return q.o.Backoff.NumRequeues(item) }

// Len returns the number of ready items.
func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.entries) - q.delayed.Len()
}

// ShutDown releases all workers that wait.
func (q *Queue[T]) ShutDown() {
	q.shutDown()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.timer != nil {
		q.timer.Stop()
	}
}

// ShutDownWithDrain is ShutDown: a controller waits for its workers itself.
func (q *Queue[T]) ShutDownWithDrain() { q.ShutDown() }

// ShuttingDown reports whether the queue is shut down.
func (q *Queue[T]) ShuttingDown() bool { return q.open.Err() != nil }

func (q *Queue[T]) notify() {
	select {
	case q.changed <- struct{}{}:
	default:
	}
}
