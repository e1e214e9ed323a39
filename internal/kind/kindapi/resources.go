// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package kindapi carries out the operations of described kinds. It makes the calls of a
// description, and translates their answers to the meanings in the description. It decides nothing.
package kindapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// Client makes calls. A *cloudflare.Client implements it.
type Client interface {
	Do(ctx context.Context, r cloudflare.Request) (cloudflare.Answer, error)
}

// Resources are the resources of one kind under one parent, for one credential.
type Resources struct {
	client Client
	d      kind.Description
	params map[string]string
	header http.Header
}

// New returns the resources of a kind. params are the parameters of the description's paths
// except the identity, and header is the header of each call.
func New(c Client, d kind.Description, params map[string]string, header http.Header) Resources {
	return Resources{client: c, d: d, params: params, header: header}
}

// Parent returns the path of the parent of the resources.
func (r Resources) Parent() (string, error) {
	op, err := parentOperation(r.d)
	if err != nil {
		return "", err
	}
	return op.Expand(r.with(r.d.IDParameter()))
}

// Key returns a string that tells the resources of one kind under one parent from all others.
func (r Resources) Key() (string, error) {
	path, err := r.Parent()
	if err != nil {
		return "", err
	}
	parts := []string{r.d.Group, r.d.Name, path}
	for _, name := range slices.Sorted(maps.Keys(r.header)) {
		parts = append(parts, name+"="+r.header.Get(name))
	}
	for _, name := range slices.Sorted(maps.Keys(r.d.ListQuery)) {
		parts = append(parts, name+"="+r.filled(r.d.ListQuery[name])) // It is another list with other resources.
	}
	return strings.Join(parts, " "), nil
}

// Path returns the path of the resource of that ID.
func (r Resources) Path(id string) (string, error) {
	req, err := r.request(r.d.Read, id)
	return req.Path, err
}

// Get reads the resource of that ID. It returns a *MissingError if there is none. A Singleton that is not set is empty.
func (r Resources) Get(ctx context.Context, id string) (kind.Document, error) {
	req, err := r.request(r.d.Read, id)
	if err != nil {
		return nil, err
	}
	doc, err := r.object(ctx, req)
	if r.unset(err) {
		return kind.Document{}, nil
	}
	if err != nil {
		return nil, err
	}
	if r.d.Shape == kind.Singleton && r.d.Skip != nil && r.d.Skip(doc) {
		return kind.Document{}, nil
	}
	if len(r.d.ReadLacks) > 0 {
		return r.beside(ctx, id, doc)
	}
	if r.d.Deleted(doc) {
		return nil, &NotFoundError{Noun: r.d.Noun, ID: id}
	}
	if err := r.about(req, doc, id); err != nil {
		return doc, err
	}
	return doc, r.complete(ctx, id, doc)
}

// about returns nil if doc is the resource of that ID.
func (r Resources) about(req cloudflare.Request, doc kind.Document, id string) error {
	if r.d.Shape == kind.Singleton {
		return nil
	}
	switch got := r.ID(doc); {
	case got == id:
		return nil
	case r.spells(got, id):
		return &NonCanonicalIDError{Noun: r.d.Noun, ID: got, Spelled: id}
	}
	return req.Unreadable(errors.New("it is about another resource"))
}

// spells reports whether one ID is another spelling of the other. The API answers both with one resource.
func (r Resources) spells(a, b string) bool {
	return strings.EqualFold(a, b) || r.d.CanonicalID(a) == r.d.CanonicalID(b)
}

// ID returns the identity of a resource, "" if an answer does not show it.
func (r Resources) ID(doc kind.Document) string { return kind.Text(doc, r.d.IDPath()) }

// Create creates a resource. It returns an *ExistsError if one with its natural key exists.
// secrets are values in body that no error may show.
func (r Resources) Create(ctx context.Context, body kind.Document, secrets []string) (kind.Document, error) {
	req, err := r.request(r.d.Create, r.ID(body))
	if err != nil {
		return nil, err
	}
	if err := r.fill(&req, body, secrets); err != nil {
		return nil, err
	}
	doc, err := r.object(ctx, req)
	var gone *NotFoundError
	if errors.As(err, &gone) && gone.Cause != nil {
		return nil, gone.Cause // It is the parent that does not exist.
	}
	if err == nil && r.ID(doc) == "" {
		err = req.Unreadable(errors.New("it does not say what was created"))
	}
	if err != nil {
		return doc, err
	}
	return r.whole(ctx, r.ID(doc), doc)
}

// Update changes the resource of that ID, and returns the result.
func (r Resources) Update(ctx context.Context, id string, body kind.Document, header http.Header, secrets []string) (kind.Document, error) {
	req, err := r.request(r.d.Update, id)
	if err != nil {
		return nil, err
	}
	if err := r.fill(&req, body, secrets); err != nil {
		return nil, err
	}
	for name, v := range header {
		req.Header[name] = v
	}
	doc, err := r.object(ctx, req)
	var none *noObjectError
	if errors.As(err, &none) { // Some operations answer with no result.
		return r.Get(ctx, id)
	}
	if err != nil {
		return doc, err
	}
	return r.whole(ctx, id, doc)
}

// Delete deletes the resource of that ID. It returns a *MissingError if there was none, and a
// *InUseError with the holders if another resource uses it.
func (r Resources) Delete(ctx context.Context, id string) error {
	_, err := r.Call(ctx, r.d.Delete, id, nil)
	if cloudflare.IsEmpty(err) { // Some deletions are answered so: a read shows the outcome.
		var gone *NotFoundError
		if _, seen := r.Get(ctx, id); errors.As(seen, &gone) {
			return nil
		}
	}
	var busy *InUseError
	if errors.As(err, &busy) && r.d.Holders != "" {
		busy.Holders = r.holders(ctx, id)
	}
	return err
}

// Unset deletes what is set of a Singleton. It returns a *MissingError if nothing is set, or if the parent is gone.
func (r Resources) Unset(ctx context.Context, id string) error {
	_, err := r.Call(ctx, r.d.OnDelete.Verb, id, nil)
	if r.unset(err) {
		return &NotFoundError{Noun: r.d.Noun, ID: id, Cause: err}
	}
	return err
}

// unset reports whether an answer means that nothing is set.
func (r Resources) unset(err error) bool {
	return slices.ContainsFunc(r.d.Unset, func(c kind.Code) bool { return matches(err, c) })
}

// holders returns the resources that use the one of that ID. It returns none if they cannot be
// listed: the refusal that they explain is valid without them.
func (r Resources) holders(ctx context.Context, id string) []string {
	result, err := r.Call(ctx, r.d.Holders, id, nil)
	if err != nil {
		return nil
	}
	rows, _ := result.([]any)
	var out []string
	for _, row := range rows {
		doc, ok := row.(kind.Document)
		name := cmp.Or(kind.Text(doc, "resource_name"), kind.Text(doc, "resource_id"))
		if ok && name != "" && kind.Text(doc, "reference_type") != "referral" {
			out = append(out, strings.TrimSpace(kind.Text(doc, "resource_type")+" "+name))
		}
	}
	return out
}

// Call carries out any operation on the resource of that ID, and returns its result.
func (r Resources) Call(ctx context.Context, op, id string, body any) (any, error) {
	req, err := r.request(op, id)
	if err != nil {
		return nil, err
	}
	req.Body = body
	a, err := r.client.Do(ctx, req)
	if err != nil {
		return nil, r.explain(err, req.Method, id)
	}
	if len(a.Result) == 0 {
		return nil, nil // An answer may have no result.
	}
	v, err := kind.Parse(a.Result)
	if err != nil {
		return nil, req.Unreadable(err)
	}
	return v, nil
}

// A noObjectError says that the API carried out a call and returned no object.
type noObjectError struct{ got string }

func (e *noObjectError) Error() string { return "its result is " + e.got + ", not an object" }

// object makes a call whose result is an object.
func (r Resources) object(ctx context.Context, req cloudflare.Request) (kind.Document, error) {
	a, err := r.client.Do(ctx, req)
	if err != nil {
		return nil, r.explain(err, req.Method, "")
	}
	v, err := kind.Parse(a.Result)
	if len(a.Result) > 0 && err != nil {
		return nil, req.Unreadable(err)
	}
	doc, ok := v.(kind.Document)
	if !ok {
		return nil, req.Unreadable(&noObjectError{got: shape(a.Result)})
	}
	return doc, nil
}

// shape returns the JSON type of a result, and nothing of its content.
func shape(raw json.RawMessage) string {
	switch {
	case len(raw) == 0:
		return "missing"
	case raw[0] == '[':
		return "a list"
	case raw[0] == '"':
		return "a text"
	}
	return "null or a plain value"
}

// request returns the request of an operation on the resource of that ID.
func (r Resources) request(op, id string) (cloudflare.Request, error) {
	o, err := operation(op)
	if err != nil {
		return cloudflare.Request{}, err
	}
	path, err := o.Expand(r.with(id))
	if err != nil {
		return cloudflare.Request{}, fmt.Errorf("cannot address the %s: %w", r.d.Noun, err)
	}
	header := r.header.Clone()
	if header == nil {
		header = http.Header{}
	}
	return cloudflare.Request{
		Method: o.Method, Path: path, Route: o.Path, Header: header, Query: url.Values{},
		Zone: r.params["zone_id"], Permission: strings.Join(r.d.Permissions, " or "),
	}, nil
}

// with returns the parameters of a path about the resource of that ID.
func (r Resources) with(id string) map[string]string {
	out := map[string]string{}
	for name, v := range r.params {
		out[name] = v
	}
	if name := r.d.IDParameter(); name != "" && id != "" {
		out[name] = id
	}
	return out
}

func operation(s string) (kind.Operation, error) {
	op, ok := kind.ParseOperation(s)
	if !ok {
		return op, fmt.Errorf("the description has no such operation: %q", s)
	}
	return op, nil
}
