// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/document"
)

// maxDepth bounds the nesting of a schema: the document's bodies have no recursion.
const maxDepth = 24

// flatten makes a node from a schema. It returns nil for a schema without a type.
func flatten(d *document.Document, raw any, depth int) *Node {
	s := d.Resolve(raw)
	if s == nil || depth > maxDepth {
		return nil
	}
	own := bare(d, s, depth)
	parts := []*Node{own}
	for _, part := range list(s["allOf"]) {
		parts = append(parts, flatten(d, part, depth+1))
	}
	out := all(parts)
	for _, word := range []string{"anyOf", "oneOf"} {
		if variants := list(s[word]); len(variants) > 0 {
			out = all([]*Node{out, alternatives(d, variants, depth)})
		}
	}
	if out != nil {
		describe(out, s)
	}
	return out
}

// alternatives flattens the variants of a choice.
func alternatives(d *document.Document, variants []any, depth int) *Node {
	var nodes []*Node
	for _, v := range variants {
		if n := flatten(d, v, depth+1); n != nil {
			nodes = append(nodes, n)
		}
	}
	return choice(nodes)
}

// bare returns the node of a schema without its compositions.
func bare(d *document.Document, s document.Object, depth int) *Node {
	n := &Node{Type: typeOf(s)}
	switch {
	case s["properties"] != nil:
		n.Type = Object
		n.Members = members(d, s, depth)
	case n.Type == List:
		if n.Elem = flatten(d, s["items"], depth+1); n.Elem == nil {
			n.Elem = &Node{Type: Any}
		}
	case n.Type == Object:
		ofObject(d, s, n, depth)
	case n.Type == "":
		return nil
	}
	limits(n, s)
	return n
}

// ofObject sets the type of an object without properties: a map, any value, or an empty
// object.
func ofObject(d *document.Document, s document.Object, n *Node, depth int) {
	n.Type = Empty
	switch more := s["additionalProperties"].(type) {
	case bool:
		if more {
			n.Type = Any
		}
	case map[string]any:
		n.Type, n.Elem = Map, flatten(d, more, depth+1)
		if n.Elem == nil {
			n.Elem = &Node{Type: Any}
		}
	}
	if s["allOf"] != nil || s["anyOf"] != nil || s["oneOf"] != nil {
		n.Type = Object
	}
}

func members(d *document.Document, s document.Object, depth int) []*Node {
	properties, _ := s["properties"].(map[string]any)
	required := document.Strings(s["required"])
	var out []*Node
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		m := flatten(d, properties[name], depth+1)
		if m == nil {
			m = &Node{Type: Any}
		}
		m.Name = name
		m.Required = slices.Contains(required, name)
		out = append(out, m)
	}
	return out
}

// typeOf returns the type that a schema names, or "" if it names none.
func typeOf(s document.Object) Type {
	t, _ := s["type"].(string)
	for _, one := range document.Strings(s["type"]) {
		if one != "null" {
			t = one
		}
	}
	switch t {
	case "array":
		return List
	case "object", "string", "boolean", "integer", "number":
		return Type(t)
	}
	if enum := list(s["enum"]); len(enum) > 0 {
		if _, ok := enum[0].(string); ok {
			return String
		}
	}
	return ""
}

// limits copies enum, bounds and patterns.
func limits(n *Node, s document.Object) {
	for _, v := range list(s["enum"]) {
		if v != nil {
			n.Enum = append(n.Enum, fmt.Sprint(v))
		}
	}
	if s["type"] != "string" { // A text has no such bounds.
		n.Min, n.Max = number(s["minimum"]), number(s["maximum"])
	}
	n.Pattern, _ = s["pattern"].(string)
	n.Format, _ = s["format"].(string)
	n.MinLen, n.MaxLen, n.MaxItems = whole(s["minLength"]), whole(s["maxLength"]), whole(s["maxItems"])
}

// describe copies the keywords beside a schema, which take precedence over its parts.
func describe(n *Node, s document.Object) {
	if text, _ := s["description"].(string); text != "" {
		n.Doc = text
	} else if text, _ := s["title"].(string); text != "" && n.Doc == "" {
		n.Doc = text
	}
	n.ReadOnly = n.ReadOnly || s["readOnly"] == true
	n.Deprecated = n.Deprecated || s["deprecated"] == true
	n.Sensitive = n.Sensitive || s["x-sensitive"] == true || s["writeOnly"] == true
	n.Set = n.Set || s["x-stainless-collection-type"] == "set"
	if v, ok := s["default"]; ok {
		if raw, err := json.Marshal(v); err == nil {
			n.Default = string(raw)
		}
	}
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func number(v any) string {
	if n, ok := v.(json.Number); ok {
		return n.String()
	}
	return ""
}

func whole(v any) int64 {
	n, ok := v.(json.Number)
	if !ok {
		return 0
	}
	i, err := n.Int64()
	if err != nil {
		return 0
	}
	return i
}
