// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/document"
)

// A Variant has the document's types of a body's members for one value of the parameter
// VariantBy.
type Variant struct {
	Value, Doc string
	Deprecated bool
	Members    []*Node
}

// variants returns the variants that the document describes for the answer of Read,
// sorted by value.
func (k *Kind) variants(d *document.Document, ops operationSet) []Variant {
	if k.VariantBy == "" || ops.read == nil {
		return nil
	}
	var out []Variant
	result := d.Resolve(ops.read.Result())
	for _, raw := range append(list(result["oneOf"]), list(result["anyOf"])...) {
		n := flatten(d, raw, 0)
		id := n.Member("id")
		if id == nil || len(id.Enum) != 1 {
			continue
		}
		v := Variant{Value: id.Enum[0], Doc: Clean(n.Doc), Deprecated: n.Deprecated}
		n.place("")
		for _, m := range n.Members {
			if k.Spec.Member(m.Name) != nil {
				v.Members = append(v.Members, m)
			}
		}
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b Variant) int { return strings.Compare(a.Value, b.Value) })
	return out
}

// errNoVariants reports a parameter that decides nothing.
var errNoVariants = errors.New("VariantBy is said, and what Read answers has no variants with an id of one value")

// variantFaults returns the errors in the variants.
func (k *Kind) variantFaults() []error {
	if k.VariantBy == "" {
		return nil
	}
	if k.Param(k.VariantBy) == nil {
		return []error{fmt.Errorf("%s is in VariantBy, and no parameter of a path", k.VariantBy)}
	}
	if len(k.Variants) == 0 {
		return []error{errNoVariants}
	}
	var out []error
	for _, v := range k.Variants {
		if len(v.Members) == 0 {
			out = append(out, fmt.Errorf("the spec offers no member of %s", v.Value))
		}
		for _, m := range v.Members {
			m.Walk(func(n *Node) {
				if !slices.Contains([]Type{String, Boolean, Integer, Number, Object, List}, n.Type) {
					out = append(out, fmt.Errorf("%s of %s is of type %s, which cannot be checked", n.Path, v.Value, n.Type))
				}
			})
		}
	}
	return out
}
