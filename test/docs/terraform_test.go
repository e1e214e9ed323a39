// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"encoding/json"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// zoneOfTerraform returns the records of a Terraform configuration: one of each shape in its
// state.
func zoneOfTerraform() []map[string]any {
	return []map[string]any{
		{"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 1, "proxied": true, "comment": "the site"},
		{"type": "MX", "name": "@", "content": "mail.example.com", "priority": 10, "ttl": 300},
		{"type": "SRV", "name": "_sip._tcp", "ttl": 300, "data": map[string]any{"priority": 10, "weight": 5, "port": 5060, "target": "sip.example.com"}},
		{"type": "TXT", "name": "@", "content": `"v=spf1 mx -all"`, "ttl": 3600, "tags": []any{"team:mail"}},
	}
}

// stateOfCloud returns the state of the first zone.
func stateOfCloud(c *cloud) (map[string]string, error) {
	z := c.sim.Zones()[0]
	raw, err := terraformState(z.ID, z.AccountID, c.sim.Records(z.ID))
	return map[string]string{"state.json": string(raw)}, err
}

// terraformState returns the state of that configuration in the format of terraform show -json.
// Version 5.x wrote the zone, A and MX. Version 4.x wrote the others, which are in a module.
func terraformState(zone, account string, records []simulator.Record) ([]byte, error) {
	type object = map[string]any
	var five, four []object
	five = append(five, object{
		"mode": "managed", "type": "cloudflare_zone", "name": "example",
		"values": object{"id": zone, "name": zoneName, "account": object{"id": account}, "type": "full"},
	}, object{"mode": "data", "type": "cloudflare_zone", "name": "read", "values": object{"id": zone, "name": zoneName}})
	for _, r := range records {
		values := object{"id": r.ID, "zone_id": zone, "type": r.Type, "ttl": r.TTL, "proxied": r.Proxied, "priority": r.Priority, "tags": r.Tags}
		switch r.Type {
		case "A", "MX":
			values["name"], values["content"], values["data"], values["comment"] = r.Name, r.Content, nil, r.Comment
			five = append(five, object{"mode": "managed", "type": "cloudflare_dns_record", "values": values})
		default:
			values["name"], values["hostname"], values["value"] = strings.TrimSuffix(r.Name, "."+zoneName), r.Name, r.Content
			values["data"], values["comment"], values["allow_overwrite"] = fourOf(r), nil, false
			four = append(four, object{"mode": "managed", "type": "cloudflare_record", "values": values})
		}
	}
	return json.Marshal(object{"format_version": "1.0", "values": object{
		"root_module": object{"resources": five, "child_modules": []object{{"address": "module.old", "resources": four}}},
	}})
}

// fourOf returns data as 4.x writes it: a list of at most one block, which also has the members
// that were not set.
func fourOf(r simulator.Record) []map[string]any {
	if len(r.Data) == 0 {
		return []map[string]any{}
	}
	data := map[string]any{"service": "_sip", "proto": "_tcp", "name": zoneName}
	// The SDK of 4.x stores a member that was not set as the zero value of its type:
	// https://github.com/cloudflare/terraform-provider-cloudflare/issues/1955
	for _, text := range []string{"certificate", "content", "digest", "fingerprint", "flags", "lat_direction", "long_direction", "public_key", "regex", "replacement", "tag", "value"} {
		data[text] = ""
	}
	for _, number := range []string{
		"algorithm", "altitude", "digest_type", "key_tag", "lat_degrees", "lat_minutes", "lat_seconds", "long_degrees", "long_minutes", "long_seconds",
		"matching_type", "order", "precision_horz", "precision_vert", "preference", "protocol", "selector", "size", "type", "usage",
	} {
		data[number] = 0
	}
	for k, v := range r.Data {
		data[k] = v
	}
	return []map[string]any{data}
}
