// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package gateway describes the kinds of Cloudflare Gateway.
package gateway

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// GatewayPolicy describes what happens to the traffic of devices and networks.
func GatewayPolicy() kind.Description {
	const rules = "/accounts/{account_id}/gateway/rules"
	return kind.Description{
		Group: "gateway", Name: "GatewayPolicy", Short: "cfgp", Noun: "gateway policy", Scope: kind.Account,
		Doc:       "A GatewayPolicy allows, blocks or changes DNS queries, HTTP requests or connections of the devices and networks that use Cloudflare Gateway. Policies that a parent account shares are no objects here.",
		Terraform: "cloudflare_zero_trust_gateway_policy",
		List:      "GET " + rules,
		Create:    "POST " + rules,
		Read:      "GET " + rules + "/{rule_id}",
		Update:    "PUT " + rules + "/{rule_id}",
		Delete:    "DELETE " + rules + "/{rule_id}",
		Fields: map[string]kind.Field{
			"name":                             {Doc: "The name of the policy."},
			"description":                      {Doc: "What the policy is for."},
			"version":                          {Doc: "How often the policy was changed."},
			"action":                           {Doc: "What happens to the traffic. Which actions there are depends on filters."},
			"enabled":                          {Doc: "Whether the policy is in force."},
			"filters":                          {Required: true, MinItems: 1, Doc: "What the policy is about: dns, http, l4 (connections), egress or dns_resolver."},
			"precedence":                       {Doc: "The place among the policies of the account: those with a lower number come first. Left out, Cloudflare chooses it."},
			"traffic":                          {Canonical: canonicalExpression, Doc: "The wirefilter expression that the traffic has to fit. Spaces between its words mean nothing."},
			"identity":                         {Canonical: canonicalExpression, Doc: "The wirefilter expression that the user has to fit."},
			"device_posture":                   {Canonical: canonicalExpression, Doc: "The wirefilter expression that the device has to fit, by DevicePostureRules."},
			"rule_settings.dns_resolvers.ipv4": {Doc: "Resolvers with an IPv4 address."},
			"rule_settings.dns_resolvers.ipv6": {Doc: "Resolvers with an IPv6 address."},
			"rule_settings.override_ips":       {Set: true},
		},
		Observe:     []string{"name", "action", "enabled", "precedence", "traffic", "version", "created_at", "updated_at", "warning_status"},
		Columns:     []string{"POLICY=name", "ACTION=action", "ENABLED=enabled", "PRECEDENCE=precedence", "-TRAFFIC=traffic"},
		Natural:     []string{"name"},
		Skip:        isShared,
		Gone:        []kind.Code{{Status: 404}},
		SoftDeleted: "deleted_at",
		ReadOnly:    []string{"id", "created_at", "updated_at", "deleted_at", "version", "read_only", "sharable", "source_account", "warning_status", "expiration.expired"},

		Permissions: []string{"Zero Trust Write"}, Plan: "All plans, with 50 seats on Free",
		Excused: map[string]string{
			"ImmutableRefused": "all that it has can be changed",
			"Busy":             "nothing refers to it",
		},
	}
}

// isShared reports whether a policy belongs to a parent account. It cannot be changed here.
func isShared(policy kind.Document) bool { return policy["read_only"] == true }
