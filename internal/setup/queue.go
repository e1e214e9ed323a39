// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"

	"golang.org/x/time/rate"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A pacedQueue hands objects out no faster than its limiter allows, and no more at
// a time of one provider config than its share. Who takes one first waits for leave
// and then takes what is most urgent by then. The other way round, which is what a
// limiter within the reconciler comes to, each object has its turn behind all that
// came before it, however urgent it is.
type pacedQueue struct {
	priorityqueue.PriorityQueue[reconcile.Request]

	limit  *rate.Limiter
	shares *shares
	// open ends when the queue is shut down.
	open   context.Context //nolint:containedctx // The queue's interface knows no contexts.
	closed context.CancelFunc
}

// newQueue makes the queue of a controller, for controller.Options.NewQueue.
func newQueue(limit *rate.Limiter, s *shares) func(string, workqueue.TypedRateLimiter[reconcile.Request]) Queue {
	return func(name string, backoff workqueue.TypedRateLimiter[reconcile.Request]) Queue {
		open, closed := context.WithCancel(context.Background())
		return &pacedQueue{
			PriorityQueue: priorityqueue.New(name, func(o *priorityqueue.Opts[reconcile.Request]) { o.RateLimiter = backoff }),
			limit:         limit,
			shares:        s,
			open:          open,
			closed:        closed,
		}
	}
}

// GetWithPriority waits for leave, then for an object whose provider config has not
// its share already. It gives true when the queue is shut down.
func (q *pacedQueue) GetWithPriority() (item reconcile.Request, priority int, shutdown bool) {
	if q.limit.Wait(q.open) != nil {
		return reconcile.Request{}, 0, true
	}
	for {
		item, priority, shutdown = q.PriorityQueue.GetWithPriority()
		if shutdown || q.shares.take(item, priority) {
			return item, priority, shutdown
		}
		q.PriorityQueue.Done(item)
	}
}

// Done says that item is no longer worked on. What waited for that is next.
func (q *pacedQueue) Done(item reconcile.Request) {
	next := q.shares.done(item)
	q.PriorityQueue.Done(item)
	for _, w := range next {
		Enqueue(q, w.priority, w.item.NamespacedName)
	}
}

// Len is how many objects wait, for whatever.
func (q *pacedQueue) Len() int { return q.PriorityQueue.Len() + q.shares.waiting() }

// Get is GetWithPriority.
func (q *pacedQueue) Get() (item reconcile.Request, shutdown bool) {
	item, _, shutdown = q.GetWithPriority()
	return item, shutdown
}

// ShutDown lets everybody who waits go.
func (q *pacedQueue) ShutDown() {
	q.closed()
	q.PriorityQueue.ShutDown()
}

// ShutDownWithDrain is ShutDown, as it is for the queue below.
func (q *pacedQueue) ShutDownWithDrain() { q.ShutDown() }
