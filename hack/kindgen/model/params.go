// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"maps"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/document"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// params adds the fields for the paths and headers, except those of the scope.
func (k *Kind) params(d *document.Document, ops operationSet) {
	op, names := k.addressed(ops)
	for _, name := range names {
		if k.scopeParameter(name) || k.Spec.Member(name) != nil {
			continue
		}
		k.param(d, op.Parameter("path", name), name, Path, true)
	}
	for header, path := range joined(k.Headers, k.UpdateHeaders) {
		if k.Spec.At(path) != nil {
			continue
		}
		schema := document.Object(nil)
		for _, op := range []*document.Operation{ops.create, ops.read, ops.update} {
			if op != nil && schema == nil {
				schema = op.Parameter("header", header)
			}
		}
		k.param(d, schema, path, Header, k.Headers[header] != "")
	}
	slices.SortFunc(k.Params, func(a, b *Node) int { return strings.Compare(a.Name, b.Name) })
}

// addressed returns the operation whose path parameters are fields of the spec, and
// these parameters.
func (k *Kind) addressed(ops operationSet) (*document.Operation, []string) {
	for _, op := range []*document.Operation{ops.read, ops.update, ops.list} {
		if op == nil {
			continue
		}
		names := document.Parameters(op.Path)
		if k.Shape == kind.Collection && op != ops.list && len(names) > 0 {
			names = names[:len(names)-1]
		}
		return op, names
	}
	return nil, nil
}

func (k *Kind) param(d *document.Document, schema document.Object, name string, origin Origin, immutable bool) {
	n := flatten(d, schema, 0)
	if n == nil {
		n = &Node{Type: String}
	}
	n.Name, n.Path, n.Origin, n.Immutable = name, name, origin, immutable
	n.Required = origin == Path
	n.ReadOnly, n.Deprecated = false, false
	k.apply(n)
	k.Params = append(k.Params, n)
}

// scopeParameter reports whether a path parameter comes from the scope.
func (k *Kind) scopeParameter(name string) bool {
	return slices.Contains([]string{"account_id", "zone_id", "accounts_or_zones", "account_or_zone_id"}, name)
}

func joined(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, b)
	return out
}
