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

// A Feed turns what the lists of parents show into reconciles of only the objects that it is about.
// They have a lower priority than requests that users wait for.
type Feed struct {
	// GroupKind is the name of the objects in the pool's queue. Kind says how to make and list
	// them.
	GroupKind schema.GroupKind
	Kind      claim.Kind
	Kube      client.Reader
	Log       logging.Logger
	// Parents is the cache index of the objects by the key of the parent of their external
	// resource.
	Parents string
	// Claimed returns the value in claim.Index for a resource below a parent.
	Claimed func(key, id string) string
	// Suspended selects the objects that have to find another credential, because the credential
	// with which a parent was listed is not valid.
	Suspended func(key string) []client.ListOption
	// Waiting are the objects that look for a resource and may not create it, by the key of the
	// parent.
	Waiting parent.Waiters[types.NamespacedName]
	// Barred are the objects for which no parent is listed. Nil means that there are none.
	Barred *Barred

	mu sync.Mutex
	q  workers.Queue
}

// Source returns a source that passes the pool's queue to the feed.
func (f *Feed) Source() workers.Source {
	return source.TypedFunc[workers.Request](func(_ context.Context, q workers.Queue) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.q = q
		return nil
	})
}

// Changed enqueues the objects that a change is about. Before the pool has started, it enqueues
// none.
func (f *Feed) Changed(ctx context.Context, c parent.Change) {
	if c.Err != nil {
		f.Log.Info("cannot look for drift", "parent", c.Key, "error", c.Err)
	}
	if cloudflare.IsInvalidCredential(c.Err) || cloudflare.MayBeInvalidCredential(c.Err) {
		// This credential lists nothing until an object asks for it again. The objects find out
		// whether there is another credential, and report it if there is none.
		f.wake(ctx, f.Suspended(c.Key)...)
	}
	if cloudflare.IsForbidden(c.Err) {
		// The resources below the parent cannot be read any more, and the objects report that.
		f.wake(ctx, client.MatchingFields{f.Parents: c.Key})
	}
	for _, id := range c.IDs {
		f.wake(ctx, client.MatchingFields{claim.Index: f.Claimed(c.Key, id)})
	}
	if len(c.IDs) > 0 {
		f.enqueue(f.Waiting.Take(c.Key)...)
	}
}

// InUse reports whether an object has an external resource below the parent, by its status, or
// waits for one there. It returns true if that is not known. Objects that their provider configs do
// not allow do not count.
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

// Gone removes an object that is gone.
func (f *Feed) Gone(o client.Object) { f.Waiting.Remove(client.ObjectKeyFromObject(o)) }

// wake enqueues the objects that the options select.
func (f *Feed) wake(ctx context.Context, opts ...client.ListOption) {
	l := f.Kind.NewList()
	// Only the names are read, so copies are not needed: a sweep may report thousands.
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
