// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// tamper changes one declared value as another client would. It returns the name of the
// changed field in the spec.
func (w *world) tamper(id string, l leaf) string {
	w.T.Helper()
	names := kind.Names(w.example.GetForProvider())
	schema := w.schemaOf(l.general)
	to := func(v any) any { return other(v, schema) }
	reported := lastName(names[w.comparedAt(l.general)])
	if w.d.Shape == kind.Singleton && !decides(w.d, l.general) { // A value that decides the form may be refused without the other members.
		w.update(l, to)
		return reported
	}
	before := w.answer(id)
	at := w.stored(l)
	w.editStored(id, func(doc map[string]any) { change(doc, at, to) })
	if !same(before, w.answer(id)) {
		return reported
	}
	// The stored form of a reference is not the declared form: the reference is removed.
	list, _, _ := strings.Cut(at, "[")
	w.editStored(id, func(doc map[string]any) { doc[list] = []any{} })
	if same(before, w.answer(id)) {
		w.T.Fatalf("an edit of %s changes nothing", l.path)
	}
	return lastName(names[list])
}

// comparedAt returns the path at which a difference of the value at general is reported.
// An element of a set without a key has no path of its own: the path is that of the set.
func (w *world) comparedAt(general string) string {
	for i := range len(general) + 1 {
		at, found := strings.CutSuffix(general[:i], "[]")
		if f := w.d.Fields[at]; found && f.Set && f.Key == "" {
			return at
		}
	}
	return general
}

// stored returns the path of a value in answers.
func (w *world) stored(l leaf) string {
	if at := w.d.Fields[l.general].Answer; at != "" {
		return at
	}
	if member := w.d.Fields[strings.TrimSuffix(l.general, "[]")].Expanded; member != "" && !w.d.Fields[l.general].Set {
		return dotted(l.path) + "." + member
	}
	return dotted(l.path)
}

// update changes one declared value of a singleton by its own operation.
func (w *world) update(l leaf, to func(any) any) {
	w.T.Helper()
	if f := w.d.Fields[l.general]; f.On != "" {
		w.flip(f, to(w.answer("")[l.path]) == true)
		return
	}
	op, _ := kind.ParseOperation(w.d.Update)
	live, body := w.answer(""), map[string]any{}
	for _, path := range w.d.ReadOnly {
		kind.Without(live, path)
	}
	for name := range w.want() {
		body[name] = live[name] // The whole member is sent: values that the example does not declare stay.
	}
	if w.d.Mode == kind.Merge { // A replacing operation may require more members.
		body = live
	}
	change(body, l.path, to)
	if _, err := w.call(op.Method, w.item(""), body); err != nil {
		w.T.Fatalf("cannot change %s: %v", l.path, err)
	}
}

// flip calls the operation that sets a field which no update sets.
func (w *world) flip(f kind.Field, on bool) {
	w.T.Helper()
	s := f.Off
	if on {
		s = f.On
	}
	op, _ := kind.ParseOperation(s)
	path, err := op.Expand(w.params())
	if err == nil {
		_, err = w.call(op.Method, path, map[string]any{})
	}
	if err != nil {
		w.T.Fatal(err)
	}
}

// answer returns the answer of the API about the resource of that ID.
func (w *world) answer(id string) kind.Document {
	w.T.Helper()
	if w.d.Shape == kind.Fragment && w.d.Bulk == "" {
		return w.element(w.document(), id)
	}
	if len(w.d.ReadLacks) > 0 {
		return w.joined(id)
	}
	doc, err := w.sim.GetResource(w.item(id))
	if errors.Is(err, simulator.ErrUnknown) { // The simulator has no generic resource at this path.
		doc, err = w.call(http.MethodGet, w.item(id), nil)
	}
	if err != nil {
		return nil
	}
	out := parsed(doc)
	for path := range w.d.Apart {
		if v, ok := kind.At(parsed(w.raw(id)), path); ok {
			kind.Put(out, path, v)
		}
	}
	return out
}

// joined returns the answer of Read about a resource, with the members that it lacks.
func (w *world) joined(id string) kind.Document {
	w.T.Helper()
	op, _ := kind.ParseOperation(w.d.Read)
	params := w.params()
	params[w.d.IDParameter()] = id
	path, err := op.Expand(params)
	if err != nil {
		w.T.Fatal(err)
	}
	doc, err := w.sim.GetResource(path)
	if err != nil {
		return nil
	}
	out, stored := parsed(doc), parsed(w.raw(id))
	for _, path := range w.d.ReadLacks {
		if v, ok := kind.At(stored, path); ok {
			kind.Put(out, path, v)
		}
	}
	return out
}

// call makes a call as another client, with a new credential: a test that observes often
// must not reach the rate limit of a credential.
func (w *world) call(method, path string, body any) (map[string]any, error) {
	w.T.Helper()
	token := w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: w.account.ID, Permission: simulator.Everything}}})
	raw := []byte{}
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	req, err := http.NewRequestWithContext(w.T.Context(), method, w.url+path, bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := w.client().Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var out struct {
		Success bool           `json:"success"`
		Errors  any            `json:"errors"`
		Result  map[string]any `json:"result"`
	}
	d := json.NewDecoder(resp.Body)
	d.UseNumber() // Numbers are compared in the form of the answer.
	if err := d.Decode(&out); err != nil {
		return nil, err
	}
	if !out.Success {
		return nil, fmt.Errorf("%s %s: %d %v", method, path, resp.StatusCode, out.Errors)
	}
	return out.Result, nil
}
