// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package cache describes the kinds of Cloudflare's cache.
package cache

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// TieredCache describes the topology of a zone's cache.
func TieredCache() kind.Description {
	const smart = "/zones/{zone_id}/cache/tiered_cache_smart_topology_enable"
	return kind.Description{
		Group: "cache", Name: "TieredCache", Short: "cftc", Noun: "smart tiered cache", Scope: kind.Zone, Shape: kind.Singleton,
		Doc:       "A TieredCache says whether a zone has a smart tiered cache: then one data center, the nearest to the origin, asks the origin, and all others ask that one. A zone where it is not set has none.",
		Terraform: "cloudflare_tiered_cache",
		Read:      "GET " + smart,
		Update:    "PATCH " + smart,
		Mode:      kind.DeclaredOnly,
		Fields: map[string]kind.Field{
			"value": {Name: "smartTopology", Doc: "Whether one data center asks the origin for all others (\"on\", in quotes), or each asks it (\"off\")."},
		},
		Observe:  []string{"value", "editable", "modified_on"},
		Columns:  []string{"SMART=value"},
		Unset:    []kind.Code{{Status: 404}},
		OnDelete: kind.Deletion{Verb: "DELETE " + smart},

		Permissions: []string{"Zone Settings Write", "Zone Write"}, Plan: "All plans",
		Excused: map[string]string{
			"LostAnswer":       "it is never created",
			"Busy":             "nothing refers to it",
			"GoneOutside":      "it exists with its zone",
			"ManyOneList":      "a zone has one",
			"ImmutableRefused": "all that it has can be changed, but for the zone",
		},
	}
}
