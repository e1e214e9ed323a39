// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// writeTimeout bounds the calls of one group of writes. The calls go on after a caller has left: a call that is cut
// off may be carried out or not.
const writeTimeout = 90 * time.Second

// A change is one fragment's write to a document.
type change struct {
	// key is the key of the fragment. want is the fragment to write: nil removes it.
	key  string
	want kind.Document
	// exists, unless nil, is the error if the document has that fragment already, or if another change of the group
	// creates it.
	exists error
	// own is true if the object knows the fragment as its own. Its absence from the document then has to be proven.
	own bool
	// still, unless nil, is called once the document is read. Its error prevents the change.
	still func() error

	done chan struct{}
	// after is the document after the write.
	after kind.Document
	// overwrote, unless nil, is an error about another writer's change that the write erased.
	overwrote *LostUpdateError
	err       error
}

// A writing is a document with the credential that writes to it.
type writing struct {
	d   kind.Description
	all kindapi.Resources
	// document is the document to write to: its path is the same for all credentials. credential is the fingerprint of
	// this one.
	document   documentAt
	credential string
}

// A queued is a change that no call has yet.
type queued struct {
	*change

	to writing
}

// A LostUpdateError reports that another writer changed a document after it was read and before we wrote.
type LostUpdateError struct {
	Noun string
	// Read is the version that was read. Wrote is the version that our write made.
	Read, Wrote int
}

func (e *LostUpdateError) Error() string {
	return fmt.Sprintf("another writer changed the document of the %s after version %d was read, and our write made version %d: that change is overwritten, and Cloudflare does not show it. "+
		"Objects of this provider put theirs back; look at the audit log for the rest, and set it again", e.Noun, e.Read, e.Wrote)
}

// overwritten returns a *LostUpdateError if another writer changed a document between two versions of it. The
// second version comes from a write of the whole document. It returns nil for a document without versions.
func overwritten(noun string, before, after kind.Document) *LostUpdateError {
	b, okBefore := versionOf(before)
	a, okAfter := versionOf(after)
	if !okBefore || !okAfter || a <= b+1 {
		return nil
	}
	return &LostUpdateError{Noun: noun, Read: b, Wrote: a}
}

// A ReadOnlyDocumentError reports that the provider must not change a document.
type ReadOnlyDocumentError struct {
	Noun, Why string
	// Whole is true if the document is the resource, and false if the document contains the resource.
	Whole bool
}

func (e *ReadOnlyDocumentError) Error() string {
	if e.Whole {
		return fmt.Sprintf("cannot change the %s: %s", e.Noun, e.Why)
	}
	return fmt.Sprintf("cannot change the document that the %s is in: %s", e.Noun, e.Why)
}

// documents writes to documents. One goroutine at a time writes to each document, for all credentials. The changes
// that arrive during a call go into the next call, as far as they have the same credential.
type documents struct {
	// sending tracks the groups of writes under way.
	sending *parent.Background

	mu sync.Mutex
	// waiting are the changes that no call has yet, by document. Each document that is written to has an entry.
	waiting map[string][]queued
}

// apply carries out a change and returns the document after it. If ctx ends first, the error is ambiguous: the change
// goes on. The error is parent.ErrEnding if no write may begin any more.
func (w *documents) apply(ctx context.Context, to writing, c *change) (kind.Document, error) {
	c.done = make(chan struct{})
	key := to.document.path
	w.mu.Lock()
	if w.waiting == nil {
		w.waiting = map[string][]queued{}
	}
	before, busy := w.waiting[key]
	if !busy && !w.sending.TryBegin() {
		w.mu.Unlock()
		return nil, parent.ErrEnding
	}
	w.waiting[key] = append(before, queued{c, to})
	w.mu.Unlock()
	if !busy {
		go w.run(context.WithoutCancel(ctx), key)
	}
	select {
	case <-c.done:
		return c.after, c.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// run writes group after group until no change waits. It refuses the groups that wait when no write may begin any
// more.
func (w *documents) run(ctx context.Context, key string) {
	defer w.sending.End()
	for to, group := w.next(key); len(group) > 0; to, group = w.next(key) {
		if w.sending.Closed() {
			refuse(group)
		} else {
			ctx, cancel := context.WithTimeout(ctx, writeTimeout)
			w.write(ctx, to, group)
			cancel()
		}
		for _, c := range group {
			close(c.done)
		}
	}
}

// refuse fails the changes of a group that is not sent.
func refuse(group []*change) {
	for _, c := range group {
		c.err = parent.ErrEnding
	}
}

// next takes the waiting changes that have the credential of the first one. If no change waits, the document loses
// its entry: no goroutine writes to it any more.
func (w *documents) next(key string) (to writing, group []*change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	waiting := w.waiting[key]
	if len(waiting) == 0 {
		delete(w.waiting, key)
		return to, nil
	}
	to = waiting[0].to
	var rest []queued
	for _, q := range waiting {
		if q.to.credential == to.credential {
			group = append(group, q.change)
		} else {
			rest = append(rest, q)
		}
	}
	w.waiting[key] = rest
	return to, group
}

// write carries out a group of changes. If the API refuses the group, write tries each change alone, so that a change
// at fault blocks no other. Once no write may begin any more, the rest of the group is not sent.
func (w *documents) write(ctx context.Context, to writing, group []*change) {
	each := func(write func(*change) (kind.Document, error)) {
		for i, c := range group {
			if w.sending.Closed() {
				refuse(group[i:])
				return
			}
			c.ends(write(c))
		}
	}
	if to.d.Create != "" {
		each(func(c *change) (kind.Document, error) { return to.element(ctx, c) })
		return
	}
	after, err := to.whole(ctx, group)
	if err != nil && len(group) > 1 && apart(err) {
		each(func(c *change) (kind.Document, error) { return to.whole(ctx, []*change{c}) })
		return
	}
	for _, c := range group {
		c.ends(after, err)
	}
}

// apart reports whether the changes of a failed group may succeed one by one.
func apart(err error) bool {
	return !cloudflare.IsAmbiguous(err) && !cloudflare.IsThrottled(err) && !errors.As(err, new(*parent.DisputedError))
}

// ends records the outcome of a change, unless the change was prevented.
func (c *change) ends(after kind.Document, err error) {
	if c.err == nil {
		c.after, c.err = after, err
	}
}

// wanted returns the changes of a group that may still be made. before is the document that the read q returned.
func wanted(q question, before kind.Document, group []*change) []*change {
	return slices.DeleteFunc(slices.Clone(group), func(c *change) bool {
		if c.err == nil && c.own && elementOf(q.d, before, c.key) == nil {
			c.err = q.lacks(c.key)
		}
		if c.err == nil && c.still != nil {
			c.err = c.still()
		}
		return c.err != nil
	})
}

// whole reads the document, merges a group of changes into it and writes it.
func (w writing) whole(ctx context.Context, group []*change) (kind.Document, error) {
	q := w.document.ask()
	before, err := w.editable(ctx, q.proven)
	if err != nil {
		return nil, err
	}
	refuseExisting(w.d, before, group)
	group = wanted(q, before, group)
	next := merged(w.d, before, group)
	if kind.Hash(next) == kind.Hash(before) {
		return before, nil
	}
	for _, path := range w.d.ReadOnly {
		kind.Without(next, path)
	}
	after, err := w.all.PutDocument(ctx, next)
	if err != nil {
		return nil, err
	}
	w.document.wrote(before, after)
	for _, c := range group {
		c.overwrote = overwritten(w.d.Noun, before, after)
	}
	return after, nil
}

// refuseExisting refuses to create fragments that the document already has, and to create a fragment twice. Their
// objects then decide again whether they may have what exists.
func refuseExisting(d kind.Description, doc kind.Document, group []*change) {
	created := map[string]bool{}
	for _, c := range group {
		if c.err != nil || c.exists == nil {
			continue
		}
		if created[c.key] || elementOf(d, doc, c.key) != nil {
			c.err = c.exists
		}
		created[c.key] = true
	}
}

// editable reads the document. It refuses a document that must not be changed, or that believed does not accept.
func (w writing) editable(ctx context.Context, believed func(kind.Document) error) (kind.Document, error) {
	doc, err := w.all.Document(ctx)
	if err == nil {
		err = believed(doc)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read what the %s is merged into: %w", w.d.Noun, err)
	}
	return doc, uneditable(w.d, doc)
}

// uneditable returns a *ReadOnlyDocumentError if a document must not be changed.
func uneditable(d kind.Description, doc kind.Document) error {
	if d.Editable == nil || doc == nil {
		return nil
	}
	if why := d.Editable(doc); why != "" {
		return &ReadOnlyDocumentError{Noun: d.Noun, Why: why, Whole: d.Shape == kind.Singleton}
	}
	return nil
}

// merged returns a document with a group of changes in it.
func merged(d kind.Description, doc kind.Document, group []*change) kind.Document {
	for _, c := range group {
		if c.want == nil {
			doc = d.Removed(doc, c.key)
			continue
		}
		doc = d.With(doc, d.Element(c.want, elementOf(d, doc, c.key)))
	}
	return doc
}

// elementOf returns the element with that key, nil if there is none.
func elementOf(d kind.Description, doc kind.Document, key string) kind.Document {
	for _, e := range d.Elements(doc) {
		if d.FragmentKey(e) == key {
			return e
		}
	}
	return nil
}

// element carries out one change by the kind's own operations on elements. The first element creates the document, by
// an operation that refuses a document that exists.
func (w writing) element(ctx context.Context, c *change) (kind.Document, error) {
	q := w.document.ask()
	before, err := w.editable(ctx, q.answered)
	if err != nil {
		return nil, err
	}
	live := elementOf(w.d, before, c.key)
	params := map[string]string{"ruleset_id": kind.Text(before, "id"), "rule_id": kind.Text(live, "id")}
	var after kind.Document
	switch {
	case len(wanted(q, before, []*change{c})) == 0:
		return before, c.err
	case c.want == nil && live == nil:
		return before, nil
	case c.want == nil:
		after, err = w.all.DeleteElement(ctx, params)
	case before == nil:
		after, err = w.make(ctx, c)
	case live == nil:
		after, err = w.all.CreateElement(ctx, params, w.d.Element(c.want, nil))
	default:
		after, err = w.all.UpdateElement(ctx, params, w.d.Element(c.want, live))
	}
	if err == nil {
		w.document.wrote(before, after)
	}
	return after, err
}

// make creates the document with its first element. If the API refuses that because the document exists, the read
// that did not show the document is no longer believed.
func (w writing) make(ctx context.Context, c *change) (kind.Document, error) {
	after, err := w.all.MakeDocument(ctx, stored(w.d, w.d.Element(c.want, nil)))
	var exists *kindapi.ExistsError
	if errors.As(err, &exists) {
		w.document.exists()
	}
	return after, err
}

// stored returns an element without the fields that only say where to put it.
func stored(d kind.Description, e kind.Document) kind.Document {
	for path, f := range d.Fields {
		if f.WriteOnly {
			kind.Without(e, path)
		}
	}
	return e
}
