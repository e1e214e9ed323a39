// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package apidoc is the part of Cloudflare's official OpenAPI document that the
// simulator's generic resources follow: which methods a path has, what a body must
// and may contain, what is filled in, and how lists are paged and filtered. It is an
// extract of the document in cloudflare-go's module, after the corrections of package
// openapi, and holds no text of it but names, values and bounds.
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

// Document is the extract.
type Document struct {
	// Paths by template, then operations by method.
	Paths map[string]map[string]*Operation `json:"paths"`
	// Schemas that others refer to.
	Schemas map[string]*Schema `json:"schemas"`
}

// Operation is one method of one path.
type Operation struct {
	// Groups are the permission groups, one of which a token must have. None means
	// that the document does not say.
	Groups []string `json:"groups,omitempty"`
	// Query has the parameters of the query by name.
	Query map[string]*Schema `json:"query,omitempty"`
	// Body of the request; nil where it has none.
	Body *Schema `json:"body,omitempty"`
	// BodyOptional says that the request may come without its body.
	BodyOptional bool `json:"body_optional,omitempty"`
	// Status of a success.
	Status int `json:"status"`
	// Result of a success; nil where there is no answer.
	Result *Schema `json:"result,omitempty"`
	// Info has the members of result_info; none means that there is none.
	Info []string `json:"info,omitempty"`
}

// loadOnce parses the extract once: it is immutable and the same for the process.
//
//nolint:gochecknoglobals // A cache of an immutable value.
var loadOnce = sync.OnceValue(func() *Document {
	d, err := parse(extract)
	if err != nil {
		panic("apidoc: the embedded extract is broken: " + err.Error())
	}
	return d
})

// Load returns the extract. It must not be changed.
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

// Operation returns an operation, or nil.
func (d *Document) Operation(method, path string) *Operation { return d.Paths[path][method] }
