// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package loadbalancer

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// Healthcheck describes probes of origins that are in no pool.
func Healthcheck() kind.Description {
	return kind.Description{
		Group: "loadbalancer", Name: "Healthcheck", Short: "cfhc", Noun: "health check", Scope: kind.Zone,
		Doc:       "A Healthcheck probes a server from Cloudflare's regions, without a load balancer. status.atProvider.status says whether the server is healthy: a Healthcheck of one that is not is Ready all the same.",
		Terraform: "cloudflare_healthcheck",
		List:      "GET /zones/{zone_id}/healthchecks",
		Create:    "POST /zones/{zone_id}/healthchecks",
		Read:      "GET /zones/{zone_id}/healthchecks/{healthcheck_id}",
		Update:    "PUT /zones/{zone_id}/healthchecks/{healthcheck_id}",
		Delete:    "DELETE /zones/{zone_id}/healthchecks/{healthcheck_id}",
		Page:      kind.Page{Max: 1000},
		Fields: map[string]kind.Field{
			"name":                       {Pattern: "^[A-Za-z0-9_-]+$", Because: "the document says it in words", Doc: "The name of the health check: letters, digits, hyphens and underscores."},
			"address":                    {Doc: "The host name or the IP address of the server."},
			"type":                       {Pattern: "^(HTTP|HTTPS|TCP)$", Because: "the document says it in words", Doc: "The protocol: HTTP, HTTPS or TCP."},
			"check_regions":              {Set: true},
			"http_config":                {By: "type"},
			"tcp_config":                 {By: "type"},
			"http_config.expected_codes": {Set: true},
		},
		Observe:  []string{"name", "address", "type", "status", "failure_reason", "created_on", "modified_on"},
		Columns:  []string{"CHECK=name", "ADDRESS=address", "STATUS=status"},
		Natural:  []string{"name"},
		Gone:     []kind.Code{{Status: 404}},
		ReadOnly: []string{"id", "status", "failure_reason", "created_on", "modified_on"},

		Permissions: []string{"Health Checks Write"}, Plan: "Pro and above",
		Excused: map[string]string{
			"ImmutableRefused": "all that it has can be changed",
			"Busy":             "nothing refers to it",
		},
	}
}
