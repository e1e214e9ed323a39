// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// variantsOf returns the name of the function that returns the variants of a kind.
func variantsOf(k *model.Kind) string {
	return strings.ToLower(k.Name[:1]) + k.Name[1:] + "Variants"
}

// variantTable writes that function.
func variantTable(k *model.Kind) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n// %[1]s are the types of what %[2]s decides.\nfunc %[1]s() kind.Variants {\nreturn kind.Variants{\n", variantsOf(k), jsonName(k.Param(k.VariantBy)))
	for _, v := range k.Variants {
		var members []string
		for _, m := range v.Members {
			t := strings.TrimPrefix(typeLiteral(m), "kind.Type")
			if first := atFirst(m); first != "" {
				t = strings.TrimSuffix(t, "}") + fmt.Sprintf(", Default: %q}", first)
			}
			members = append(members, fmt.Sprintf("%q: %s", m.Name, t))
		}
		fmt.Fprintf(&b, "%q: {%s},\n", v.Value, strings.Join(members, ", "))
	}
	b.WriteString("}\n}\n")
	return b.String()
}

// atFirst returns the default of a member as JSON, or "" if it is not known. For objects
// the document has an example in its place: by that example, a new zone would demand HTTPS
// for a day.
func atFirst(n *model.Node) string {
	if n.Type == model.Object {
		return ""
	}
	return n.Default
}

// typeLiteral returns a kind.Type as a Go literal.
func typeLiteral(n *model.Node) string {
	t := typeOf(n)
	parts := []string{fmt.Sprintf("JSON: %q", t.JSON)}
	if len(t.Enum) > 0 {
		parts = append(parts, fmt.Sprintf("Enum: %#v", t.Enum))
	}
	for _, bound := range []struct{ name, text string }{{"Min", t.Min}, {"Max", t.Max}} {
		if bound.text != "" {
			parts = append(parts, fmt.Sprintf("%s: %q", bound.name, bound.text))
		}
	}
	if t.MaxLen > 0 {
		parts = append(parts, fmt.Sprintf("MaxLen: %d", t.MaxLen))
	}
	if n.Elem != nil {
		parts = append(parts, "Elem: &"+typeLiteral(n.Elem))
	}
	var members []string
	for _, m := range n.Members {
		members = append(members, fmt.Sprintf("%q: %s", m.Name, strings.TrimPrefix(typeLiteral(m), "kind.Type")))
	}
	if len(members) > 0 {
		parts = append(parts, "Members: map[string]kind.Type{"+strings.Join(members, ", ")+"}")
	}
	return "kind.Type{" + strings.Join(parts, ", ") + "}"
}

// typeOf returns the type of a node.
func typeOf(n *model.Node) kind.Type {
	t := kind.Type{JSON: string(n.Type), Enum: slices.Clone(n.Enum), Min: n.Min, Max: n.Max, MaxLen: int(n.MaxLen)}
	if n.Type == model.List {
		t.JSON = "array"
	}
	if n.Elem != nil {
		elem := typeOf(n.Elem)
		t.Elem = &elem
	}
	for _, m := range n.Members {
		if t.Members == nil {
			t.Members = map[string]kind.Type{}
		}
		t.Members[m.Name] = typeOf(m)
	}
	return t
}

// variantRows writes which members each value of the parameter takes.
func variantRows(b *strings.Builder, k *model.Kind) {
	if len(k.Variants) == 0 {
		return
	}
	by := jsonName(k.Param(k.VariantBy))
	fmt.Fprintf(b, "\n### Values of %s\n\n| `%s` | takes | meaning |\n|---|---|---|\n", by, by)
	for _, v := range k.Variants {
		var takes []string
		for _, m := range v.Members {
			text := fmt.Sprintf("`%s`: %s", jsonName(m), typeOf(m))
			if first := atFirst(m); first != "" {
				text += "; at first `" + first + "`"
			}
			takes = append(takes, text)
		}
		doc := v.Doc
		if v.Deprecated {
			doc += " Deprecated."
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", v.Value, cell(strings.Join(takes, ", ")), cell(doc))
	}
}
