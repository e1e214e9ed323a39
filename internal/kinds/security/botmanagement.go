// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package security describes the kinds that block attackers and bots.
package security

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// BotManagement describes how zones treat bots.
func BotManagement() kind.Description {
	return kind.Description{
		Group: "security", Name: "BotManagement", Short: "cfbot", Noun: "bot management", Scope: kind.Zone, Shape: kind.Singleton,
		Doc:       "A BotManagement says how a zone treats bots. Which fields it can have depends on the zone's plan; only what is declared is sent. Its deletion leaves the zone as it is.",
		Terraform: "cloudflare_bot_management",
		Read:      "GET /zones/{zone_id}/bot_management",
		Update:    "PUT /zones/{zone_id}/bot_management",
		Mode:      kind.DeclaredOnly,
		Observe: []string{
			"ai_bots_protection", "crawler_protection", "enable_js", "fight_mode", "is_robots_txt_managed", "using_latest_model",
			"sbfm_definitely_automated", "sbfm_likely_automated", "sbfm_verified_bots",
		},
		Hide:     []string{"stale_zone_configuration"}, // It has what the plan no longer includes.
		Columns:  []string{"AIBOTS=ai_bots_protection", "FIGHT=fight_mode", "-JS=enable_js"},
		ReadOnly: []string{"using_latest_model", "stale_zone_configuration"},

		Permissions: []string{"Bot Management Write"},
		Plan:        "All plans: fightMode on Free, fields that begin with sbfm on Pro and Business, autoUpdateModel, bmCookieEnabled and suppressSessionScore on Enterprise with Bot Management",
		Excused: map[string]string{
			"LostAnswer":       "it is never created",
			"Busy":             "it is never deleted",
			"GoneOutside":      "it exists with its parent",
			"ManyOneList":      "a zone has one",
			"ImmutableRefused": "all that it has can be changed, but for the zone",
		},
	}
}
