// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// subsetPaths returns the paths that the provider or the simulator uses. The document
// has two thousand paths. Loading them all would take seconds in every test binary.
func subsetPaths() []string {
	return append([]string{
		"/accounts/{account_id}/logs/audit",
		"/accounts/{account_id}/tokens/verify",
		"/user",
		"/user/tokens/verify",
		"/zones",
		"/zones/{zone_id}",
		"/zones/{zone_id}/activation_check",
		"/zones/{zone_id}/dns_records",
		"/zones/{zone_id}/dns_records/batch",
		"/zones/{zone_id}/dns_records/export",
		"/zones/{zone_id}/dns_records/import",
		"/zones/{zone_id}/dns_records/usage",
		"/zones/{zone_id}/dns_records/{dns_record_id}",
		"/zones/{zone_id}/dns_settings",
		"/zones/{zone_id}/dnssec",
		"/zones/{zone_id}/settings",
		"/zones/{zone_id}/settings/{setting_id}",
		"/zones/{zone_id}/subscription",
	}, apidoc.Paths()...)
}

// official is the document with its large parts undecoded.
type official struct {
	OpenAPI    string                                `json:"openapi"`
	Info       json.RawMessage                       `json:"info"`
	Security   json.RawMessage                       `json:"security"`
	Paths      map[string]json.RawMessage            `json:"paths"`
	Components map[string]map[string]json.RawMessage `json:"components"`
}

// cut returns a complete document with the wanted paths and everything that they refer
// to, directly or not.
func cut(raw []byte, paths []string) (tree, error) {
	var all official
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("cannot decode the document: %w", err)
	}
	c := cutter{from: all.Components, components: tree{}}
	kept := tree{}
	for _, path := range paths {
		item, ok := all.Paths[path]
		if !ok {
			return nil, fmt.Errorf("the document has no path %s", path)
		}
		decoded, err := c.decode(item)
		if err != nil {
			return nil, fmt.Errorf("cannot decode path %s: %w", path, err)
		}
		kept[path] = decoded
	}
	for name := range all.Components["securitySchemes"] {
		if err := c.keep("#/components/securitySchemes/" + name); err != nil {
			return nil, err
		}
	}
	return tree{
		"openapi": all.OpenAPI, "info": all.Info, "security": all.Security,
		"paths": kept, "components": c.components,
	}, nil
}

// A cutter copies components that are referred to.
type cutter struct {
	from       map[string]map[string]json.RawMessage
	components tree // Decoded components by kind and name.
}

func (c *cutter) decode(raw json.RawMessage) (any, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	return v, c.follow(v)
}

// follow keeps every component that v refers to.
func (c *cutter) follow(v any) error {
	switch v := v.(type) {
	case tree:
		if ref, ok := v["$ref"].(string); ok {
			if err := c.keep(ref); err != nil {
				return err
			}
		}
		for _, member := range v {
			if err := c.follow(member); err != nil {
				return err
			}
		}
	case []any:
		for _, element := range v {
			if err := c.follow(element); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *cutter) keep(ref string) error {
	kind, name, ok := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/")
	raw, found := c.from[kind][name]
	if !ok || !found {
		return fmt.Errorf("the document has no %s", ref)
	}
	names, ok := c.components[kind].(tree)
	if !ok {
		names = tree{}
		c.components[kind] = names
	}
	if _, done := names[name]; done {
		return nil
	}
	names[name] = nil // Set before decoding, because components may refer to themselves.
	decoded, err := c.decode(raw)
	if err != nil {
		return fmt.Errorf("cannot decode %s: %w", ref, err)
	}
	names[name] = decoded
	return nil
}
