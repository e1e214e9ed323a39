// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package security

import (
	"html"
	"net/netip"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// IPAccessRule describes what accounts and zones do with requests from an origin.
func IPAccessRule() kind.Description {
	const (
		rules = "/{accounts_or_zones}/{account_or_zone_id}/firewall/access_rules/rules"
		rule  = rules + "/{rule_id}"
	)
	return kind.Description{
		Group: "security", Name: "IPAccessRule", Short: "cfipr", Noun: "IP access rule", Scope: kind.Either,
		Doc:       "An IPAccessRule blocks, challenges or allows requests by the address, the network or the country that they come from, for a zone or for all zones of an account.",
		Terraform: "cloudflare_access_rule",
		List:      "GET " + rules,
		Create:    "POST " + rules,
		Read:      "GET " + rule,
		Update:    "PATCH " + rule,
		Delete:    "DELETE " + rule,
		Page:      kind.Page{Max: 1000},
		Fields: map[string]kind.Field{
			"mode":                 {Doc: "What happens to the requests: block, a challenge (challenge, js_challenge, managed_challenge), or whitelist, which lets them past all other rules."},
			"notes":                {Canonical: html.UnescapeString, Doc: "Why the rule exists."},
			"configuration":        {Immutable: true, Doc: "Which requests the rule is for. Two rules of a zone or an account cannot have the same."},
			"configuration.target": {Required: true, Doc: "What value is: ip, ip6, ip_range, asn or country."},
			"configuration.value":  {Required: true, Canonical: canonicalOrigin, Doc: "An address, a network (/16 or /24 of IPv4; /32, /48 or /64 of IPv6), the number of an autonomous system such as AS64496, or the code of a country such as AQ."},
		},
		Hide:     []string{"allowed_modes", "scope"},
		Observe:  []string{"mode", "configuration", "notes", "created_on", "modified_on"},
		Columns:  []string{"MODE=mode", "TARGET=configuration.target", "VALUE=configuration.value"},
		Natural:  []string{"configuration.target", "configuration.value"},
		Gone:     []kind.Code{{Status: 404}},
		Exists:   []kind.Code{{Code: 10009}},
		ReadOnly: []string{"id", "allowed_modes", "scope", "scope.type", "created_on", "modified_on"},

		Permissions: []string{"Account Firewall Access Rules Write"}, Plan: "All plans, with country blocks on Enterprise",
		Excused: map[string]string{"Busy": "nothing refers to it"},
	}
}

// canonicalOrigin returns the form that Cloudflare shows: an IPv6 address has all its digits, and codes
// are in upper case.
func canonicalOrigin(value string) string {
	if p, err := netip.ParsePrefix(value); err == nil {
		return p.Masked().String()
	}
	if a, err := netip.ParseAddr(value); err == nil {
		return a.StringExpanded()
	}
	return strings.ToUpper(value)
}
