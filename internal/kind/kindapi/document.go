// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kindapi

import (
	"context"
	"errors"
	"maps"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// Document reads the document that holds the fragments. It returns nil if there is none yet.
func (r Resources) Document(ctx context.Context) (kind.Document, error) {
	req, err := r.request(r.d.Read, "")
	if err != nil {
		return nil, err
	}
	doc, err := r.object(ctx, req)
	var gone *NotFoundError
	if errors.As(err, &gone) {
		return nil, nil // There is no document.
	}
	if err == nil && r.d.Shape == kind.Fragment && !r.d.Holds(doc) {
		return nil, req.Unreadable(&noElementsError{part: r.d.Part})
	}
	return doc, err
}

// A noElementsError says that the API returned a document that cannot hold elements.
type noElementsError struct{ part string }

func (e *noElementsError) Error() string { return "its result does not have a list at " + e.part }

// MakeDocument creates the document that holds the fragments, with its first one, and returns it. It returns an
// *ExistsError if the document exists.
func (r Resources) MakeDocument(ctx context.Context, element kind.Document) (kind.Document, error) {
	doc, err := r.write(ctx, r.d.Make.Operation, nil, r.d.With(r.d.Make.Body(r.params), element))
	for _, c := range r.d.Make.Exists {
		if matches(err, c) {
			return nil, &ExistsError{Noun: "document", Cause: err}
		}
	}
	return doc, err
}

// PutDocument writes the document that holds the fragments, and returns the result.
func (r Resources) PutDocument(ctx context.Context, doc kind.Document) (kind.Document, error) {
	read, err := operation(r.d.Read)
	if err != nil {
		return nil, err
	}
	return r.write(ctx, "PUT "+read.Path, nil, doc)
}

// CreateElement adds an element to a document, by the kind's own operation, and returns the
// document. params are parameters of the path beside those of the parent.
func (r Resources) CreateElement(ctx context.Context, params map[string]string, body kind.Document) (kind.Document, error) {
	return r.write(ctx, r.d.Create, params, body)
}

// UpdateElement is CreateElement for an existing element.
func (r Resources) UpdateElement(ctx context.Context, params map[string]string, body kind.Document) (kind.Document, error) {
	return r.write(ctx, r.d.Update, params, body)
}

// DeleteElement removes an element, and returns the document if the answer has it.
func (r Resources) DeleteElement(ctx context.Context, params map[string]string) (kind.Document, error) {
	v, err := r.under(params).Call(ctx, r.d.Delete, "", nil)
	doc, _ := v.(kind.Document)
	return doc, err
}

func (r Resources) write(ctx context.Context, op string, params map[string]string, body kind.Document) (kind.Document, error) {
	r = r.under(params)
	req, err := r.request(op, "")
	if err != nil {
		return nil, err
	}
	req.Body = body
	return r.object(ctx, req)
}

// under returns the resources with more parameters.
func (r Resources) under(params map[string]string) Resources {
	all := maps.Clone(r.params)
	maps.Copy(all, params)
	r.params = all
	return r
}
