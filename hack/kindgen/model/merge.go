// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"slices"
	"strings"
)

// all merges nodes that all hold, as allOf says: the result has what any of them has.
func all(nodes []*Node) *Node {
	var out *Node
	for _, n := range nodes {
		switch {
		case n == nil:
		case out == nil || (out.Type == Empty && n.Type == Object) || (out.Type == Object && len(out.Members) == 0):
			out = inherit(n, out)
		case out.Type == Object && n.Type == Object:
			mergeMembers(out, n)
		default:
			out = narrow(out, n)
		}
	}
	return out
}

// inherit copies the text and marks of before to n.
func inherit(n, before *Node) *Node {
	if before != nil {
		if n.Doc == "" {
			n.Doc = before.Doc
		}
		n.ReadOnly = n.ReadOnly || before.ReadOnly
		n.Sensitive = n.Sensitive || before.Sensitive
	}
	return n
}

// narrow copies the limits of n to out.
func narrow(out, n *Node) *Node {
	if len(out.Enum) == 0 {
		out.Enum = n.Enum
	}
	if out.Doc == "" {
		out.Doc = n.Doc
	}
	if out.Type == n.Type && out.Elem == nil {
		out.Elem = n.Elem
	}
	return out
}

// mergeMembers adds the members of n to out.
func mergeMembers(out, n *Node) {
	for _, m := range n.Members {
		mine := out.Member(m.Name)
		if mine == nil {
			out.Members = append(out.Members, m)
			continue
		}
		required := mine.Required || m.Required
		merged := choice([]*Node{mine, m})
		merged.Name, merged.Required = m.Name, required
		out.Members[slices.Index(out.Members, mine)] = merged
	}
	sortMembers(out)
}

func sortMembers(n *Node) {
	slices.SortFunc(n.Members, func(a, b *Node) int { return strings.Compare(a.Name, b.Name) })
}

// choice merges nodes of which one holds, as anyOf says. Objects become one object. A
// member is optional in it if a variant lacks that member. Types that do not go together
// become Undecided.
func choice(nodes []*Node) *Node { return choiceFor(nodes, nil) }

// choiceFor is choice for nodes that each apply to some values of a member. of has the
// member's name and the values for each node.
func choiceFor(nodes []*Node, of *selection) *Node {
	nodes = slices.DeleteFunc(slices.Clone(nodes), func(n *Node) bool { return n == nil })
	if open := expand(nodes); len(open) > len(nodes) {
		nodes, of = open, nil
	}
	if len(nodes) == 0 {
		return nil
	}
	if len(nodes) == 1 {
		return nodes[0]
	}
	types := typesOf(nodes)
	switch {
	case len(types) == 1 && types[0] == Object:
		return choiceOfObjects(nodes, of)
	case len(types) == 1:
		return choiceOfEqual(nodes)
	case slices.Equal(types, []Type{Integer, Number}):
		return choiceOfEqual(withType(nodes, Number))
	case slices.Equal(types, []Type{Integer, String}):
		return &Node{Type: IntOrString, Doc: text(nodes), Sensitive: sensitive(nodes)}
	}
	return &Node{Type: Undecided, Doc: text(nodes), Sensitive: sensitive(nodes), Variants: nodes}
}

// expand replaces undecided nodes by their variants.
func expand(nodes []*Node) []*Node {
	var out []*Node
	for _, n := range nodes {
		if n.Type == Undecided {
			out = append(out, n.Variants...)
			continue
		}
		out = append(out, n)
	}
	return out
}

// typesOf returns the distinct types of nodes, sorted. An empty object beside objects
// counts as one.
func typesOf(nodes []*Node) []Type {
	var types []Type
	for _, n := range nodes {
		types = append(types, n.Type)
	}
	if slices.Contains(types, Object) {
		for _, n := range nodes {
			if n.Type == Empty {
				n.Type = Object
			}
		}
		types = slices.DeleteFunc(types, func(t Type) bool { return t == Empty })
	}
	slices.Sort(types)
	return slices.Compact(types)
}

// choiceOfEqual widens the limits so that each variant fits.
func choiceOfEqual(nodes []*Node) *Node {
	out := *nodes[0]
	out.Doc, out.Sensitive = text(nodes), sensitive(nodes)
	var elems []*Node
	for i, n := range nodes {
		out.ReadOnly = out.ReadOnly && n.ReadOnly
		out.Deprecated = out.Deprecated && n.Deprecated
		out.Set = out.Set || n.Set
		if n.Elem != nil {
			elems = append(elems, n.Elem)
		}
		if i > 0 {
			widen(&out, n)
		}
	}
	out.Elem = choice(elems)
	return &out
}

func widen(out, n *Node) {
	if len(out.Enum) == 0 || len(n.Enum) == 0 {
		out.Enum = nil
	} else {
		for _, v := range n.Enum {
			if !slices.Contains(out.Enum, v) {
				out.Enum = append(slices.Clip(out.Enum), v)
			}
		}
	}
	for _, limit := range []struct{ mine, theirs *string }{
		{&out.Min, &n.Min}, {&out.Max, &n.Max}, {&out.Pattern, &n.Pattern}, {&out.Format, &n.Format}, {&out.Default, &n.Default},
	} {
		if *limit.mine != *limit.theirs {
			*limit.mine = ""
		}
	}
	out.MinLen = min(out.MinLen, n.MinLen)
	out.MaxLen = loosest(out.MaxLen, n.MaxLen)
	out.MaxItems = loosest(out.MaxItems, n.MaxItems)
}

func loosest(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	return max(a, b)
}

func withType(nodes []*Node, t Type) []*Node {
	out := make([]*Node, len(nodes))
	for i, n := range nodes {
		c := *n
		c.Type = t
		out[i] = &c
	}
	return out
}

func text(nodes []*Node) string {
	for _, n := range nodes {
		if n.Doc != "" {
			return n.Doc
		}
	}
	return ""
}

func sensitive(nodes []*Node) bool {
	return slices.ContainsFunc(nodes, func(n *Node) bool { return n.Sensitive })
}
