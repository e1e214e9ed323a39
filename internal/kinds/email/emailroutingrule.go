// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package email describes the kinds of Email Routing.
package email

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

const (
	rulesWrite     = "Email Routing Rules Write"
	addressesWrite = "Email Routing Addresses Write"
)

// EmailRoutingRule describes what happens to the mail for one address of a zone.
func EmailRoutingRule() kind.Description {
	return kind.Description{
		Group: "email", Name: "EmailRoutingRule", Short: "cfer", Noun: "email routing rule", Scope: kind.Zone,
		Doc:       "An EmailRoutingRule forwards the mail for an address of a zone, drops it, or gives it to a Worker. A destination has to be verified before a rule can name it, see EmailRoutingAddress.",
		Terraform: "cloudflare_email_routing_rule",
		List:      "GET /{accounts_or_zones}/{account_or_zone_id}/email/routing/rules",
		Create:    "POST /zones/{zone_id}/email/routing/rules",
		Read:      "GET /zones/{zone_id}/email/routing/rules/{rule_identifier}",
		Update:    "PUT /zones/{zone_id}/email/routing/rules/{rule_identifier}",
		Delete:    "DELETE /zones/{zone_id}/email/routing/rules/{rule_identifier}",
		Page:      kind.Page{Max: 50},
		Fields: map[string]kind.Field{
			"matchers":         {MaxItems: 1, Doc: "Which mail the rule is for."},
			"matchers[].type":  {Without: []string{"all"}, Doc: "How the address is compared: literal. An EmailRoutingCatchAll is for all other mail."},
			"matchers[].field": {Required: true, Doc: "What is compared: to, the recipient."},
			"matchers[].value": {Required: true, Doc: `The address, such as "sales@example.com". A zone has one rule for it.`},
			"actions":          {Doc: "What happens to the mail."},
			"actions[]":        {By: "actions[].type"},
			"actions[].type":   {Doc: "The action: forward, worker or drop."},
			"actions[].value":  {Doc: "The verified address to forward to, or the name of the Worker: one of these. drop has none."},
			"enabled":          {Doc: "Whether the rule is active. Left out at the creation, it is."},
			"priority":         {Doc: "The place of the rule among the others: a lower number comes first."},
		},
		Hide:    []string{"source", "owner_worker_tag"}, // Wrangler sets them in its own rules.
		Observe: []string{"name", "enabled", "priority", "source", "matchers", "actions"},
		Columns: []string{"ADDRESS=matchers[0].value", "ACTION=actions[0].type", "ENABLED=enabled", "-RULE=name"},
		Natural: []string{"matchers[0].value"}, Skip: catchesAll,
		Gone:     []kind.Code{{Status: 404}},
		Exists:   []kind.Code{{Code: 2014}},
		Refused:  refusals(rulesWrite, unverified()),
		ReadOnly: []string{"id", "tag", "source"},

		Permissions: []string{rulesWrite}, Plan: "All plans",
		Excused: map[string]string{
			"Busy":             "nothing refers to it",
			"ImmutableRefused": "all that it has can be changed, but for the zone",
		},
	}
}

// catchesAll reports whether a rule is that of an EmailRoutingCatchAll. Lists have that rule, too.
func catchesAll(rule kind.Document) bool { return kind.Text(rule, "matchers[0].type") == "all" }

// refusals returns the refusals of all operations of Email Routing, and more. Cloudflare answers
// a token of an account as one that lacks a permission.
func refusals(permission string, more ...kind.Refusal) []kind.Refusal {
	return append([]kind.Refusal{{
		Code: kind.Code{Status: 403, Code: 10000}, Reason: "Forbidden",
		Remedy: "use an API token of a user that has the permission " + permission + ": Email Routing refuses the tokens of accounts, which begin with cfat_",
	}}, more...)
}

// unverified returns the refusal to forward to an address whose owner has not agreed.
func unverified() kind.Refusal {
	return kind.Refusal{
		Code: kind.Code{Code: 2054}, Reason: "DestinationNotVerified",
		Remedy: "create an EmailRoutingAddress for it, and have its owner follow the link in the mail from Cloudflare",
	}
}
