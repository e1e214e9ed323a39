// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import (
	"context"
	"fmt"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// A Source says which objects of a kind to reconcile.
type Source = source.TypedSource[Request]

// A Queue holds the objects of all kinds that are to be reconciled.
type Queue = workqueue.TypedRateLimitingInterface[Request]

// feed starts the sources of a kind with the pool's queue, once there is one, and waits until its objects
// are listed. It ends with an error, and the manager with it, if that takes too long: a kind that nobody
// reconciles must not leave a process that looks well. The cache of a kind is filled before the kind is
// added, so this is a fault of the program.
//
// The pool's controller has no source itself: it would keep all that follow waiting for the first ones.
func (p *Pool) feed(k *Kind) manager.Runnable {
	return manager.RunnableFunc(func(ctx context.Context) error {
		select {
		case <-p.begun:
		case <-ctx.Done():
			return nil
		}
		for _, wake := range k.Wakes {
			if err := wake.Start(ctx, p.queue); err != nil {
				return fmt.Errorf("cannot watch what %s depends on: %w", k.GroupKind, err)
			}
		}
		if err := k.Objects.Start(ctx, p.queue); err != nil {
			return fmt.Errorf("cannot watch %s: %w", k.GroupKind, err)
		}
		limited, cancel := context.WithTimeout(ctx, syncTimeout)
		defer cancel()
		if err := k.Objects.WaitForSync(limited); err != nil && ctx.Err() == nil {
			return fmt.Errorf("cannot fill the cache of %s: %w", k.Name, err)
		}
		return nil
	})
}
