// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package apidoc is the part of Cloudflare's official OpenAPI document that the
// simulator's generic resources follow: the methods of a path, the members and defaults
// of a body, and the pages and filters of lists. It is an extract of the document in
// cloudflare-go's module, with the corrections of package openapi. It holds no text of
// the document except names, values and bounds.
//
// The package is pure. It knows no description of a kind and no client.
package apidoc

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

//go:generate go run ./extract extract.json

//go:embed extract.json
var extract []byte

// A Document is the extract.
type Document struct {
	// Paths has the operations by path template and method.
	Paths map[string]map[string]*Operation `json:"paths"`
	// Schemas has the schemas that others refer to, by name.
	Schemas map[string]*Schema `json:"schemas"`
}

// An Operation is one method of one path.
type Operation struct {
	// Groups has the permission groups that allow the operation. A token must have one
	// of them. Groups is empty if the document names none.
	Groups []string `json:"groups,omitempty"`
	// Query has the parameters of the query by name.
	Query map[string]*Schema `json:"query,omitempty"`
	// Body is the schema of the request's body. It is nil if the request has no body.
	Body *Schema `json:"body,omitempty"`
	// BodyOptional reports whether the request may come without its body.
	BodyOptional bool `json:"body_optional,omitempty"`
	// Status is the HTTP status of a success.
	Status int `json:"status"`
	// Result is the schema of the result of a success. It is nil if there is no result.
	Result *Schema `json:"result,omitempty"`
	// Info has the names of the members of result_info. It is empty if there is no
	// result_info.
	Info []string `json:"info,omitempty"`
}

// loadOnce parses the extract once, because it is immutable and the same for the whole
// process.
//
//nolint:gochecknoglobals // A cache of an immutable value.
var loadOnce = sync.OnceValue(func() *Document {
	d, err := parse(extract)
	if err != nil {
		panic("apidoc: the embedded extract is broken: " + err.Error())
	}
	return d
})

// Load returns the extract. Callers must not change it.
func Load() *Document { return loadOnce() }

func parse(raw []byte) (*Document, error) {
	d := &Document{}
	if err := json.Unmarshal(raw, d); err != nil {
		return nil, fmt.Errorf("cannot decode the extract: %w", err)
	}
	for _, methods := range d.Paths {
		for _, op := range methods {
			for _, s := range op.Query {
				s.link(d.Schemas)
			}
			op.Body.link(d.Schemas)
			op.Result.link(d.Schemas)
		}
	}
	for _, s := range d.Schemas {
		s.link(d.Schemas)
	}
	return d, nil
}

// Operation returns an operation, or nil if the document does not have it.
func (d *Document) Operation(method, path string) *Operation { return d.Paths[path][method] }
