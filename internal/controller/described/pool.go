// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// A Pool has what Cloudflare holds of all described kinds, and wakes the objects whose
// resources change. It is safe for concurrent use.
type Pool struct {
	lists *parent.Pool[Live]
	// sending are the writes that go on without whoever asked for them.
	sending   *parent.Background
	documents documents
	bulks     bulks

	mu    sync.Mutex
	feeds map[string]*feed
}

// NewPool makes an empty Pool.
func NewPool(o parent.Options) *Pool {
	sending := parent.NewBackground()
	return &Pool{
		lists: parent.NewPool[Live](o), sending: sending, documents: documents{sending: sending}, bulks: bulks{sending: sending},
		feeds: map[string]*feed{},
	}
}

// Start sweeps the parents of objects until ctx ends.
func (p *Pool) Start(ctx context.Context) error {
	p.lists.Run(ctx, parent.Handler{
		InUse:    func(key string) bool { return p.inUse(ctx, key) },
		OnChange: func(c parent.Change) { p.changed(ctx, c) },
	})
	return nil
}

// Drain returns when every write and list under way has ended, or with an error when ctx ends
// first.
func (p *Pool) Drain(ctx context.Context) error {
	return errors.Join(p.DrainWrites(ctx), p.lists.Drain(ctx))
}

// DrainWrites returns when every write under way has ended, or with an error when ctx ends
// first. None begins any more: the error of whoever asks for one is parent.ErrEnding, or a
// *BulkWithdrawnError. Writes that an object's own reconcile makes are not among them.
func (p *Pool) DrainWrites(ctx context.Context) error { return p.sending.Drain(ctx) }

// Pace gives how often a credential's parents are listed, by its fingerprint.
func (p *Pool) Pace(fingerprint string) (parent.Pace, bool) { return p.lists.Pace(fingerprint) }

// inUse reports whether an object is below the parent of that key.
func (p *Pool) inUse(ctx context.Context, key string) bool {
	f := p.feedOf(key)
	return f != nil && f.inUse(ctx, key)
}

// changed wakes the objects whose resources a list showed to be changed.
func (p *Pool) changed(ctx context.Context, c parent.Change) {
	if f := p.feedOf(c.Key); f != nil {
		f.changed(ctx, c)
	}
}

// feedOf is the feed of the kind that a parent's key begins with.
func (p *Pool) feedOf(key string) *feed {
	group, rest, _ := strings.Cut(key, " ")
	name, _, _ := strings.Cut(rest, " ")
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.feeds[group+" "+name]
}

// follow has f wake the objects of a kind.
func (p *Pool) follow(d kind.Description, f *feed) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.feeds[d.Group+" "+d.Name] = f
}

// A feed turns changes of resources into reconciles of just the objects they belong to,
// behind whatever users are waiting for.
type feed struct {
	kube    client.Reader
	newList func() resource.ManagedList
	// newObject makes an empty object.
	newObject func() client.Object
	log       logging.Logger
	// waiting are the objects that may not create what they look for, by parent.
	waiting parent.Waiting[types.NamespacedName]

	mu sync.Mutex
	q  reconciler.Queue
}

// source hands the controller's queue to the feed.
func (f *feed) source() source.Source {
	return source.Func(func(_ context.Context, q reconciler.Queue) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.q = q
		return nil
	})
}

func (f *feed) changed(ctx context.Context, c parent.Change) {
	if c.Err != nil {
		f.log.Info("cannot look for drift", "parent", c.Key, "error", c.Err)
	}
	if cloudflare.IsInvalidCredential(c.Err) || cloudflare.MayBeInvalidCredential(c.Err) {
		// Nothing is listed with this credential until somebody asks for it. The objects
		// find out whether there is another credential, and say so if not.
		f.wake(ctx)
	}
	for _, id := range c.IDs {
		f.wake(ctx, client.MatchingFields{claim.Index: c.Key + " " + id})
	}
	if len(c.IDs) > 0 {
		f.enqueue(f.waiting.Take(c.Key))
	}
}

// inUse reports whether an object is below the parent of that key, or waits for a resource
// there. Where that is not known, it may be.
func (f *feed) inUse(ctx context.Context, key string) bool {
	for _, name := range f.waiting.Of(key) {
		if err := f.kube.Get(ctx, name, f.newObject()); !kerrors.IsNotFound(err) {
			return true
		}
		f.waiting.Remove(name)
	}
	l := f.newList()
	err := f.kube.List(ctx, l, client.MatchingFields{indexParent: key}, client.Limit(1), client.UnsafeDisableDeepCopy)
	return err != nil || len(l.GetItems()) > 0
}

// indexParent is the cache index of objects by the parent that they are below.
const indexParent = "status.atProvider.sync.parent"

func parentsOf(o client.Object) []string {
	if mg, ok := o.(Object); ok && mg.GetSync().Parent != "" {
		return []string{listed(mg.GetSync().Parent)}
	}
	return nil
}

// wake enqueues the objects that the options select.
func (f *feed) wake(ctx context.Context, opts ...client.ListOption) {
	l := f.newList()
	if err := f.kube.List(ctx, l, append(opts, client.UnsafeDisableDeepCopy)...); err != nil {
		f.log.Info("cannot find the objects to look at", "error", err)
		return
	}
	var names []types.NamespacedName
	for _, mg := range l.GetItems() {
		names = append(names, client.ObjectKeyFromObject(mg))
	}
	f.enqueue(names)
}

// enqueue enqueues objects, once the controller has started.
func (f *feed) enqueue(names []types.NamespacedName) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.q == nil {
		return
	}
	for _, name := range names {
		reconciler.Enqueue(f.q, reconciler.PriorityDrift, name)
	}
}
