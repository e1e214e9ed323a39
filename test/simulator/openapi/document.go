// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package openapi checks the requests to a handler and its responses against
// Cloudflare's official OpenAPI document. Every test that talks to the simulator does
// so through this check, so that a difference between the simulator and the document
// fails a test.
//
//	srv := httptest.NewServer(openapi.Handler(t, sim))
//
// The document is read from cloudflare-go's module in the module cache. It is reduced
// to the paths in subsetPaths, and corrected where it is wrong (see corrections).
package openapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"

	"github.com/provider-cloudflare/provider-cloudflare/hack/officialdoc"
)

// basePath is the prefix of every path of the document. Other paths are not checked,
// such as those of the simulator's administration.
const basePath = "/client/v4"

// A Document is the corrected subset of the official document. It does not change after
// loading and may be shared.
type Document struct {
	operations []operation
}

// An operation is one method of one path.
type operation struct {
	name     string   // For example "GET /zones/{zone_id}".
	segments []string // The segments of the path; "{x}" matches all values.
	route    *routers.Route
}

// loadOnce is the one package variable. Reading and decompressing twelve megabytes
// takes about a quarter of a second. The result is immutable, and the same for the
// whole process, because it depends only on go.mod.
//
//nolint:gochecknoglobals // A cache of an immutable value, see above.
var loadOnce = sync.OnceValues(func() (*Document, error) {
	raw, err := officialdoc.Read(context.Background())
	if err != nil {
		return nil, fmt.Errorf("cannot read the official OpenAPI document: %w", err)
	}
	return build(raw, corrections())
})

// Load returns the document. The first call in a process loads it, and all later calls
// return the same result.
func Load() (*Document, error) { return loadOnce() }

// Corrected returns the corrected subset as JSON. The simulator's extract is made from
// it, so that both have the same corrections.
func Corrected() (map[string]any, error) {
	raw, err := officialdoc.Read(context.Background())
	if err != nil {
		return nil, fmt.Errorf("cannot read the official OpenAPI document: %w", err)
	}
	return correctedSubset(raw, corrections())
}

func correctedSubset(raw []byte, all []correction) (tree, error) {
	doc, err := cut(raw, subsetPaths())
	if err != nil {
		return nil, fmt.Errorf("cannot cut the official OpenAPI document: %w", err)
	}
	if err := correct(doc, all); err != nil {
		return nil, fmt.Errorf("cannot correct the official OpenAPI document: %w", err)
	}
	return doc, nil
}

// build makes a Document of the official document in JSON.
func build(raw []byte, all []correction) (*Document, error) {
	doc, err := correctedSubset(raw, all)
	if err != nil {
		return nil, err
	}
	small, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("cannot encode the OpenAPI subset: %w", err)
	}
	spec, err := openapi3.NewLoader().LoadFromData(small)
	if err != nil {
		return nil, fmt.Errorf("cannot load the OpenAPI subset: %w", err)
	}
	return newDocument(spec), nil
}

func newDocument(spec *openapi3.T) *Document {
	d := &Document{}
	for path, item := range spec.Paths.Map() {
		for method, op := range item.Operations() {
			d.operations = append(d.operations, operation{
				name:     method + " " + path,
				segments: strings.Split(path, "/"),
				route:    &routers.Route{Spec: spec, Path: path, PathItem: item, Method: method, Operation: op},
			})
		}
	}
	slices.SortFunc(d.operations, func(a, b operation) int { return strings.Compare(a.name, b.name) })
	return d
}

// find returns the operation of a request with its path parameters. A literal segment
// wins over a parameter, so that dns_records/batch is not a record.
func (d *Document) find(r *http.Request) (op operation, params map[string]string, ok bool) {
	segments := strings.Split(strings.TrimPrefix(r.URL.Path, basePath), "/")
	for _, candidate := range d.operations {
		if candidate.route.Method != r.Method {
			continue
		}
		matched, fits := match(candidate.segments, segments)
		if fits && (!ok || len(matched) < len(params)) {
			op, params, ok = candidate, matched, true
		}
	}
	return op, params, ok
}

// match returns the parameters of a path. It returns false if the path does not match
// the pattern.
func match(pattern, path []string) (map[string]string, bool) {
	if len(pattern) != len(path) {
		return nil, false
	}
	params := map[string]string{}
	for i, want := range pattern {
		switch {
		case strings.HasPrefix(want, "{") && path[i] != "":
			params[strings.Trim(want, "{}")] = path[i]
		case want != path[i]:
			return nil, false
		}
	}
	return params, true
}
