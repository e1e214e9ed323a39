// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// A kindSource is a source of objects of one kind.
type kindSource struct {
	kind    schema.GroupKind
	inner   source.Source
	started atomic.Bool
	// wakes is true of a source that nobody waits for.
	wakes bool
}

var _ source.TypedSyncingSource[Request] = &kindSource{}

// Start starts the source with the pool's queue.
func (s *kindSource) Start(ctx context.Context, q workqueue.TypedRateLimitingInterface[Request]) error {
	pool, ok := q.(priorityqueue.PriorityQueue[Request])
	if !ok {
		return fmt.Errorf("a %T has no priorities", q)
	}
	err := s.inner.Start(ctx, kindQueue{kind: s.kind, pool: pool})
	s.started.Store(err == nil)
	return err
}

// WaitForSync waits for what there is at the start, where the source knows.
func (s *kindSource) WaitForSync(ctx context.Context) error {
	if s.wakes {
		return nil
	}
	if inner, ok := s.inner.(source.SyncingSource); ok {
		return inner.WaitForSync(ctx)
	}
	return nil
}

// String names the source in logs.
func (s *kindSource) String() string { return fmt.Sprintf("%s of %s", s.inner, s.kind) }

// awaitSync ends with an error, and the manager with it, if a source that was started
// has not listed what there is in time: a kind that nobody reconciles must not leave a
// process that looks well. The cache of a kind is filled before the kind is added, so this is
// a fault of the program.
func awaitSync(name string, s *kindSource) manager.Runnable {
	return manager.RunnableFunc(func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, syncTimeout)
		defer cancel()
		if err := s.WaitForSync(ctx); err != nil {
			return fmt.Errorf("cannot fill the cache of %s: %w", name, err)
		}
		return nil
	})
}

// A kindQueue is the pool's queue for those who know one kind only. Nobody takes from
// it.
type kindQueue struct {
	kind schema.GroupKind
	pool priorityqueue.PriorityQueue[Request]
}

var _ priorityqueue.PriorityQueue[reconcile.Request] = kindQueue{}

func (q kindQueue) of(r reconcile.Request) Request {
	return Request{Kind: q.kind, NamespacedName: r.NamespacedName}
}

// AddWithOpts adds objects.
func (q kindQueue) AddWithOpts(o priorityqueue.AddOpts, items ...reconcile.Request) {
	for _, r := range items {
		q.pool.AddWithOpts(o, q.of(r))
	}
}

// Add adds an object.
func (q kindQueue) Add(r reconcile.Request) { q.pool.Add(q.of(r)) }

// AddAfter adds an object, for after a while.
func (q kindQueue) AddAfter(r reconcile.Request, after time.Duration) {
	q.pool.AddAfter(q.of(r), after)
}

// AddRateLimited adds an object, for after its backoff.
func (q kindQueue) AddRateLimited(r reconcile.Request) { q.pool.AddRateLimited(q.of(r)) }

// Forget ends the backoff of an object.
func (q kindQueue) Forget(r reconcile.Request) { q.pool.Forget(q.of(r)) }

// NumRequeues is how often in a row an object failed.
func (q kindQueue) NumRequeues(r reconcile.Request) int { return q.pool.NumRequeues(q.of(r)) }

// Len is how many objects of all kinds are in the pool's queue.
func (q kindQueue) Len() int { return q.pool.Len() }

// ShuttingDown reports whether the pool's queue is shut down.
func (q kindQueue) ShuttingDown() bool { return q.pool.ShuttingDown() }

// Get gives nothing: the pool's workers take from the pool's queue.
func (kindQueue) Get() (reconcile.Request, bool) { return reconcile.Request{}, true }

// GetWithPriority gives nothing, as Get.
func (kindQueue) GetWithPriority() (reconcile.Request, int, bool) {
	return reconcile.Request{}, 0, true
}

// Done does nothing: there is nothing to take.
func (kindQueue) Done(reconcile.Request) {}

// ShutDown does nothing: the queue is the pool's.
func (kindQueue) ShutDown() {}

// ShutDownWithDrain does nothing: the queue is the pool's.
func (kindQueue) ShutDownWithDrain() {}
