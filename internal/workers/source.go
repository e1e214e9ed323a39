// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import (
	"context"
	"fmt"
	"sync/atomic"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// A Source says which objects of a kind to reconcile.
type Source = source.TypedSource[Request]

// A Queue holds the objects of all kinds that are to be reconciled.
type Queue = workqueue.TypedRateLimitingInterface[Request]

// A watch is a source that somebody waits for, once it was started.
type watch struct {
	source.TypedSyncingSource[Request]

	started atomic.Bool
}

// Start starts the source with the pool's queue.
func (w *watch) Start(ctx context.Context, q Queue) error {
	err := w.TypedSyncingSource.Start(ctx, q)
	w.started.Store(err == nil)
	return err
}

// awaitSync ends with an error, and the manager with it, if a source that was started
// has not listed what there is in time: a kind that nobody reconciles must not leave a
// process that looks well. The cache of a kind is filled before the kind is added, so this is
// a fault of the program.
func awaitSync(name string, w *watch) manager.Runnable {
	return manager.RunnableFunc(func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, syncTimeout)
		defer cancel()
		if err := w.WaitForSync(ctx); err != nil {
			return fmt.Errorf("cannot fill the cache of %s: %w", name, err)
		}
		return nil
	})
}
