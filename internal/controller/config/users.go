// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
)

// recount is how long a config waits to be looked at when its users change: a burst
// of creations is one look a second.
const recount = time.Second

// pageSize is how many objects the exact count reads at a time.
const pageSize = 500

// A ManagedKind is a kind whose objects name provider configs.
type ManagedKind struct {
	GVK     schema.GroupVersionKind
	New     func() resource.Managed
	NewList func() resource.ManagedList
}

// Users counts the objects that use each provider config. It follows the informers of
// the managed kinds and keeps a name for each object, so that a count neither lists
// nor copies any. It is safe for concurrent use.
type Users struct {
	kinds []ManagedKind

	mu sync.Mutex
	// synced tells of each kind that is watched whether all its objects were counted.
	synced map[schema.GroupVersionKind]func() bool
	// using is, for each user of a config, whether the config waits for it.
	using  map[connect.ConfigRef]map[user]bool
	queues []subscriber
}

// A user is a managed resource.
type user struct {
	kind string
	types.NamespacedName
}

// A subscriber is the queue of the controller of one kind of config.
type subscriber struct {
	kind string
	q    queue
}

// NewUsers makes Users of those kinds, none of which has to be served.
func NewUsers(kinds ...ManagedKind) *Users {
	return &Users{
		kinds:  kinds,
		synced: map[schema.GroupVersionKind]func() bool{},
		using:  map[connect.ConfigRef]map[user]bool{},
	}
}

// Watch counts the objects of a kind, which has to be served, from now on.
func (u *Users) Watch(ctx context.Context, informers cache.Informers, k ManagedKind) error {
	informer, err := informers.GetInformer(ctx, k.New(), cache.BlockUntilSynced(false))
	if err != nil {
		return fmt.Errorf("cannot watch which configs %ss use: %w", k.GVK.Kind, err)
	}
	registered, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { u.see(k.GVK.Kind, nil, o) },
		UpdateFunc: func(before, after any) { u.see(k.GVK.Kind, before, after) },
		DeleteFunc: func(o any) { u.see(k.GVK.Kind, o, nil) },
	})
	if err != nil {
		return fmt.Errorf("cannot watch which configs %ss use: %w", k.GVK.Kind, err)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.synced[k.GVK] = registered.HasSynced
	return nil
}

// see takes note of a change of an object, and has the configs looked at of which it
// is about.
func (u *Users) see(kind string, before, after any) {
	u.mu.Lock()
	defer u.mu.Unlock()
	var was, is connect.ConfigRef
	if mg, ok := managedOf(before); ok {
		was = connect.RefOf(mg)
		if after == nil {
			u.drop(was, userOf(kind, mg))
		}
	}
	if mg, ok := managedOf(after); ok {
		is = connect.RefOf(mg)
		if was != is && was != (connect.ConfigRef{}) {
			u.drop(was, userOf(kind, mg))
		}
		u.add(is, userOf(kind, mg), connect.MayOwn(mg))
	}
}

// managedOf is a managed resource that an informer tells of, or its last state where
// the watch missed its deletion.
func managedOf(o any) (resource.ModernManaged, bool) {
	if gone, ok := o.(toolscache.DeletedFinalStateUnknown); ok {
		o = gone.Obj
	}
	mg, ok := o.(resource.ModernManaged)
	return mg, ok
}

func userOf(kind string, mg resource.Managed) user {
	return user{kind, client.ObjectKeyFromObject(mg)}
}

func (u *Users) add(ref connect.ConfigRef, by user, mayOwn bool) {
	of, ok := u.using[ref]
	if !ok {
		of = map[user]bool{}
		u.using[ref] = of
	}
	if before, ok := of[by]; ok && before == mayOwn {
		return
	}
	of[by] = mayOwn
	u.enqueue(ref)
}

func (u *Users) drop(ref connect.ConfigRef, by user) {
	of := u.using[ref]
	if _, ok := of[by]; !ok {
		return
	}
	delete(of, by)
	if len(of) == 0 {
		delete(u.using, ref)
	}
	u.enqueue(ref)
}

// enqueue has a config looked at within recount. u.mu is held.
func (u *Users) enqueue(ref connect.ConfigRef) {
	for _, s := range u.queues {
		if s.kind == ref.Kind {
			s.q.AddAfter(reconcile.Request{NamespacedName: ref.NamespacedName}, recount)
		}
	}
}

// source subscribes the queue of the controller of a kind of config.
func (u *Users) source(kind string) source.Source {
	return source.Func(func(_ context.Context, q queue) error {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.queues = append(u.queues, subscriber{kind, q})
		return nil
	})
}

// count gives how many objects use a config, as the cache shows them.
func (u *Users) count(ref connect.ConfigRef) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.using[ref])
}

// blocking gives the objects that a config waits for that is being deleted, as the
// cache shows them: how many there are, and the first of them by name.
func (u *Users) blocking(ref connect.ConfigRef) (n int, first string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	var least user
	for by, mayOwn := range u.using[ref] {
		if !mayOwn {
			continue
		}
		n++
		if n == 1 || before(by.NamespacedName, least.NamespacedName) {
			least = by
		}
	}
	if n == 0 {
		return 0, ""
	}
	return n, least.String()
}

func before(a, b types.NamespacedName) bool {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name)) < 0
}

// complete reports whether the count has every object there is: all kinds that are
// served are watched, and were shown in full.
func (u *Users) complete(mapper apimeta.RESTMapper) bool {
	u.mu.Lock()
	synced := maps.Clone(u.synced)
	u.mu.Unlock()
	for _, k := range u.kinds {
		if f, ok := synced[k.GVK]; ok {
			if !f() {
				return false
			}
			continue
		}
		if _, err := mapper.RESTMapping(k.GVK.GroupKind(), k.GVK.Version); !apimeta.IsNoMatchError(err) {
			return false
		}
	}
	return true
}

// listed counts the objects that a config waits for past any cache, in pages.
func (u *Users) listed(ctx context.Context, api client.Reader, ref connect.ConfigRef) (n int, first string, err error) {
	var least types.NamespacedName
	for _, k := range u.kinds {
		for next := ""; ; {
			l := k.NewList()
			err := api.List(ctx, l, client.InNamespace(ref.Namespace), client.Limit(pageSize), client.Continue(next))
			if apimeta.IsNoMatchError(err) || kerrors.IsNotFound(err) {
				break // A kind that is not served has no objects that anybody could work on.
			}
			if err != nil {
				return 0, "", fmt.Errorf("cannot list the managed resources that use the config: %w", err)
			}
			for _, mg := range l.GetItems() {
				m, ok := mg.(resource.ModernManaged)
				if !ok || connect.RefOf(m) != ref || !connect.MayOwn(m) {
					continue
				}
				n++
				if n == 1 || before(client.ObjectKeyFromObject(m), least) {
					least = client.ObjectKeyFromObject(m)
				}
			}
			if next = l.GetContinue(); next == "" {
				break
			}
		}
	}
	if n == 0 {
		return 0, "", nil
	}
	return n, least.String(), nil
}
