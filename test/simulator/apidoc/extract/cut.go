// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

type tree = map[string]any

// A cutter makes an extract of a document.
type cutter struct {
	doc tree
	out *apidoc.Document
}

func cut(doc tree, paths []string) (*apidoc.Document, error) {
	c := cutter{doc: doc, out: &apidoc.Document{
		Paths: map[string]map[string]*apidoc.Operation{}, Schemas: map[string]*apidoc.Schema{},
	}}
	all, _ := doc["paths"].(tree)
	for _, path := range paths {
		item, ok := all[path].(tree)
		if !ok {
			return nil, fmt.Errorf("the document has no path %s", path)
		}
		methods := map[string]*apidoc.Operation{}
		for _, method := range []string{"get", "put", "post", "patch", "delete"} {
			op, ok := item[method].(tree)
			if !ok {
				continue
			}
			kept, err := c.operation(item, op)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, path, err)
			}
			methods[strings.ToUpper(method)] = kept
		}
		c.out.Paths[path] = methods
	}
	return c.out, nil
}

func (c *cutter) operation(item, op tree) (*apidoc.Operation, error) {
	kept := &apidoc.Operation{Groups: texts(op["x-api-token-group"]), Query: map[string]*apidoc.Schema{}}
	for _, list := range []any{item["parameters"], op["parameters"]} {
		parameters, _ := list.([]any)
		for _, p := range parameters {
			parameter, err := c.resolve(p)
			if err != nil {
				return nil, err
			}
			if parameter["in"] == "query" {
				kept.Query[fmt.Sprint(parameter["name"])] = c.schema(parameter["schema"])
			}
		}
	}
	if body, err := c.resolve(op["requestBody"]); err == nil {
		kept.BodyOptional = body["required"] != true
		schema := jsonSchema(body)
		if schema == nil {
			schema = formSchema(body)
		}
		if schema != nil {
			kept.Body = c.schema(schema)
		}
	}
	return kept, c.answer(op, kept)
}

// answer adds the status and the schemas of a success.
func (c *cutter) answer(op tree, kept *apidoc.Operation) error {
	responses, _ := op["responses"].(tree)
	for _, status := range slices.Sorted(maps.Keys(responses)) {
		if !strings.HasPrefix(status, "2") {
			continue
		}
		kept.Status, _ = strconv.Atoi(status)
		response, err := c.resolve(responses[status])
		if err != nil {
			return err
		}
		schema := jsonSchema(response)
		if schema == nil {
			return nil
		}
		members := c.members(schema)
		kept.Result = c.schema(members["result"])
		if info, err := c.resolve(members["result_info"]); err == nil {
			kept.Info = slices.Sorted(maps.Keys(c.members(info)))
		}
		return nil
	}
	return nil
}

// members returns the properties of an envelope. If parts of an allOf have the same
// property, the last part wins.
func (c *cutter) members(schema any) tree {
	s, err := c.resolve(schema)
	if err != nil {
		return tree{}
	}
	found := tree{}
	parts, _ := s["allOf"].([]any)
	for _, part := range parts {
		maps.Copy(found, c.members(part))
	}
	properties, _ := s["properties"].(tree)
	maps.Copy(found, properties)
	return found
}

func jsonSchema(of tree) any {
	content, _ := of["content"].(tree)
	media, _ := content["application/json"].(tree)
	return media["schema"]
}

// formSchema returns the schema of a multipart form, whose members are the parts of the
// form.
func formSchema(of tree) any {
	content, _ := of["content"].(tree)
	media, _ := content["multipart/form-data"].(tree)
	return media["schema"]
}

// resolve follows references.
func (c *cutter) resolve(v any) (tree, error) {
	t, ok := v.(tree)
	if !ok {
		return nil, fmt.Errorf("%T is no object", v)
	}
	ref, isRef := t["$ref"].(string)
	if !isRef {
		return t, nil
	}
	at := any(c.doc)
	for segment := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		object, _ := at.(tree)
		at = object[segment]
	}
	return c.resolve(at)
}

func texts(v any) []string {
	list, _ := v.([]any)
	var all []string
	for _, e := range list {
		all = append(all, fmt.Sprint(e))
	}
	return all
}
