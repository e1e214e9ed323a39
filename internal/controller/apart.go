// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"strings"
	"sync"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// Apart returns mgr with its kinds kept apart, so that a kind that cannot be read holds up no
// other kind. Sources that use its cache wait for their own kind alone. Reads of a kind that is
// known to be unreadable fail at once; otherwise they would wait for its cache until their
// context ends. The sources must not start before mgr has started.
func (k *Kinds) Apart(mgr ctrl.Manager) ctrl.Manager {
	return &apart{Manager: mgr, kube: wary{mgr.GetClient(), k}, cache: each{mgr.GetCache()}}
}

type apart struct {
	ctrl.Manager

	kube  client.Client
	cache cache.Cache

	adding sync.RWMutex // Add holds it for reading
	ending bool
}

func (a *apart) GetClient() client.Client { return a.kube }
func (a *apart) GetCache() cache.Cache    { return a.cache }

// errEnding says that a manager that is ending accepts no runnables.
var errEnding = errors.New("the manager is ending")

// Add adds a runnable to the manager, unless the manager is about to end. A manager of
// controller-runtime 0.24 that is stopped during an Add waits for ever: each of the two holds a
// lock that the other needs.
func (a *apart) Add(r manager.Runnable) error {
	a.adding.RLock()
	defer a.adding.RUnlock()
	if a.ending {
		return errEnding
	}
	return a.Manager.Add(r)
}

// Start runs the manager until ctx has ended and no Add is in progress. A runnable that Add
// refuses after that is no failure, because its own context has ended, too.
func (a *apart) Start(ctx context.Context) error {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		a.adding.Lock()
		defer a.adding.Unlock()
		a.ending = true
		cancel()
	})()
	return a.Manager.Start(own)
}

// each is a cache without a wait for all informers. A source waits for the cache after it got its
// own informer, which is synced by then.
type each struct{ cache.Cache }

// WaitForCacheSync does not wait.
func (each) WaitForCacheSync(ctx context.Context) bool { return ctx.Err() == nil }

// wary is a client that does not read unreadable kinds.
type wary struct {
	client.Client

	kinds *Kinds
}

// Get reads an object, unless its kind is unreadable.
func (w wary) Get(ctx context.Context, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
	gvk, err := w.GroupVersionKindFor(o)
	if err != nil {
		return err
	}
	if err := w.kinds.unreadable(gvk); err != nil {
		return err
	}
	return w.Client.Get(ctx, key, o, opts...)
}

// List lists objects, unless their kind is unreadable.
func (w wary) List(ctx context.Context, l client.ObjectList, opts ...client.ListOption) error {
	gvk, err := w.GroupVersionKindFor(l)
	if err != nil {
		return err
	}
	gvk.Kind = strings.TrimSuffix(gvk.Kind, "List")
	if err := w.kinds.unreadable(gvk); err != nil {
		return err
	}
	return w.Client.List(ctx, l, opts...)
}
