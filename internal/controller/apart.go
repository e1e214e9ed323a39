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

// Apart keeps the kinds of mgr apart: one that cannot be read holds up no other. Sources that
// are made with its cache wait for their own kind alone, and reads of a kind that is known not
// to be readable fail at once, where they would wait for its cache until their context ends.
// The sources must not start before mgr has.
func (k *Kinds) Apart(mgr ctrl.Manager) ctrl.Manager {
	return &apart{Manager: mgr, kube: wary{mgr.GetClient(), k}, cache: each{mgr.GetCache()}}
}

type apart struct {
	ctrl.Manager

	kube  client.Client
	cache cache.Cache

	adding sync.RWMutex // whoever adds something reads
	ending bool
}

func (a *apart) GetClient() client.Client { return a.kube }
func (a *apart) GetCache() cache.Cache    { return a.cache }

// errEnding says that nothing is added to a manager that ends.
var errEnding = errors.New("the manager is ending")

// Add adds something to the manager, unless it is about to end. A manager of controller-runtime
// 0.24 that is stopped while something is added to it waits for ever: the one holds the lock that
// the other needs.
func (a *apart) Add(r manager.Runnable) error {
	a.adding.RLock()
	defer a.adding.RUnlock()
	if a.ending {
		return errEnding
	}
	return a.Manager.Add(r)
}

// Start runs the manager until ctx has ended and nothing is being added any more. What is not
// added any more finds its own context ended, too: it is no failure.
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

// each is a cache that nobody waits for as a whole. A source waits for the cache when it has its
// informer, which was waited for then.
type each struct{ cache.Cache }

// WaitForCacheSync does not wait.
func (each) WaitForCacheSync(ctx context.Context) bool { return ctx.Err() == nil }

// wary is a client that does not read what cannot be read.
type wary struct {
	client.Client

	kinds *Kinds
}

// Get reads an object.
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

// List lists objects.
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
