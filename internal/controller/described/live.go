// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// A Live is a resource as Cloudflare shows it. It is immutable.
type Live struct {
	id   string
	keys []string
	// doc is the answer. digest identifies its contents.
	doc    kind.Document
	digest string
}

// keyAny is a key that every resource has.
const keyAny = ""

// ID returns the ID by which the API knows the resource, below its parent.
func (l Live) ID() string { return l.id }

// Keys returns the keys by which the resource is found.
func (l Live) Keys() []string { return l.keys }

// Modified returns zero: the API does not show it everywhere for most kinds.
func (Live) Modified() time.Time { return time.Time{} }

// Same reports whether two answers are the same.
func (l Live) Same(other Live) bool { return l.digest == other.digest }

// newLive returns the Live of an answer about the resource of that ID.
func newLive(d kind.Description, id string, doc kind.Document) Live {
	l := Live{id: id, doc: doc, digest: kind.Hash(doc), keys: []string{keyAny}}
	if key, ok := d.NaturalKey(doc); ok {
		l.keys = append(l.keys, key)
	}
	if d.Issue != nil {
		if request := kind.Text(doc, d.Issue.Request); request != "" {
			l.keys = append(l.keys, requestKey(request))
		}
	}
	return l
}

// madeAt returns the members of answers that say when a resource was created.
func madeAt() []string {
	return []string{"created_at", "created_on", "created", "creation_date", "issued_on", "uploaded_on"}
}

// made returns when the resource was created, by its own account, or zero if it does not say.
func (l Live) made() time.Time {
	for _, path := range madeAt() {
		if t, err := time.Parse(time.RFC3339, kind.Text(l.doc, path)); err == nil {
			return t
		}
	}
	return time.Time{}
}

// A caller is what a credential's client offers to the lists of a parent.
type caller interface {
	kindapi.Client
	Fingerprint() string
	SweepRate() float64
}

// calls makes the calls for the resources under one parent.
type calls struct {
	caller

	d   kind.Description
	all kindapi.Resources
	// document is the document that a Singleton is, or that contains the elements.
	document documentAt
	// sharedAt, unless nil, returns the document that a resource of a Collection is.
	sharedAt func(doc kind.Document) documentAt
}

// List returns a page of all resources.
func (s calls) List(ctx context.Context, cursor string) (parent.Page[Live], error) {
	page, err := s.all.List(ctx, cursor)
	var gone *kindapi.NotFoundError
	if errors.As(err, &gone) && s.d.Below() {
		page, err = s.all.List(ctx, cursor) // One answer alone proves nothing.
	}
	if errors.As(err, &gone) && s.d.Below() {
		return parent.Page[Live]{}, nil // The parent is gone, and the resources with it.
	}
	if err != nil {
		return parent.Page[Live]{}, err
	}
	out := parent.Page[Live]{Next: page.Next, LeftOut: page.LeftOut, Total: page.Total}
	for _, doc := range page.Resources {
		out.Rows = append(out.Rows, newLive(s.d, s.all.ID(doc), doc))
	}
	return out, nil
}

// Get returns one resource.
func (s calls) Get(ctx context.Context, id string) (Live, error) {
	q := s.document.ask()
	doc, err := s.read(ctx, id)
	l, err := s.got(id, doc, err)
	if err == nil && s.sharedAt != nil {
		return l, s.sharedAt(doc).ask().answered(doc)
	}
	if err == nil || errors.Is(err, parent.ErrNotFound) {
		err = cmp.Or(q.answered(l.doc), err)
	}
	return l, err
}

// read reads one resource. If the list that shows what Read lacks fails, the result has only what Read shows.
func (s calls) read(ctx context.Context, id string) (kind.Document, error) {
	doc, err := s.all.Get(ctx, id)
	if err == nil || !s.listFailed(err) {
		return doc, err
	}
	alone, readErr := s.all.Read(ctx, id)
	if readErr != nil {
		return doc, err
	}
	return s.all.Joined(id, alone, nil), nil
}

// listFailed reports whether an error may come from the list that shows what Read lacks. Such an error says nothing
// about other calls.
func (s calls) listFailed(err error) bool {
	about := errors.As(err, new(*kindapi.NotFoundError)) || errors.As(err, new(*kindapi.NonCanonicalIDError))
	return len(s.d.ReadLacks) > 0 && !about && parent.IsOfLists(err)
}

// Round lists once what Read lacks, or which revisions changed, for all resources that are read next.
func (s calls) Round(ctx context.Context, known func(id string) (Live, bool)) (func(ctx context.Context, id string) (Live, error), error) {
	if len(s.d.ReadLacks) == 0 && s.d.Revision == "" {
		return s.Get, nil
	}
	rows, err := s.all.Rows(ctx)
	if err != nil && !s.listFailed(err) {
		return nil, err
	}
	return func(ctx context.Context, id string) (Live, error) {
		if l, ok := known(id); ok && s.d.Unmoved(l.doc, rows[id]) {
			return l, nil
		}
		if len(s.d.ReadLacks) == 0 {
			return s.Get(ctx, id)
		}
		doc, err := s.all.Read(ctx, id)
		if err == nil {
			doc = s.all.Joined(id, doc, rows[id])
		}
		return s.got(id, doc, err)
	}, nil
}

// got converts what the API answered about one resource.
func (s calls) got(id string, doc kind.Document, err error) (Live, error) {
	var gone *kindapi.NotFoundError
	switch {
	case errors.As(err, &gone):
		return Live{}, fmt.Errorf("%w: %w", parent.ErrNotFound, err)
	case err != nil:
		return Live{}, err
	}
	return newLive(s.d, id, doc), nil
}

// terms returns what the description says about the lists of a parent. every is the interval if it says nothing.
func terms(d kind.Description, every time.Duration) parent.CollectionOptions {
	t := parent.CollectionOptions{What: d.Noun + "s", Interval: every, Names: d.ID != ""}
	if d.Sweep > 0 {
		t.Interval = min(every, d.Sweep)
	}
	switch {
	case d.Bulk != "":
		t.NoGet, t.Names = true, true
	case d.Shape == kind.Fragment: // One read of the document shows them all.
	case d.List == "" || d.Shape == kind.Singleton:
		t.Listing = parent.None
	case len(d.ListOmits) > 0, len(d.ReadLacks) > 0:
		t.Listing = parent.Partial
	}
	return t
}
