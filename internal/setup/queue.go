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

// burstSeconds is how many seconds' worth of reconciles may come at once after a
// quiet time. A restart reconciles every object without a call or a write: ten
// thousand of them are not to wait for minutes. What costs calls is bounded by the
// budget of the credential.
const burstSeconds = 100

// NewLimiter makes the limiter of the reconciles a second of all kinds together.
func NewLimiter(perSecond int) *rate.Limiter {
	return rate.NewLimiter(rate.Limit(perSecond), burstSeconds*perSecond)
}

// A pacedQueue hands objects out no faster than its limiter allows. Who takes one
// first waits for leave and then takes what is most urgent by then. The other way
// round, which is what a limiter within the reconciler comes to, each object has
// its turn behind all that came before it, however urgent it is.
type pacedQueue struct {
	priorityqueue.PriorityQueue[reconcile.Request]

	limit *rate.Limiter
	// open ends when the queue is shut down.
	open   context.Context //nolint:containedctx // The queue's interface knows no contexts.
	closed context.CancelFunc
}

// newQueue makes the queue of a controller, for controller.Options.NewQueue.
func newQueue(limit *rate.Limiter) func(string, workqueue.TypedRateLimiter[reconcile.Request]) Queue {
	return func(name string, backoff workqueue.TypedRateLimiter[reconcile.Request]) Queue {
		open, closed := context.WithCancel(context.Background())
		return &pacedQueue{
			PriorityQueue: priorityqueue.New(name, func(o *priorityqueue.Opts[reconcile.Request]) { o.RateLimiter = backoff }),
			limit:         limit,
			open:          open,
			closed:        closed,
		}
	}
}

// GetWithPriority waits for leave, then for an object. It gives true when the
// queue is shut down.
func (q *pacedQueue) GetWithPriority() (item reconcile.Request, priority int, shutdown bool) {
	if q.limit.Wait(q.open) != nil {
		return reconcile.Request{}, 0, true
	}
	return q.PriorityQueue.GetWithPriority()
}

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
