// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package ruleset describes the kinds of the Ruleset Engine.
package ruleset

import (
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// RulesetRule describes one rule of a phase.
func RulesetRule() kind.Description {
	fields := ruleFields("")
	fields["ruleset_phase"] = kind.Field{Name: "phase", Doc: "The phase that the rule is in, such as http_request_firewall_custom, http_ratelimit, http_request_dynamic_redirect, http_request_transform, http_request_cache_settings or http_config_settings.", Open: "Cloudflare adds phases"}
	fields["position"] = kind.Field{WriteOnly: true, Doc: "Where the rule is put among those of the phase. Left out, it is the last, and stays where it is. A change is sent once: nothing shows where a rule is later on."}
	fields["position.before"] = kind.Field{Doc: "Put the rule before the one of this ID: status.atProvider.ruleId of its object. An empty text is the first place."}
	fields["position.after"] = kind.Field{Doc: "Put the rule after the one of this ID: status.atProvider.ruleId of its object. An empty text is the last place."}
	fields["id"] = kind.Field{Name: "ruleId"}
	return kind.Description{
		Group: "ruleset", Name: "RulesetRule", Short: "cfrule", Noun: "rule", Scope: kind.Either, Shape: kind.Fragment,
		Doc:       "A RulesetRule is one rule in a phase of a zone or an account: a firewall rule, a redirect, a rate limit, a cache rule and others. Many objects share a phase.",
		Terraform: "cloudflare_ruleset",
		Read:      "GET /{accounts_or_zones}/{account_or_zone_id}/rulesets/phases/{ruleset_phase}/entrypoint",
		Create:    "POST /{accounts_or_zones}/{account_or_zone_id}/rulesets/{ruleset_id}/rules",
		Update:    "PATCH /{accounts_or_zones}/{account_or_zone_id}/rulesets/{ruleset_id}/rules/{rule_id}",
		Delete:    "DELETE /{accounts_or_zones}/{account_or_zone_id}/rulesets/{ruleset_id}/rules/{rule_id}",
		Part:      "rules[]", Mark: "ref", Make: entryPointOf(),
		Fields:   fields,
		Hide:     []string{"id", "ref"},
		Observe:  []string{"id", "ref", "action", "description", "enabled", "expression", "version", "last_updated"},
		Columns:  []string{"ACTION=action", "ENABLED=enabled", "DESCRIPTION=description", "-EXPRESSION=expression"},
		Natural:  []string{"ref"},
		Gone:     []kind.Code{{Status: 404}},
		ReadOnly: []string{"action_parameters.uri.origin", "id", "version", "last_updated", "categories"},
		Refused:  notEntitled(),

		Permissions: permissions(),
		Plan:        "All plans, with a number of rules by plan and phase", Sweep: time.Minute,
		Excused: map[string]string{
			"Busy":    "nothing refers to it",
			"Adopted": "its key is its own: no other object can name it but by its external name",
		},
	}
}

// entryPointOf returns how to create the entry point of a phase. Cloudflare refuses a second one (Terraform provider,
// issues 3444 and 6273).
func entryPointOf() *kind.DocumentCreate {
	return &kind.DocumentCreate{
		Operation: "POST /{accounts_or_zones}/{account_or_zone_id}/rulesets",
		Body: func(params map[string]string) kind.Document {
			of := "root"
			if params["accounts_or_zones"] == "zones" {
				of = "zone"
			}
			return kind.Document{"kind": of, "phase": params["ruleset_phase"], "name": "default"}
		},
		Exists: []kind.Code{{Code: 20217}},
	}
}

// ruleFields returns the fields of one rule at that path.
func ruleFields(at string) map[string]kind.Field {
	return map[string]kind.Field{
		at + "action":                                  {Required: true, Open: "Cloudflare adds actions"},
		at + "expression":                              {Required: true},
		at + "action_parameters":                       {By: at + "action"},
		at + "action_parameters.uri":                   {Doc: "What to make of the URI."},
		at + "action_parameters.uri.path":              {OneOf: true},
		at + "action_parameters.uri.query":             {OneOf: true},
		at + "action_parameters.from_value.target_url": {OneOf: true},
	}
}

func notEntitled() []kind.Refusal {
	return []kind.Refusal{{Code: kind.Code{Code: 20120}, Reason: "NotEntitled", Remedy: "choose a plan that has this phase or action, or another rule"}}
}

func permissions() []string {
	return []string{
		"Account Rulesets Write", "Account WAF Write", "L4 DDoS Managed Ruleset Write", "Logs Write",
		"Magic Firewall Write", "Mass URL Redirects Write", "Select Configuration Write", "Transform Rules Write",
	}
}
