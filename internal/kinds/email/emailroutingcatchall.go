// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package email

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// EmailRoutingCatchAll describes what happens to mail that no rule of a zone matches.
func EmailRoutingCatchAll() kind.Description {
	return kind.Description{
		Group: "email", Name: "EmailRoutingCatchAll", Short: "cferc", Noun: "catch-all rule", Scope: kind.Zone, Shape: kind.Singleton,
		Doc:       "An EmailRoutingCatchAll forwards the mail that no EmailRoutingRule of the zone is for, drops it, or gives it to a Worker.",
		Terraform: "cloudflare_email_routing_catch_all",
		Read:      "GET /zones/{zone_id}/email/routing/rules/catch_all",
		Update:    "PUT /zones/{zone_id}/email/routing/rules/catch_all",
		Fields: map[string]kind.Field{
			"matchers":        {Optional: true, Because: "there is one that it can be, and an update sends that back"},
			"actions":         {Doc: "What happens to the mail."},
			"actions[]":       {By: "actions[].type"},
			"actions[].type":  {Doc: "The action: forward, worker or drop."},
			"actions[].value": {Doc: "The verified address to forward to, or the name of the Worker: one of these. drop has none."},
			"enabled":         {Doc: "Whether the rule is active. Until somebody sets it, it is not."},
		},
		Hide:     []string{"matchers", "source", "owner_worker_tag"}, // Wrangler uses the last two.
		Observe:  []string{"name", "enabled", "source", "actions"},
		Columns:  []string{"ACTION=actions[0].type", "ENABLED=enabled"},
		Refused:  refusals(rulesWrite, unverified()),
		ReadOnly: []string{"id", "tag", "source"},

		Permissions: []string{rulesWrite}, Plan: "All plans",
		Excused: map[string]string{
			"LostAnswer":       "it is never created",
			"Busy":             "it is never deleted",
			"GoneOutside":      "it exists with its parent",
			"ManyOneList":      "a zone has one",
			"ImmutableRefused": "all that it has can be changed, but for the zone",
		},
	}
}
