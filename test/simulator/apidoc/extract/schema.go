// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// schema copies the parts of a schema that the simulator follows. It keeps a named
// schema once, and refers to it by name.
func (c *cutter) schema(v any) *apidoc.Schema {
	t, ok := v.(tree)
	if !ok {
		return nil
	}
	kept := &apidoc.Schema{}
	if ref, ok := t["$ref"].(string); ok {
		kept.Ref = strings.TrimPrefix(ref, "#/components/schemas/")
		if _, done := c.out.Schemas[kept.Ref]; !done {
			c.out.Schemas[kept.Ref] = nil // Set before the members are visited, because they may refer to it.
			target, _ := c.resolve(t)
			c.out.Schemas[kept.Ref] = c.schema(target)
		}
	}
	c.bounds(t, kept)
	kept.Items, kept.Values = c.schema(t["items"]), c.schema(t["additionalProperties"])
	kept.AllOf = c.schemas(t["allOf"])
	kept.AnyOf = append(c.schemas(t["anyOf"]), c.schemas(t["oneOf"])...)
	kept.Required = texts(t["required"])
	if properties, ok := t["properties"].(tree); ok {
		kept.Properties = map[string]*apidoc.Schema{}
		for name, p := range properties {
			kept.Properties[name] = c.schema(p)
		}
	}
	return kept
}

func (c *cutter) schemas(v any) []*apidoc.Schema {
	list, _ := v.([]any)
	var kept []*apidoc.Schema
	for _, e := range list {
		kept = append(kept, c.schema(e))
	}
	return kept
}

// bounds copies the constraints on the value itself, without those on members or
// elements.
func (c *cutter) bounds(t tree, kept *apidoc.Schema) {
	kept.Type, _ = t["type"].(string)
	kept.Format, _ = t["format"].(string)
	kept.Pattern, _ = t["pattern"].(string)
	kept.Nullable = t["nullable"] == true
	kept.Enum, _ = t["enum"].([]any)
	kept.Default = t["default"]
	kept.Minimum, kept.Maximum = number(t["minimum"]), number(t["maximum"])
	kept.ExclusiveMinimum, kept.ExclusiveMaximum = t["exclusiveMinimum"] == true, t["exclusiveMaximum"] == true
	kept.MinLength, kept.MaxLength = count(t["minLength"]), count(t["maxLength"])
	kept.MinItems, kept.MaxItems = count(t["minItems"]), count(t["maxItems"])
	kept.UniqueItems = t["uniqueItems"] == true
	kept.ReadOnly, kept.WriteOnly = t["readOnly"] == true, t["writeOnly"] == true
	kept.Sensitive = t["x-sensitive"] == true
	kept.Set = t["x-stainless-collection-type"] == "set"
	configurability, _ := t["x-stainless-terraform-configurability"].(string)
	kept.Computed = strings.HasPrefix(configurability, "computed")
}

func number(v any) *float64 {
	n, ok := v.(float64)
	if !ok {
		return nil
	}
	return &n
}

func count(v any) *int {
	n, ok := v.(float64)
	if !ok {
		return nil
	}
	whole := int(n)
	return &whole
}
