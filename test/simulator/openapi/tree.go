// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A tree is a JSON object of the document, before kin-openapi loads it.
type tree = map[string]any

func dropRequired(doc tree, schema, field string) error {
	s, err := schemaNamed(doc, schema)
	if err != nil {
		return err
	}
	required, _ := s["required"].([]any)
	at := slices.Index(required, any(field))
	if at < 0 {
		return fmt.Errorf("schema %s does not require %s", schema, field)
	}
	s["required"] = slices.Delete(slices.Clone(required), at, at+1)
	return nil
}

// change sets a member. It returns an error if the member has that value already.
func change(s tree, member string, value any) error {
	if s[member] == value {
		return fmt.Errorf("%s is %v already", member, value)
	}
	s[member] = value
	return nil
}

// schemas returns the document's schemas by name. cut always creates them.
func schemas(doc tree) tree {
	components, _ := doc["components"].(tree)
	all, _ := components["schemas"].(tree)
	return all
}

func schemaNamed(doc tree, name string) (tree, error) { return object(schemas(doc), name) }

func ref(schema string) tree { return tree{"$ref": "#/components/schemas/" + schema} }

func refName(v any) (string, error) {
	s, _ := v.(tree)
	name, ok := s["$ref"].(string)
	if !ok {
		return "", fmt.Errorf("%v is no reference", v)
	}
	return strings.TrimPrefix(name, "#/components/schemas/"), nil
}

// resolve returns the schema that s refers to, or s if it is not a reference.
func resolve(doc, s tree) (tree, error) {
	if s["$ref"] == nil {
		return s, nil
	}
	name, err := refName(s)
	if err != nil {
		return nil, err
	}
	return schemaNamed(doc, name)
}

// object returns the nested object at a path.
func object(from tree, path ...string) (tree, error) {
	at := from
	for _, member := range path {
		next, ok := at[member].(tree)
		if !ok {
			return nil, fmt.Errorf("no object %s in the path %s", member, strings.Join(path, " > "))
		}
		at = next
	}
	return at, nil
}

// operations returns every operation of the document by method and path.
func operations(doc tree) map[string]tree {
	all := map[string]tree{}
	paths, _ := doc["paths"].(tree)
	for path, item := range paths {
		methods, _ := item.(tree)
		for _, method := range []string{"get", "put", "post", "patch", "delete"} {
			if op, ok := methods[method].(tree); ok {
				all[strings.ToUpper(method)+" "+path] = op
			}
		}
	}
	return all
}

// recordVariants maps each type to the name of its schema variant.
func recordVariants(suffix string) map[string]string {
	variants := map[string]string{}
	for recordType := range recordTypes() {
		variants[recordType] = recordSchema(recordType, suffix)
	}
	return variants
}

// unionOf returns a oneOf with the value of property as discriminator.
func unionOf(property string, variants map[string]string) tree {
	alternatives, mapping := []any{}, tree{}
	for _, value := range slices.Sorted(maps.Keys(variants)) {
		alternatives = append(alternatives, ref(variants[value]))
		mapping[value] = "#/components/schemas/" + variants[value]
	}
	return tree{"oneOf": alternatives, "discriminator": tree{"propertyName": property, "mapping": mapping}}
}

// addVariant adds a copy of a type's schema with other required fields.
func addVariant(doc tree, recordType, suffix string, required []any) error {
	original, err := schemaNamed(doc, recordSchema(recordType, ""))
	if err != nil {
		return err
	}
	variant := maps.Clone(original)
	delete(variant, "required")
	if len(required) > 0 {
		variant["required"] = required
	}
	schemas(doc)[recordSchema(recordType, suffix)] = variant
	return nil
}
