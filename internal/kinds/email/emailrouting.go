// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package email

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

const settingsWrite = "Zone Settings Write"

// EmailRouting describes whether a zone accepts mail.
func EmailRouting() kind.Description {
	return kind.Description{
		Group: "email", Name: "EmailRouting", Short: "cferz", Noun: "Email Routing of the zone", Scope: kind.Zone, Shape: kind.Singleton,
		Doc:       "An EmailRouting has a zone take mail, or not. With it, Cloudflare adds the MX and SPF records that this needs, and locks them: a Record cannot declare them. Its deletion leaves it as it is. To switch it off, set enabled to false before that: then the zone takes no mail any more, and the records are gone.",
		Terraform: "cloudflare_email_routing_settings",
		Read:      "GET /zones/{zone_id}/email/routing",
		Update:    "PATCH /zones/{zone_id}/email/routing",
		Mode:      kind.DeclaredOnly,
		Fields: map[string]kind.Field{
			"enabled": {
				Required: true, Doc: "Whether the zone takes mail.",
				On: "POST /zones/{zone_id}/email/routing/dns", Off: "DELETE /zones/{zone_id}/email/routing/dns",
			},
			"support_subaddress": {Doc: `Whether mail for "sales+anything@example.com" follows the rule for "sales@example.com".`},
		},
		Hide:     []string{"skip_wizard"}, // The dashboard uses it.
		Observe:  []string{"enabled", "support_subaddress", "status", "name", "created", "modified"},
		Columns:  []string{"ENABLED=enabled", "STATUS=status"},
		ReadOnly: []string{"id", "tag", "created", "modified", "name", "status"},
		Status: []kind.Status{{Path: "status", Human: map[string]string{
			"misconfigured":        "the MX and SPF records of the zone are not those that Email Routing needs: remove those of other mail services, and restore its own at Cloudflare",
			"misconfigured/locked": "the MX and SPF records of the zone are not those that Email Routing needs: remove those of other mail services, and restore its own at Cloudflare",
		}}},
		Refused: refusals(settingsWrite),

		Permissions: []string{settingsWrite}, Plan: "All plans",
		Excused: map[string]string{
			"LostAnswer":       "it is never created",
			"KilledBetween":    "what it sends first is the call of a field",
			"Busy":             "it is never deleted",
			"GoneOutside":      "it exists with its parent",
			"ManyOneList":      "a zone has one",
			"UndeclaredIsLeft": "an update sends nothing but what it changes",
			"ImmutableRefused": "all that it has can be changed, but for the zone",
		},
	}
}
