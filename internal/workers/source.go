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

// A Source adds requests for objects of a kind to the queue.
type Source = source.TypedSource[Request]

// A Queue holds the requests of all kinds.
type Queue = workqueue.TypedRateLimitingInterface[Request]

// feed starts the sources of a kind with the pool's queue, once it exists, and waits until the kind's
// objects are listed. It returns an error, which ends the manager, if that takes too long: a process with
// a kind that is not reconciled must not look healthy. The cache of a kind is filled before the kind is
// added, so a timeout is a fault of the program.
//
// The pool's controller has no source itself, because all later sources would wait for the first ones.
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
