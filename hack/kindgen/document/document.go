// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package document reads Cloudflare's official OpenAPI document.
package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// maxReferences bounds a chain of references.
const maxReferences = 20

// A Document is an OpenAPI document.
type Document struct {
	root Object
}

// An Object is a JSON object of the document. Numbers in it are json.Number.
type Object map[string]any

// An Operation is a verb on a path.
type Operation struct {
	Verb, Path string
	// Permissions are the token permissions of which each suffices. Plans says which
	// plans may use the operation.
	Permissions []string
	Plans       map[string]bool
	doc         *Document
	item, body  Object
}

// Parse reads a document.
func Parse(raw []byte) (*Document, error) {
	d := &Document{}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&d.root); err != nil {
		return nil, fmt.Errorf("cannot parse the document: %w", err)
	}
	return d, nil
}

// Operation returns the operation with a name such as "POST
// /accounts/{account_id}/cfd_tunnel".
func (d *Document) Operation(name string) (*Operation, error) {
	verb, path, _ := strings.Cut(name, " ")
	item, ok := object(object2(d.root, "paths")[path])
	if !ok {
		return nil, fmt.Errorf("the document has no path %q", path)
	}
	op, ok := object(item[strings.ToLower(verb)])
	if !ok {
		return nil, fmt.Errorf("the document has no %s on %q", verb, path)
	}
	out := &Operation{Verb: verb, Path: path, doc: d, item: item, body: op, Permissions: Strings(op["x-api-token-group"])}
	if plans, ok := object(op["x-cfPlanAvailability"]); ok {
		out.Plans = map[string]bool{}
		for plan, v := range plans {
			out.Plans[plan] = v == true
		}
	}
	return out, nil
}

// Resolve follows references. Siblings of a reference take precedence over its target.
func (d *Document) Resolve(raw any) Object {
	o, ok := object(raw)
	for range maxReferences {
		ref, is := o["$ref"].(string)
		if !ok || !is {
			break
		}
		target := Object{}
		for k, v := range d.at(ref) {
			target[k] = v
		}
		for k, v := range o {
			if k != "$ref" {
				target[k] = v
			}
		}
		o = target
	}
	return o
}

// at returns the object that a JSON pointer within the document names.
func (d *Document) at(ref string) Object {
	unescape := strings.NewReplacer("~1", "/", "~0", "~", "%7B", "{", "%7D", "}")
	var v any = map[string]any(d.root)
	for _, step := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
		switch t := v.(type) {
		case map[string]any:
			v = t[unescape.Replace(step)]
		case []any:
			i := 0
			if _, err := fmt.Sscan(step, &i); err != nil || i >= len(t) {
				return nil
			}
			v = t[i]
		}
	}
	o, _ := object(v)
	return o
}

// Body returns the schema of the request's JSON body, or nil if there is none.
func (o *Operation) Body() Object {
	content, _ := object(o.doc.Resolve(o.body["requestBody"])["content"])
	return schemaOf(content)
}

// Result returns the schema of the member result of a successful answer, or nil if there
// is none.
func (o *Operation) Result() Object {
	responses, _ := object(o.body["responses"])
	for _, code := range []string{"200", "201", "202", "2XX"} {
		content, ok := object(o.doc.Resolve(responses[code])["content"])
		if !ok {
			continue
		}
		return o.doc.member(schemaOf(content), "result")
	}
	return nil
}

// member returns the schema of a property. If parts of allOf have it, the last of them
// counts.
func (d *Document) member(raw any, name string) Object {
	s := d.Resolve(raw)
	if p, ok := object2(s, "properties")[name]; ok {
		return d.Resolve(p)
	}
	parts, _ := s["allOf"].([]any)
	for _, part := range slices.Backward(parts) {
		if found := d.member(part, name); found != nil {
			return found
		}
	}
	return nil
}

// Parameter returns the schema of a parameter. in is path, query or header.
func (o *Operation) Parameter(in, name string) Object {
	var all []any
	for _, from := range []Object{o.item, o.body} {
		list, _ := from["parameters"].([]any)
		all = append(all, list...)
	}
	for _, raw := range all {
		p := o.doc.Resolve(raw)
		if p["in"] != in || p["name"] != name {
			continue
		}
		schema := Object{}
		for k, v := range o.doc.Resolve(p["schema"]) {
			schema[k] = v
		}
		if _, has := schema["description"]; !has {
			schema["description"] = p["description"]
		}
		return schema
	}
	return nil
}

// Parameters returns the names in a path's braces.
func Parameters(path string) []string {
	var out []string
	for _, part := range strings.Split(path, "{")[1:] {
		name, _, _ := strings.Cut(part, "}")
		out = append(out, name)
	}
	return out
}

// Strings returns the strings of a list.
func Strings(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, x := range list {
		if s, ok := x.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func schemaOf(content Object) Object {
	for _, kind := range []string{"application/json", "multipart/form-data"} {
		if media, ok := object(content[kind]); ok {
			schema, _ := object(media["schema"])
			return schema
		}
	}
	return nil
}

func object(v any) (Object, bool) {
	switch t := v.(type) {
	case Object:
		return t, true
	case map[string]any:
		return t, true
	}
	return nil, false
}

func object2(o Object, name string) Object {
	v, _ := object(o[name])
	return v
}
