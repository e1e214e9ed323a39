// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// A Pool holds what is known of the resources of all described kinds, and enqueues the objects whose resources
// change. It is safe for concurrent use.
type Pool struct {
	lists *parent.Pool[Live]
	// sending tracks the writes that go on without their callers.
	sending   *parent.Background
	documents documents
	bulks     bulks
	known     *knowledge

	mu    sync.Mutex
	feeds map[string]*external.Feed
}

// NewPool returns an empty Pool.
func NewPool(o parent.Options) *Pool {
	sending := parent.NewBackground()
	return &Pool{
		lists: parent.NewPool[Live](o), sending: sending, documents: documents{sending: sending}, bulks: bulks{sending: sending},
		known: newKnowledge(o.Now), feeds: map[string]*external.Feed{},
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

// Drain returns when every write and list under way has ended, or with an error if ctx ends first.
func (p *Pool) Drain(ctx context.Context) error {
	return errors.Join(p.DrainWrites(ctx), p.lists.Drain(ctx))
}

// DrainWrites returns when every write under way has ended, or with an error if ctx ends first. No write begins any
// more: the error of a caller that asks for one is parent.ErrEnding, or a *NotSentError. DrainWrites does not
// wait for writes that an object's own reconcile makes.
func (p *Pool) DrainWrites(ctx context.Context) error { return p.sending.Drain(ctx) }

// Pace returns how often a credential's parents are listed, by its fingerprint.
func (p *Pool) Pace(fingerprint string) (parent.Pace, bool) { return p.lists.Pace(fingerprint) }

// Outdate ends the use of what was seen with the credential of that fingerprint. The API refuses the credential.
func (p *Pool) Outdate(fingerprint string) { p.lists.Outdate(fingerprint) }

// inUse reports whether an object is below the parent of that key.
func (p *Pool) inUse(ctx context.Context, key string) bool {
	f := p.feedOf(key)
	return f != nil && f.InUse(ctx, key)
}

// changed enqueues the objects whose resources changed according to a list.
func (p *Pool) changed(ctx context.Context, c parent.Change) {
	if f := p.feedOf(c.Key); f != nil {
		f.Changed(ctx, c)
	}
}

// feedOf returns the feed of the kind that a parent's key begins with.
func (p *Pool) feedOf(key string) *external.Feed {
	group, rest, _ := strings.Cut(key, " ")
	name, _, _ := strings.Cut(rest, " ")
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.feeds[group+" "+name]
}

// follow makes f enqueue the objects of a kind.
func (p *Pool) follow(d kind.Description, f *external.Feed) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.feeds[d.Group+" "+d.Name] = f
}

// newFeed returns a feed for a kind.
func newFeed(kube client.Reader, e entry, log logging.Logger) *external.Feed {
	return &external.Feed{
		GroupKind: e.GVK.GroupKind(), Kind: claimKind(e), Kube: kube, Log: log,
		Parents:   indexParent,
		Claimed:   func(key, id string) string { return kindapi.Identity(e.Description, key, id) },
		Suspended: func(string) []client.ListOption { return nil }, // All of the kind.
	}
}

// indexParent is the cache index of objects by their parent.
const indexParent = "status.atProvider.sync.parent"

func parentsOf(o client.Object) []string {
	if mg, ok := o.(Object); ok && mg.GetSync().Parent != "" {
		return []string{listed(mg.GetSync().Parent)}
	}
	return nil
}
