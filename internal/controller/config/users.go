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
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
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

// recount is the delay of a config's reconcile after its users change: a burst of creations causes
// one reconcile a second.
const recount = time.Second

// pageSize is how many objects the exact count reads at a time.
const pageSize = 500

// A ManagedKind is a kind whose objects name provider configs.
type ManagedKind struct {
	GVK     schema.GroupVersionKind
	New     func() resource.Managed
	NewList func() resource.ManagedList
	// Has reports whether an object has a resource at Cloudflare according to its status, which
	// users do not write.
	Has func(resource.Managed) bool
}

// Users counts the objects that use each provider config. It follows the informers of the managed
// kinds and keeps a name for each object, so that a count neither lists nor copies any. It is safe
// for concurrent use.
type Users struct {
	kinds []ManagedKind

	mu sync.Mutex
	// synced reports for each watched kind whether all its objects were counted.
	synced map[schema.GroupVersionKind]func() bool
	// using has what each user of a config may hold.
	using  map[connect.ConfigRef]map[user]hold
	queues []subscriber
}

// A user is a managed resource.
type user struct {
	kind string
	types.NamespacedName
}

// A hold is what a user has at Cloudflare with its config.
type hold int

const (
	// holdsNothing: it has nothing.
	holdsNothing hold = iota
	// mayHold: it may have a resource, according to fields that its user can write.
	mayHold
	// holds: it has a resource according to its status.
	holds
)

// holdOf returns what an object has.
func (k ManagedKind) holdOf(mg resource.Managed) hold {
	switch {
	case !connect.MayOwn(mg):
		return holdsNothing
	case k.Has(mg):
		return holds
	}
	return mayHold
}

// stand returns an object that stands for a user, with the fields on which its config decides.
func (u *Users) stand(ref connect.ConfigRef, by user) (resource.ModernManaged, bool) {
	for _, k := range u.kinds {
		if mg, ok := k.New().(resource.ModernManaged); ok && k.GVK.Kind == by.kind {
			mg.SetNamespace(by.Namespace)
			mg.SetProviderConfigReference(&xpv2.ProviderConfigReference{Kind: ref.Kind, Name: ref.Name})
			return mg, true
		}
	}
	return nil, false
}

// A subscriber is the queue of the controller of one kind of config.
type subscriber struct {
	kind string
	q    queue
}

// NewUsers returns Users of those kinds. None of them has to be served.
func NewUsers(kinds ...ManagedKind) *Users {
	return &Users{
		kinds:  kinds,
		synced: map[schema.GroupVersionKind]func() bool{},
		using:  map[connect.ConfigRef]map[user]hold{},
	}
}

// Watch counts the objects of a kind, which has to be served, from now on.
func (u *Users) Watch(ctx context.Context, informers cache.Informers, k ManagedKind) error {
	informer, err := informers.GetInformer(ctx, k.New(), cache.BlockUntilSynced(false))
	if err != nil {
		return fmt.Errorf("cannot watch which configs %ss use: %w", k.GVK.Kind, err)
	}
	registered, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { u.see(k, nil, o) },
		UpdateFunc: func(before, after any) { u.see(k, before, after) },
		DeleteFunc: func(o any) { u.see(k, o, nil) },
	})
	if err != nil {
		return fmt.Errorf("cannot watch which configs %ss use: %w", k.GVK.Kind, err)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.synced[k.GVK] = registered.HasSynced
	return nil
}

// see records a change of an object, and enqueues the configs that it affects.
func (u *Users) see(k ManagedKind, before, after any) {
	u.mu.Lock()
	defer u.mu.Unlock()
	var was, is connect.ConfigRef
	if mg, ok := managedOf(before); ok {
		was = connect.RefOf(mg)
		if after == nil {
			u.drop(was, userOf(k.GVK.Kind, mg))
		}
	}
	if mg, ok := managedOf(after); ok {
		is = connect.RefOf(mg)
		if was != is && was != (connect.ConfigRef{}) {
			u.drop(was, userOf(k.GVK.Kind, mg))
		}
		u.add(is, userOf(k.GVK.Kind, mg), k.holdOf(mg))
	}
}

// managedOf returns the managed resource of an informer's event, or its last state if the watch
// missed its deletion.
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

func (u *Users) add(ref connect.ConfigRef, by user, has hold) {
	of, ok := u.using[ref]
	if !ok {
		of = map[user]hold{}
		u.using[ref] = of
	}
	if before, ok := of[by]; ok && before == has {
		return
	}
	of[by] = has
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

// enqueue enqueues a config after recount. u.mu is held.
func (u *Users) enqueue(ref connect.ConfigRef) {
	for _, s := range u.queues {
		if s.kind == ref.Kind {
			s.q.AddAfter(reconcile.Request{NamespacedName: ref.NamespacedName}, recount)
		}
	}
}

// source returns a source that subscribes the queue of the controller of a kind of config.
func (u *Users) source(kind string) source.Source {
	return source.Func(func(_ context.Context, q queue) error {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.queues = append(u.queues, subscriber{kind, q})
		return nil
	})
}

// count returns how many objects use a config, as the cache shows them.
func (u *Users) count(ref connect.ConfigRef) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.using[ref])
}

// A refuses function reports whether a config certainly does not serve an object.
type refuses func(ctx context.Context, mg resource.ModernManaged) bool

// A tally counts objects, and has the name that sorts first.
type tally struct {
	n     int
	least types.NamespacedName
}

func (t *tally) add(name types.NamespacedName) {
	t.n++
	if t.n == 1 || cmp.Or(cmp.Compare(name.Namespace, t.least.Namespace), cmp.Compare(name.Name, t.least.Name)) < 0 {
		t.least = name
	}
}

// blocking counts the objects for which a config under deletion waits, as the cache shows them. It
// leaves out objects that the config refuses and that have nothing according to their status: they
// cannot have got a resource with this config. Their other fields prove nothing, because users can
// write them.
func (u *Users) blocking(ctx context.Context, ref connect.ConfigRef, not refuses) tally {
	var out tally
	var unsure []user
	u.mu.Lock()
	for by, has := range u.using[ref] {
		switch has {
		case holds:
			out.add(by.NamespacedName)
		case mayHold:
			unsure = append(unsure, by)
		}
	}
	u.mu.Unlock()
	for _, by := range unsure {
		if mg, ok := u.stand(ref, by); !ok || !not(ctx, mg) {
			out.add(by.NamespacedName)
		}
	}
	return out
}

// complete reports whether the count has every object: all served kinds are watched, and were listed
// in full.
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

// listed is blocking past any cache, in pages.
func (u *Users) listed(ctx context.Context, api client.Reader, ref connect.ConfigRef, not refuses) (tally, error) {
	var out tally
	for _, k := range u.kinds {
		for next := ""; ; {
			l := k.NewList()
			err := api.List(ctx, l, client.InNamespace(ref.Namespace), client.Limit(pageSize), client.Continue(next))
			if apimeta.IsNoMatchError(err) || kerrors.IsNotFound(err) {
				break // A kind that is not served has no objects to reconcile.
			}
			if err != nil {
				return tally{}, fmt.Errorf("cannot list the managed resources that use the config: %w", err)
			}
			for _, mg := range l.GetItems() {
				m, ok := mg.(resource.ModernManaged)
				if !ok || connect.RefOf(m) != ref {
					continue
				}
				if has := k.holdOf(m); has == holds || has == mayHold && !not(ctx, m) {
					out.add(client.ObjectKeyFromObject(m))
				}
			}
			if next = l.GetContinue(); next == "" {
				break
			}
		}
	}
	return out, nil
}
