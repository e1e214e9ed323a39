// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package model combines a description and Cloudflare's document into the fields of a kind,
// with their types, texts and limits.
package model

import (
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// A Type is the type of a field.
type Type string

// The types.
const (
	String      Type = "string"
	Boolean     Type = "boolean"
	Integer     Type = "integer"
	Number      Type = "number"
	IntOrString Type = "integer or string"
	Object      Type = "object"
	List        Type = "list"
	Map         Type = "map"
	// Any is JSON of any type. Empty is an object without members.
	Any   Type = "any"
	Empty Type = "empty"
	// Undecided has Variants, of which the description must choose one.
	Undecided Type = "undecided"
)

// An Origin is the place of a field in a request.
type Origin string

// The origins.
const (
	Body   Origin = ""
	Path   Origin = "path"
	Header Origin = "header"
	// Name is the identity of a resource that the user names.
	Name Origin = "name"
)

// A Node is a field, or the element of a list or map.
type Node struct {
	// Name is the name on the wire, "" for an element. Path is as package kind defines it.
	Name, Path string
	Type       Type
	Origin     Origin
	Doc        string
	// Only has the values of the member OnlyBy with which the field exists.
	OnlyBy string
	Only   []string
	Enum   []string
	// Min and Max are numbers as text.
	Min, Max, Pattern, Format string
	MinLen, MaxLen            int64
	MinItems, MaxItems        int64

	Required, ReadOnly, Deprecated, Sensitive, Set, OneOf, Immutable bool
	// Content is true for the content of a file, which may come from a Secret or a ConfigMap.
	Content bool
	// Default is the document's default, as JSON.
	Default string

	Members  []*Node
	Elem     *Node
	Variants []*Node
	Field    kind.Field
}

// Member returns a member by its name on the wire.
func (n *Node) Member(name string) *Node {
	if n == nil {
		return nil
	}
	for _, m := range n.Members {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// At returns a node below n by its path relative to n.
func (n *Node) At(path string) *Node {
	if path == "" || n == nil {
		return n
	}
	name, rest, _ := strings.Cut(path, ".")
	for {
		bare, ok := strings.CutSuffix(name, "[]")
		if !ok {
			bare, ok = strings.CutSuffix(name, "{}")
		}
		if !ok {
			break
		}
		name = bare
	}
	found := n.Member(name)
	if name == "" { // The list has no name before its brackets.
		found = n
	}
	for range strings.Count(path[:len(path)-len(rest)], "[]") + strings.Count(path[:len(path)-len(rest)], "{}") {
		if found == nil {
			return nil
		}
		found = found.Elem
	}
	return found.At(rest)
}

// Secret reports whether the value comes from a Secret.
func (n *Node) Secret() bool {
	return len(n.Field.PlainToo) == 0 && (n.Field.Secret || (n.Sensitive && n.Field.NotSecret == ""))
}

// visit calls f for n and all nodes below it, including variants.
func (n *Node) visit(f func(*Node)) {
	n.Walk(func(m *Node) {
		f(m)
		for _, v := range m.Variants {
			v.visit(f)
		}
	})
}

// Walk calls f for n and all nodes below it.
func (n *Node) Walk(f func(*Node)) {
	if n == nil {
		return
	}
	f(n)
	for _, m := range n.Members {
		m.Walk(f)
	}
	n.Elem.Walk(f)
}

// place sets the paths of n and all nodes below it.
func (n *Node) place(path string) {
	n.Path = path
	for _, m := range n.Members {
		if path == "" {
			m.place(m.Name)
			continue
		}
		m.place(path + "." + m.Name)
	}
	if n.Elem != nil {
		n.Elem.place(path + map[Type]string{List: "[]", Map: "{}"}[n.Type])
	}
	for _, v := range n.Variants {
		v.place(path)
	}
}

// drop removes the members for which f is true, at any depth. It also removes a member whose
// own members are all removed.
func (n *Node) drop(f func(*Node) bool) {
	if n == nil {
		return
	}
	n.Members = slices.DeleteFunc(n.Members, func(m *Node) bool {
		if f(m) {
			return true
		}
		had := len(m.leaf().Members) > 0
		m.drop(f)
		return had && len(m.leaf().Members) == 0
	})
	n.Elem.drop(f)
	for _, v := range n.Variants {
		v.drop(f)
	}
}

// leaf returns the innermost element of a list or map.
func (n *Node) leaf() *Node {
	for n.Elem != nil {
		n = n.Elem
	}
	return n
}

// selectors adds the members that can name an object in place of its ID.
func (n *Node) selectors() {
	if n.Field.Lookup == nil {
		return
	}
	for _, by := range n.Field.Lookup.By {
		n.Members = slices.DeleteFunc(n.Members, func(m *Node) bool { return m.Name == by.Member })
		n.Members = append(n.Members, &Node{Name: by.Member, Path: n.Path + "." + by.Member, Type: String, Doc: by.Doc})
	}
	sortMembers(n)
}
