// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// writeTimeout bounds the calls of one group of writes. They go on when a caller has left:
// one that is cut off may be carried out or not.
const writeTimeout = 90 * time.Second

// attempts is how often a group is written again where somebody else wrote in between.
const attempts = 3

// A change is one fragment's write to a document.
type change struct {
	// key of the fragment, and what to make of it: nil removes it.
	key  string
	want kind.Document
	// exists, unless nil, is the error where the document has that fragment already, or where
	// another object is about to create it.
	exists error
	// still, unless nil, is asked once the document is read: its error keeps the change
	// from being made.
	still func() error

	done chan struct{}
	// after is the document after the write.
	after kind.Document
	err   error
}

// An UneditableError says that a document must not be changed by us.
type UneditableError struct {
	Noun, Why string
	// Whole is true where the document is the resource, and not what that is in.
	Whole bool
}

func (e *UneditableError) Error() string {
	if e.Whole {
		return fmt.Sprintf("cannot change the %s: %s", e.Noun, e.Why)
	}
	return fmt.Sprintf("cannot change the document that the %s is in: %s", e.Noun, e.Why)
}

// errMoved says that others write to a document all the time.
var errMoved = errors.New("others have changed the document in between, each time")

// documents writes to documents. To each document one goroutine writes with a credential at a
// time; what arrives while a call is under way is written together in the next one.
type documents struct {
	// sending are the groups of writes under way.
	sending *parent.Background

	mu sync.Mutex
	// waiting are the changes that no call has yet, of each document that is written to.
	waiting map[string][]*change
}

// apply carries out a change of the document of that key, and gives the document after it.
// The error of a context that ends first is ambiguous: the change goes on. It is
// parent.ErrEnding where no write begins any more.
func (w *documents) apply(ctx context.Context, key string, d kind.Description, all kindapi.Resources, c *change) (kind.Document, error) {
	c.done = make(chan struct{})
	w.mu.Lock()
	if w.waiting == nil {
		w.waiting = map[string][]*change{}
	}
	before, busy := w.waiting[key]
	if !busy && !w.sending.TryBegin() {
		w.mu.Unlock()
		return nil, parent.ErrEnding
	}
	w.waiting[key] = append(before, c)
	w.mu.Unlock()
	if !busy {
		go w.run(context.WithoutCancel(ctx), key, d, all)
	}
	select {
	case <-c.done:
		return c.after, c.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// run writes group after group until nobody waits, or no write begins any more.
func (w *documents) run(ctx context.Context, key string, d kind.Description, all kindapi.Resources) {
	defer w.sending.End()
	for group := w.next(key); len(group) > 0; group = w.next(key) {
		if w.sending.Closed() {
			refuse(group)
		} else {
			ctx, cancel := context.WithTimeout(ctx, writeTimeout)
			w.write(ctx, d, all, group)
			cancel()
		}
		for _, c := range group {
			close(c.done)
		}
	}
}

// refuse says of a group that it was not sent.
func refuse(group []*change) {
	for _, c := range group {
		c.err = parent.ErrEnding
	}
}

// next takes the changes that wait. Where there are none, the document is written to no
// longer.
func (w *documents) next(key string) []*change {
	w.mu.Lock()
	defer w.mu.Unlock()
	group := w.waiting[key]
	if len(group) == 0 {
		delete(w.waiting, key)
		return nil
	}
	w.waiting[key] = nil
	return group
}

// write carries out a group of changes. Where the API refuses it, each is tried alone, so
// that what is wrong with one keeps no other. Once no write begins any more, what is left of the
// group is not sent.
func (w *documents) write(ctx context.Context, d kind.Description, all kindapi.Resources, group []*change) {
	each := func(write func(*change) (kind.Document, error)) {
		for i, c := range group {
			if w.sending.Closed() {
				refuse(group[i:])
				return
			}
			c.ends(write(c))
		}
	}
	if d.Create != "" {
		each(func(c *change) (kind.Document, error) { return writeElement(ctx, d, all, c) })
		return
	}
	after, err := writeWhole(ctx, d, all, group)
	if err != nil && len(group) > 1 && !cloudflare.IsAmbiguous(err) && !cloudflare.IsThrottled(err) {
		each(func(c *change) (kind.Document, error) { return writeWhole(ctx, d, all, []*change{c}) })
		return
	}
	for _, c := range group {
		c.ends(after, err)
	}
}

// ends notes what came of a change, unless it was kept from being made.
func (c *change) ends(after kind.Document, err error) {
	if c.err == nil {
		c.after, c.err = after, err
	}
}

// wanted are the changes of a group that may still be made.
func wanted(group []*change) []*change {
	return slices.DeleteFunc(slices.Clone(group), func(c *change) bool {
		if c.err == nil && c.still != nil {
			c.err = c.still()
		}
		return c.err != nil
	})
}

// writeWhole reads the document, merges a group of changes into it and writes it. A version
// that did not go up by one shows that somebody else wrote in between: it is read again, and
// what is missing is merged again.
func writeWhole(ctx context.Context, d kind.Description, all kindapi.Resources, group []*change) (kind.Document, error) {
	for i := range attempts {
		before, err := editable(ctx, d, all)
		if err != nil {
			return nil, err
		}
		if i == 0 { // Later on it may be our own work.
			refuseExisting(d, before, group)
		}
		next := merged(d, before, wanted(group))
		if kind.Hash(next) == kind.Hash(before) {
			return before, nil
		}
		for _, path := range d.ReadOnly {
			kind.Without(next, path)
		}
		after, err := all.PutDocument(ctx, next)
		if err != nil || follows(before, after) {
			return after, err
		}
	}
	return nil, errMoved
}

// refuseExisting keeps fragments from being created that the document has already, and from
// being created twice: whether an object may have what exists is decided again.
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

// editable reads a document, and refuses one that must not be changed.
func editable(ctx context.Context, d kind.Description, all kindapi.Resources) (kind.Document, error) {
	doc, err := all.Document(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot read what the %s is merged into: %w", d.Noun, err)
	}
	return doc, uneditable(d, doc)
}

// uneditable is an *UneditableError where a document must not be changed.
func uneditable(d kind.Description, doc kind.Document) error {
	if d.Editable == nil || doc == nil {
		return nil
	}
	if why := d.Editable(doc); why != "" {
		return &UneditableError{Noun: d.Noun, Why: why, Whole: d.Shape == kind.Singleton}
	}
	return nil
}

// merged is a document with a group of changes in it.
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

// elementOf is the element of that key, nil where there is none.
func elementOf(d kind.Description, doc kind.Document, key string) kind.Document {
	for _, e := range d.Elements(doc) {
		if d.FragmentKey(e) == key {
			return e
		}
	}
	return nil
}

// follows reports whether nobody wrote between two versions of a document, as far as it
// has versions.
func follows(before, after kind.Document) bool {
	b, errB := strconv.Atoi(kind.Text(before, "version"))
	a, errA := strconv.Atoi(kind.Text(after, "version"))
	return errA != nil || errB != nil || a <= b+1
}

// writeElement carries out one change by the kind's own operations on elements. A document
// that does not exist yet is made with the first one.
func writeElement(ctx context.Context, d kind.Description, all kindapi.Resources, c *change) (kind.Document, error) {
	before, err := editable(ctx, d, all)
	if err != nil {
		return nil, err
	}
	live := elementOf(d, before, c.key)
	params := map[string]string{"ruleset_id": kind.Text(before, "id"), "rule_id": kind.Text(live, "id")}
	switch {
	case c.want == nil && live == nil:
		return before, nil
	case len(wanted([]*change{c})) == 0:
		return before, c.err
	case c.want == nil:
		return before, all.DeleteElement(ctx, params)
	case before == nil:
		return all.PutDocument(ctx, d.With(nil, stored(d, d.Element(c.want, nil))))
	case live == nil:
		return all.CreateElement(ctx, params, d.Element(c.want, nil))
	}
	return all.UpdateElement(ctx, params, d.Element(c.want, live))
}

// stored is an element without what says only where to put it.
func stored(d kind.Description, e kind.Document) kind.Document {
	for path, f := range d.Fields {
		if f.WriteOnly {
			kind.Without(e, path)
		}
	}
	return e
}
