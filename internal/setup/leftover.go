// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"
	"errors"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// TakesBack is for Create to say how to remove what it made, or may have made. It
// is called if the object turns out to be gone when the creation is to be recorded,
// again and again until it succeeds.
//
// The finalizer is there before the call, but the API server decides how to delete
// an object from what it read a moment earlier: an object without a finalizer goes
// at once, though it may have got one in between.
func TakesBack(ctx context.Context, f func(context.Context) error) { courseOf(ctx).takeBack = f }

// leftovers are what is to be removed though its object is gone, by the object's
// name. It is safe for concurrent use.
type leftovers struct {
	mu   sync.Mutex
	left map[types.NamespacedName][]func(context.Context) error
}

func (l *leftovers) add(object types.NamespacedName, takeBack func(context.Context) error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.left == nil {
		l.left = map[types.NamespacedName][]func(context.Context) error{}
	}
	l.left[object] = append(l.left[object], takeBack)
}

// remove removes what objects of that name have left, and keeps what cannot be
// removed now.
func (l *leftovers) remove(ctx context.Context, object types.NamespacedName) error {
	l.mu.Lock()
	all := l.left[object]
	delete(l.left, object)
	l.mu.Unlock()
	if len(all) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, reconcileTimeout)
	defer cancel()
	var errs []error
	for _, takeBack := range all {
		if err := takeBack(ctx); err != nil {
			l.add(object, takeBack)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
