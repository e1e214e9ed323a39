// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"slices"
	"sync"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// A Feed turns what the lists of parents show into reconciles of just the objects that it is
// about, behind whatever users are waiting for.
type Feed struct {
	// GroupKind is what the pool's queue calls the objects by, Kind how they are made and listed.
	GroupKind schema.GroupKind
	Kind      claim.Kind
	Kube      client.Reader
	Log       logging.Logger
	// Parents is the cache index of the objects by the key of the parent that their external
	// resource is below.
	Parents string
	// Claimed is what claim.Index has for a resource below a parent.
	Claimed func(key, id string) string
	// Suspended selects the objects that have to look for another credential, because that with
	// which a parent was listed is not valid.
	Suspended func(key string) []client.ListOption
	// Waiting are the objects that may not create what they look for, by the key of the parent.
	Waiting parent.Waiting[types.NamespacedName]
	// Barred are the objects that nothing is listed for. Nil is that there are none.
	Barred *Barred

	mu sync.Mutex
	q  workers.Queue
}

// Source hands the pool's queue to the feed.
func (f *Feed) Source() workers.Source {
	return source.TypedFunc[workers.Request](func(_ context.Context, q workers.Queue) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.q = q
		return nil
	})
}

// Changed wakes the objects that a change is about. Before the pool has started it wakes none.
func (f *Feed) Changed(ctx context.Context, c parent.Change) {
	if c.Err != nil {
		f.Log.Info("cannot look for drift", "parent", c.Key, "error", c.Err)
	}
	if cloudflare.IsInvalidCredential(c.Err) || cloudflare.MayBeInvalidCredential(c.Err) {
		// Nothing is listed with this credential until somebody asks for it. The objects
		// find out whether there is another credential, and say so if not.
		f.wake(ctx, f.Suspended(c.Key)...)
	}
	if cloudflare.IsForbidden(c.Err) {
		// Nobody can look below the parent any more, and the objects say so.
		f.wake(ctx, client.MatchingFields{f.Parents: c.Key})
	}
	for _, id := range c.IDs {
		f.wake(ctx, client.MatchingFields{claim.Index: f.Claimed(c.Key, id)})
	}
	if len(c.IDs) > 0 {
		f.enqueue(f.Waiting.Take(c.Key)...)
	}
}

// InUse reports whether the external resource of an object is below the parent, as far as one
// was seen there, or an object waits for one there. Where that is not known, it may be. Objects which their provider
// configs do not allow count for nothing.
func (f *Feed) InUse(ctx context.Context, key string) bool {
	for _, name := range f.Waiting.Of(key) {
		err := f.Kube.Get(ctx, name, f.Kind.New())
		switch {
		case kerrors.IsNotFound(err):
			f.Waiting.Remove(name)
		case !f.Barred.has(name):
			return true
		}
	}
	l, enough := f.Kind.NewList(), client.Limit(int64(f.Barred.count())+1)
	err := f.Kube.List(ctx, l, client.MatchingFields{f.Parents: key}, enough, client.UnsafeDisableDeepCopy)
	return err != nil || slices.ContainsFunc(l.GetItems(), func(mg resource.Managed) bool { return !f.Barred.has(client.ObjectKeyFromObject(mg)) })
}

// Gone forgets an object.
func (f *Feed) Gone(o client.Object) { f.Waiting.Remove(client.ObjectKeyFromObject(o)) }

// wake enqueues the objects that the options select.
func (f *Feed) wake(ctx context.Context, opts ...client.ListOption) {
	l := f.Kind.NewList()
	// Their names are only read: a sweep may tell of thousands.
	if err := f.Kube.List(ctx, l, append(opts, client.UnsafeDisableDeepCopy)...); err != nil {
		f.Log.Info("cannot find the objects to look at", "error", err)
		return
	}
	for _, mg := range l.GetItems() {
		f.enqueue(client.ObjectKeyFromObject(mg))
	}
}

func (f *Feed) enqueue(names ...types.NamespacedName) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.q != nil {
		reconciler.Enqueue(f.q, reconciler.PriorityDrift, f.GroupKind, names...)
	}
}
