// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ruleset

import (
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// Ruleset describes a phase as a whole, or a custom ruleset.
func Ruleset() kind.Description {
	fields := ruleFields("rules[].")
	fields["kind"] = kind.Field{Immutable: true, Required: true, Doc: "What the ruleset is: zone or root for the whole phase of a zone or an account, custom for a ruleset that rules of a phase execute."}
	fields["phase"] = kind.Field{Immutable: true, Required: true, Open: "Cloudflare adds phases"}
	fields["name"] = kind.Field{Doc: "The name of the ruleset. The entry point of a phase has one, too, such as default."}
	fields["rules"] = kind.Field{Key: "ref", MaxItems: 1000, Doc: "The rules, in the order in which they are evaluated: all that the ruleset has. Left out, they stay as they are."}
	fields["rules[].ref"] = kind.Field{Required: true, Doc: "A name for the rule, which no other rule of the ruleset has. By it a rule keeps its ID when others change. The name of a rule that was made without one is its ID."}
	return kind.Description{
		Group: "ruleset", Name: "Ruleset", Short: "cfrs", Noun: "ruleset", Scope: kind.Either,
		Doc:       "A Ruleset is a phase of a zone or an account as a whole, with all of its rules, or a custom ruleset. Where several teams share a phase, use RulesetRule instead: a phase with objects of both kinds is worked on by the one that was there first, and the other says so. A phase that exists is taken over only where the object declares all rules that it has.",
		Terraform: "cloudflare_ruleset",
		List:      "GET /{accounts_or_zones}/{account_or_zone_id}/rulesets",
		Create:    "POST /{accounts_or_zones}/{account_or_zone_id}/rulesets",
		Read:      "GET /{accounts_or_zones}/{account_or_zone_id}/rulesets/{ruleset_id}",
		Update:    "PUT /{accounts_or_zones}/{account_or_zone_id}/rulesets/{ruleset_id}",
		Delete:    "DELETE /{accounts_or_zones}/{account_or_zone_id}/rulesets/{ruleset_id}",
		Page:      kind.Page{Max: 50, Cursor: true},
		Fields:    fields,
		Hide:      []string{"rules[].id"},
		Observe:   []string{"name", "kind", "phase", "description", "version", "last_updated"},
		Columns:   []string{"RULESET=name", "KIND=kind", "PHASE=phase", "VERSION=version"},
		Natural:   []string{"kind", "phase", "name"}, NaturalOf: rulesetKey,
		Contents: "rules", Shared: entryPoint,
		ListOmits: []string{"rules"}, Revision: "version",
		Gone:     []kind.Code{{Status: 404}},
		Busy:     []kind.Code{{Status: 409}},
		ReadOnly: []string{"id", "version", "last_updated", "rules[].version", "rules[].last_updated", "rules[].categories", "rules[].action_parameters.uri.origin"},
		Refused:  notEntitled(),

		Permissions: permissions(),
		Plan:        "All plans, with a number of rules by plan and phase; custom rulesets on Enterprise", Sweep: time.Minute,
		Excused: map[string]string{"ManyOneList": "a zone has one for each phase: TestOneListOfRulesets"},
	}
}

// rulesetKey returns the paths that name a ruleset. A zone or an account has one entry point for
// each phase, regardless of its name.
func rulesetKey(ruleset kind.Document) []string {
	if ruleset["kind"] == "custom" {
		return []string{"kind", "phase", "name"}
	}
	return []string{"kind", "phase"}
}

// entryPoint returns the path of a ruleset for RulesetRules, "" if they cannot be in it.
func entryPoint(ruleset kind.Document) string {
	phase := kind.Text(ruleset, "phase")
	if ruleset["kind"] == "custom" || phase == "" {
		return ""
	}
	return "/phases/" + phase + "/entrypoint"
}
