// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kindapi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// A ReadAfterWriteError says that a resource was written, but could not be read afterwards. Its current state is not known.
type ReadAfterWriteError struct {
	Noun  string
	Cause error
}

func (e *ReadAfterWriteError) Error() string {
	return fmt.Sprintf("the %s was written, and cannot be read: %v", e.Noun, e.Cause)
}

func (e *ReadAfterWriteError) Unwrap() error { return e.Cause }

// Rows returns the entry of each resource in the list, by ID. Kinds whose Read lacks something need it.
// A list that repeats a cursor is unreadable.
func (r Resources) Rows(ctx context.Context) (map[string]kind.Document, error) {
	out := map[string]kind.Document{}
	var cursors cloudflare.Cursors
	for cursor := ""; ; {
		page, err := r.List(ctx, cursor)
		if err != nil {
			return nil, err
		}
		for _, row := range page.Resources {
			out[r.ID(row)] = row
		}
		if page.Next == "" || len(page.Resources)+page.LeftOut == 0 {
			return out, nil
		}
		if cursors.Again(page.Next) {
			return nil, r.endless()
		}
		cursor = page.Next
	}
}

// endless returns the error of a list that repeats its pages.
func (r Resources) endless() error {
	req, err := r.request(r.d.List, "")
	if err != nil {
		return err
	}
	return req.Unreadable(errors.New("its pages come again and again"))
}

// beside returns the answer of Read about the resource of that ID, with the values that only the list shows.
func (r Resources) beside(ctx context.Context, id string, doc kind.Document) (kind.Document, error) {
	rows, err := r.Rows(ctx)
	if err != nil {
		return nil, err
	}
	if _, listed := rows[id]; !listed {
		for other := range rows {
			if r.spells(other, id) {
				return nil, &NonCanonicalIDError{Noun: r.d.Noun, ID: other, Spelled: id}
			}
		}
	}
	return r.Joined(id, doc, rows[id]), nil
}

// Joined returns the answer of Read, with the values that it lacks from a row of the list or the
// answer to a write. A list without that row adds nothing.
func (r Resources) Joined(id string, doc, row kind.Document) kind.Document {
	for _, path := range r.d.ReadLacks {
		if v, ok := kind.At(row, path); ok {
			kind.Put(doc, path, v)
		}
	}
	kind.Put(doc, r.d.IDPath(), id)
	return doc
}

// whole returns the complete resource after a write whose answer is doc. It returns an
// *ReadAfterWriteError if the resource cannot be read.
func (r Resources) whole(ctx context.Context, id string, doc kind.Document) (kind.Document, error) {
	if len(r.d.Apart) > 0 {
		if err := r.complete(ctx, id, doc); err != nil {
			return nil, &ReadAfterWriteError{Noun: r.d.Noun, Cause: err}
		}
		return doc, nil
	}
	if len(r.d.ReadLacks) == 0 && len(r.d.WriteLacks) == 0 {
		return doc, nil
	}
	read, err := r.Read(ctx, id)
	if err != nil {
		return nil, &ReadAfterWriteError{Noun: r.d.Noun, Cause: err}
	}
	return r.Joined(id, read, doc), nil
}

// Read returns the answer of the operation Read about the resource of that ID, without further calls.
func (r Resources) Read(ctx context.Context, id string) (kind.Document, error) {
	req, err := r.request(r.d.Read, id)
	if err != nil {
		return nil, err
	}
	return r.object(ctx, req)
}

// complete adds to doc, the resource of that ID, the members that have operations of their own.
func (r Resources) complete(ctx context.Context, id string, doc kind.Document) error {
	for _, path := range slices.Sorted(maps.Keys(r.d.Apart)) {
		all, err := r.elements(ctx, r.d.Apart[path], id)
		if err != nil {
			return err
		}
		kind.Put(doc, path, all)
	}
	return nil
}

// elements returns what an operation on the resource of that ID lists, page after page. A list is unreadable if it
// is not complete, or has an element twice because it changed in between: a missing element would count as removed.
func (r Resources) elements(ctx context.Context, apart kind.SubList, id string) ([]any, error) {
	req, err := r.request(apart.Operation, id)
	if err != nil {
		return nil, err
	}
	all, seen := []any{}, map[string]bool{}
	for number := 1; ; number++ {
		if apart.Page.Max > 0 {
			req.Query.Set("per_page", strconv.Itoa(apart.Page.Max))
			req.Query.Set("page", strconv.Itoa(number))
		}
		rows, info, err := r.rows(ctx, req, id)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			key := kind.Hash(kind.Document{"element": row})
			if seen[key] {
				return nil, req.Unreadable(errors.New("it has the same element twice"))
			}
			seen[key], all = true, append(all, row)
		}
		if len(rows) > 0 && next(apart.Page, len(rows), number, info) != "" {
			continue
		}
		if info.TotalCount > 0 && len(all) != info.TotalCount {
			return nil, req.Unreadable(fmt.Errorf("it has %d elements, and counts %d", len(all), info.TotalCount))
		}
		return all, nil
	}
}

// rows returns the elements of one page about the resource of that ID.
func (r Resources) rows(ctx context.Context, req cloudflare.Request, id string) ([]any, cloudflare.ResultInfo, error) {
	a, err := r.client.Do(ctx, req)
	if err != nil {
		return nil, a.Info, r.explain(err, req.Method, id)
	}
	v, err := kind.Parse(a.Result)
	if err != nil {
		return nil, a.Info, req.Unreadable(err)
	}
	rows, ok := v.([]any)
	if !ok && v != nil {
		return nil, a.Info, req.Unreadable(errors.New("it has no list"))
	}
	return rows, a.Info, nil
}
