// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"slices"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// choose decides the undecided types, as the description says.
func (k *Kind) choose(n *Node) {
	n.place("")
	n.visit(func(m *Node) {
		f, ok := k.Fields[m.Path]
		if !ok || f.Variant == "" {
			return
		}
		decide(m, f.Variant)
	})
	n.place("")
}

// decide makes n the variant of a type. It leaves n unchanged if there is none.
func decide(n *Node, variant string) {
	switch variant {
	case string(Integer):
		if n.Type == Number {
			n.Type = Integer
			return
		}
	case string(Any):
		n.Type, n.Variants, n.Elem, n.Members = Any, nil, nil, nil
		return
	case string(Map):
		if n.Type == Empty || n.Type == Any {
			n.Type, n.Elem = Map, &Node{Type: String}
			return
		}
	}
	var fit []*Node
	for _, v := range n.Variants {
		if string(v.Type) == variant {
			fit = append(fit, v)
		}
	}
	chosen := choice(fit)
	if chosen == nil {
		return
	}
	c := *chosen
	c.Name, c.Required, c.Immutable = n.Name, n.Required, n.Immutable
	c.Sensitive = c.Sensitive || n.Sensitive
	if n.Doc != "" {
		c.Doc = n.Doc
	}
	*n = c
}

// apply overrides the document with the description.
func (k *Kind) apply(n *Node) {
	f := k.Fields[n.Path]
	n.Field = f
	if f.Doc != "" {
		n.Doc = f.Doc
	}
	n.Required = (n.Required || f.Required) && !f.Optional
	n.Immutable = n.Immutable || f.Immutable
	n.OneOf = n.OneOf || f.OneOf
	n.Set = n.Set || f.Set
	n.limit(f)
	n.selectors()
	if f.Key == "" || !n.Set || n.Elem == nil || k.Fields[n.Path+"[]"].Lookup != nil {
		return
	}
	if key := n.Elem.Member(f.Key); key != nil {
		key.Required = true
	}
}

// limit overrides the document's limits with the description's.
func (n *Node) limit(f kind.Field) {
	if f.Open != "" {
		n.Enum = nil
	}
	n.Enum = slices.DeleteFunc(slices.Clone(n.Enum), func(v string) bool { return slices.Contains(f.Without, v) })
	if f.Pattern != "" {
		n.Pattern = f.Pattern
	}
	if f.MaxLen != 0 {
		n.MaxLen = int64(f.MaxLen)
	}
	if f.MinItems != 0 {
		n.MinItems = int64(f.MinItems)
	}
	if f.MaxItems != 0 {
		n.MaxItems = int64(f.MaxItems)
	}
	if f.Min != nil {
		n.Min = fmt.Sprint(*f.Min)
	}
	if f.Max != nil {
		n.Max = fmt.Sprint(*f.Max)
	}
}
