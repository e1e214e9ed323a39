// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package model

import "slices"

// A selection has the values of a member to which each of several nodes applies.
type selection struct {
	by     string
	values [][]string
}

// selecting returns the selection by a member of the nodes, or of if no member tells them
// apart.
func selecting(nodes []*Node, of *selection) *selection {
	by := discriminator(nodes)
	if by == "" {
		return of
	}
	out := &selection{by: by}
	for _, n := range nodes {
		out.values = append(out.values, n.Member(by).Enum)
	}
	return out
}

// choiceOfObjects merges the members of variants.
func choiceOfObjects(nodes []*Node, of *selection) *Node {
	out := &Node{Type: Object, Doc: text(nodes), Sensitive: sensitive(nodes), OneOf: singles(nodes)}
	of = selecting(nodes, of)
	if out.OneOf {
		for _, n := range nodes {
			if m := n.Members[0]; m.Doc == "" {
				m.Doc = n.Doc
			}
		}
	}
	var names []string
	for _, n := range nodes {
		for _, m := range n.Members {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if m := uniteMember(nodes, name, of); m != nil {
			out.Members = append(out.Members, m)
		}
	}
	return out
}

// uniteMember merges one member of variants. It is required if each variant requires it.
func uniteMember(nodes []*Node, name string, of *selection) *Node {
	var have []*Node
	required := true
	within := &selection{}
	for i, n := range nodes {
		m := n.Member(name)
		required = required && m != nil && m.Required
		if m == nil {
			continue
		}
		have = append(have, m)
		if of != nil {
			within.by = of.by
			within.values = append(within.values, of.values[i])
		}
	}
	if within.by == "" {
		within = nil
	}
	m := choiceFor(have, within)
	if m == nil {
		return nil
	}
	out := *m
	out.Name, out.Required = name, required
	if within != nil && len(have) < len(nodes) {
		out.OnlyBy, out.Only = within.by, slices.Concat(within.values...)
	}
	return &out
}

// discriminator returns the member whose values distinguish the variants, or "".
func discriminator(nodes []*Node) string {
	for _, m := range nodes[0].Members {
		seen := map[string]bool{}
		apart := true
		for _, n := range nodes {
			other := n.Member(m.Name)
			if other == nil || len(other.Enum) == 0 {
				apart = false
				break
			}
			for _, v := range other.Enum {
				apart = apart && !seen[v]
				seen[v] = true
			}
		}
		if apart {
			return m.Name
		}
	}
	return ""
}

// singles reports whether each variant has exactly one member, and all these members
// differ.
func singles(nodes []*Node) bool {
	seen := map[string]bool{}
	for _, n := range nodes {
		if len(n.Members) != 1 || seen[n.Members[0].Name] {
			return false
		}
		seen[n.Members[0].Name] = true
	}
	return true
}
