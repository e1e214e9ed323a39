// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Options are the options of a Journal.
type Options struct {
	// Kube reads objects from the cache, and writes the ConfigMaps.
	Kube client.Client
	// API reads past the cache.
	API client.Reader
	// Namespace is the namespace of the ConfigMaps. Processes that look after different
	// namespaces may share it.
	Namespace string
	// Covers reports whether this process looks after the objects of a namespace. Other
	// processes handle the entries of other namespaces. Nil covers all namespaces.
	Covers func(namespace string) bool
	// Retention is the minimum age of an entry before it is removed. 0 is DefaultRetention.
	Retention time.Duration
	// Interval is the time between two looks at the entries. 0 is an eighth of Retention.
	Interval time.Duration
	Log      logging.Logger
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
}

// A Journal has the creations that are under way or were so recently. It is safe for
// concurrent use.
type Journal struct {
	o     Options
	store *store
	// wake triggers a look at the entries.
	wake chan struct{}

	mu    sync.Mutex
	kinds map[string]Kind
	// open are the durable entries, by the UID of their object.
	open map[types.UID][]*record
	// queue are the requests that wait to be made durable. writing is true while a
	// goroutine writes.
	queue   []*request
	writing bool
	// group are the requests that are being written.
	group []*request
	// endings are the removals that wait. joined receives a value when one more waits.
	// removing, unless nil, is closed when no removal is under way any more. removed is
	// when the last removal ended.
	endings  []*ending
	joined   chan struct{}
	removing chan struct{}
	removed  time.Time
	// loaded is closed once the entries of earlier processes are known. id is the journal's
	// ID from then on.
	loaded chan struct{}
	id     string
}

// A record is a durable entry and what is known about it.
type record struct {
	Entry

	segment *segment
	// durable is true once the entry is certain to be in its segment.
	durable bool
	// lost is true once the object may not exist any more.
	lost bool
	// void is true once it is certain that nothing was created. stored is true once the
	// status of the object has the ID of what was created. In both cases the entry is not
	// needed any more.
	void, stored bool
	// before is what was known before the last attempt began.
	before knowledge
	// busy is true while the entry is taken back. ending is the number of removals that the
	// entry waits for.
	busy   bool
	ending int
	// retryAt is when the entry is taken back again after failures.
	retryAt  time.Time
	failures int
}

// New returns an empty Journal. Start loads the entries of earlier processes.
func New(o Options) *Journal {
	if o.Retention == 0 {
		o.Retention = DefaultRetention
	}
	if o.Interval == 0 {
		o.Interval = o.Retention / 8
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Covers == nil {
		o.Covers = func(string) bool { return true }
	}
	return &Journal{
		o:     o,
		store: &store{kube: o.Kube, api: o.API, namespace: o.Namespace, now: o.Now, own: map[string]*segment{}},
		wake:  make(chan struct{}, 1), joined: make(chan struct{}, 1), kinds: map[string]Kind{}, open: map[types.UID][]*record{}, loaded: make(chan struct{}),
	}
}

// Retention returns the minimum age of an entry before it is removed.
func (j *Journal) Retention() time.Duration { return j.o.Retention }

// Register adds the kind of that name. The entries of a kind that is not registered stay
// until it is.
func (j *Journal) Register(name string, k Kind) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.kinds[name] = k
	j.poke()
}

// latest returns the youngest record of a creation, nil if there is none. j.mu is held.
func (j *Journal) latest(e Entry) *record {
	var out *record
	for _, r := range j.open[e.UID] {
		if r.Same(e) && (out == nil || !r.Begun.Before(out.Begun)) {
			out = r
		}
	}
	return out
}

// Made records the ID of what was created for an object.
func (j *Journal) Made(e Entry, id string) {
	j.edit(e, func(r *record) { r.ResultID = id })
}

// Unanswered records that the last call of a creation has ended without an answer that says
// whether anything was created.
func (j *Journal) Unanswered(e Entry) {
	j.edit(e, func(r *record) { r.Ended = j.o.Now() })
}

// Void records that a creation was certainly not carried out, unless another attempt at it
// has begun since.
func (j *Journal) Void(e Entry) {
	j.edit(e, func(r *record) { r.void = r.void || r.Attempted().Equal(e.Attempted()) })
}

// Stored records that the status of the object has the ID of what was created.
func (j *Journal) Stored(e Entry) {
	j.edit(e, func(r *record) { r.stored = r.stored || r.ResultID != "" && r.ResultID == e.ResultID })
}

// ID returns the ID of the journal, which differs after the journal was lost or restored
// from a backup. It is "" until the entries of earlier processes are known.
func (j *Journal) ID() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.id
}

// Creations returns the entries of an object that may stand for a resource, the oldest
// first. It waits until the entries of earlier processes are known, and returns an error if
// ctx ends before that.
func (j *Journal) Creations(ctx context.Context, uid types.UID) ([]Entry, error) {
	select {
	case <-j.loaded:
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", errNotLoaded, context.Cause(ctx))
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []Entry
	for _, r := range j.open[uid] {
		if !r.void {
			out = append(out, r.Entry)
		}
	}
	slices.SortStableFunc(out, func(a, b Entry) int { return a.Begun.Compare(b.Begun) })
	return out, nil
}

// Created reports whether a creation of the object of that UID may have made the resource
// of that ID, and whether it has. Until the entries of earlier processes are known, it
// knows only those of this one.
func (j *Journal) Created(uid types.UID, id string) (may, has bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, r := range j.open[uid] {
		may = may || !r.void && r.ResultID == ""
		has = has || !r.void && r.ResultID == id
	}
	return may || has, has
}

// isLoaded reports whether the entries of earlier processes are known.
func (j *Journal) isLoaded() bool {
	select {
	case <-j.loaded:
		return true
	default:
		return false
	}
}

// edit changes the record of an attempt, and of no other attempt at the same creation.
func (j *Journal) edit(e Entry, f func(*record)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, r := range j.open[e.UID] {
		if r.Same(e) && (r.Begun.Equal(e.Begun) || r.LastBegun.Equal(e.Begun)) {
			f(r)
		}
	}
}

// Lost records that an object may not exist any more.
func (j *Journal) Lost(uid types.UID) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, r := range j.open[uid] {
		r.lost = true
	}
	if len(j.open[uid]) > 0 {
		j.poke()
	}
}

// Open returns the number of entries that choose selects and that may stand for a resource.
// complete reports whether the entries of earlier processes are known.
func (j *Journal) Open(choose func(Entry) bool) (n int, complete bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for rs := range maps.Values(j.open) {
		for _, r := range rs {
			if !r.void && choose(r.Entry) {
				n++
			}
		}
	}
	return n, j.isLoaded()
}

// poke triggers a look at the entries.
func (j *Journal) poke() {
	select {
	case j.wake <- struct{}{}:
	default:
	}
}
