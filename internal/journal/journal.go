// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Options of a Journal.
type Options struct {
	// Kube reads objects from the cache, and writes the ConfigMaps.
	Kube client.Client
	// API reads past the cache.
	API client.Reader
	// Namespace of the ConfigMaps. Several processes may share it that look after different
	// namespaces.
	Namespace string
	// Covers reports whether the objects of a namespace are looked after. The entries of
	// others are somebody else's. Nil is that all are.
	Covers func(namespace string) bool
	// Retention is how long an entry stays at least. 0 is DefaultRetention.
	Retention time.Duration
	// Interval between two looks at the entries. 0 is an eighth of Retention.
	Interval time.Duration
	Log      logging.Logger
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
}

// A Journal holds the creations that are under way or were a short time ago. It is
// safe for concurrent use.
type Journal struct {
	o     Options
	store store
	// wake asks for a look at the entries.
	wake chan struct{}

	mu    sync.Mutex
	kinds map[string]Kind
	// open are the entries that are durable, by their object.
	open map[types.UID][]*record
	// queue are the entries that wait to be made durable, and writing is true while
	// somebody writes.
	queue   []*request
	writing bool
	// loaded is true once the entries of earlier processes are known.
	loaded bool
}

// A record is a durable entry and what is known of it.
type record struct {
	Entry

	segment *segment
	// durable is true once the entry is certain to be in its segment.
	durable bool
	// lost is true once the object may not exist any more.
	lost bool
	// void is true once it is certain that nothing was created.
	void bool
	// busy is true while the entry is taken back.
	busy bool
	// retryAt is when it is tried again after failures.
	retryAt  time.Time
	failures int
}

// New makes an empty Journal. Run loads what earlier processes have left.
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
		store: store{kube: o.Kube, api: o.API, namespace: o.Namespace},
		wake:  make(chan struct{}, 1), kinds: map[string]Kind{}, open: map[types.UID][]*record{},
	}
}

// Retention is how long an entry stays at least.
func (j *Journal) Retention() time.Duration { return j.o.Retention }

// Register makes the entries of a kind known to Run. Those of a kind that is not
// registered stay until it is.
func (j *Journal) Register(name string, k Kind) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.kinds[name] = k
	j.poke()
}

// Begin returns when all entries are durable. What they are about may then be
// created, and not before.
func (j *Journal) Begin(ctx context.Context, entries ...Entry) error {
	j.mu.Lock()
	fresh := slices.DeleteFunc(slices.Clone(entries), j.known)
	if len(fresh) == 0 {
		j.mu.Unlock()
		return nil
	}
	r := &request{entries: fresh, done: make(chan error, 1)}
	j.queue = append(j.queue, r)
	if !j.writing {
		j.writing = true
		go j.write(context.WithoutCancel(ctx))
	}
	j.mu.Unlock()
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	r.left = true // Nothing is created.
	return fmt.Errorf("cannot note what is about to be created: %w", context.Cause(ctx))
}

// known reports whether an entry is durable already, for an earlier attempt at the
// same creation. Its outcome is open again. j.mu is held.
func (j *Journal) known(e Entry) bool {
	r := j.latest(e)
	// What is being taken back is not relied on, nor what is so old that what it created
	// could be taken for somebody else's.
	if r == nil || !r.durable || r.busy || j.o.Now().Sub(r.Begun) >= j.o.Retention {
		return false
	}
	r.void, r.ResultID, r.Ended, r.LastBegun = false, "", time.Time{}, e.Begun
	return true
}

// latest gives the youngest record of a creation, nil if there is none. j.mu is held.
func (j *Journal) latest(e Entry) *record {
	var out *record
	for _, r := range j.open[e.UID] {
		if r.same(e) && (out == nil || !r.Begun.Before(out.Begun)) {
			out = r
		}
	}
	return out
}

// Made notes the ID of what was created for an object.
func (j *Journal) Made(e Entry, id string) {
	j.edit(e, func(r *record) { r.ResultID = id })
}

// Unanswered notes that the call that was to create something got no answer.
func (j *Journal) Unanswered(e Entry) {
	j.edit(e, func(r *record) { r.Ended = j.o.Now() })
}

// Void notes that a creation is certain not to have been carried out.
func (j *Journal) Void(e Entry) {
	j.edit(e, func(r *record) { r.void = true })
}

func (j *Journal) edit(e Entry, f func(*record)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if r := j.latest(e); r != nil {
		f(r)
	}
}

// Lost notes that an object may not exist any more.
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

// errNotLoaded says that nobody knows yet what earlier processes have left.
var errNotLoaded = errors.New("the journal of creations is not loaded yet")

// Forget returns when no entry of the object is durable any more. Call it before the
// object's finalizer goes: what becomes of the external resource is decided by then.
func (j *Journal) Forget(ctx context.Context, uid types.UID) error {
	j.mu.Lock()
	all, loaded := slices.Clone(j.open[uid]), j.loaded
	j.mu.Unlock()
	if !loaded {
		return errNotLoaded
	}
	if err := j.end(ctx, all); err != nil {
		return fmt.Errorf("cannot forget the creations of an object that is done: %w", err)
	}
	return nil
}

// end makes the ConfigMaps forget records, and then j.
func (j *Journal) end(ctx context.Context, records []*record) error {
	segments := map[*segment][]*record{}
	for _, r := range records {
		segments[r.segment] = append(segments[r.segment], r)
	}
	var errs []error
	for s, ended := range segments {
		if err := j.store.remove(ctx, s, ended); err != nil {
			errs = append(errs, err)
			continue
		}
		j.drop(ended)
	}
	return errors.Join(errs...)
}

func (j *Journal) drop(ended []*record) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, r := range ended {
		left := slices.DeleteFunc(j.open[r.UID], func(o *record) bool { return o == r })
		if j.open[r.UID] = left; len(left) == 0 {
			delete(j.open, r.UID)
		}
	}
}

// Open gives the number of entries that choose picks and that may stand for something,
// and whether those of earlier processes are among them.
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
	return n, j.loaded
}

// poke asks for a look at the entries.
func (j *Journal) poke() {
	select {
	case j.wake <- struct{}{}:
	default:
	}
}

// A request is entries that become durable together.
type request struct {
	entries []Entry
	done    chan error
	// left is true once nobody waits for it. Journal.mu guards it.
	left bool
}

// write makes what is queued durable, in as few requests as it can, until nothing is.
func (j *Journal) write(ctx context.Context) {
	for {
		j.mu.Lock()
		group := j.queue
		j.queue = nil
		if len(group) == 0 {
			j.writing = false
			j.mu.Unlock()
			return
		}
		j.mu.Unlock()
		j.writeGroup(ctx, group)
	}
}

func (j *Journal) writeGroup(ctx context.Context, group []*request) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	var entries []Entry
	for _, r := range group {
		entries = append(entries, r.entries...)
	}
	records, err := j.store.add(ctx, entries)
	if err != nil {
		err = fmt.Errorf("cannot note what is about to be created: %w", err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, r := range records {
		r.void = true // Until somebody turns out to wait for it.
		j.open[r.UID] = append(j.open[r.UID], r)
	}
	for _, r := range group {
		r.done <- err
		for _, e := range r.entries {
			// Of two requests for one creation, one that is waited for counts.
			if o := j.latest(e); o != nil && !r.left && err == nil {
				o.void = false
			}
		}
	}
}
