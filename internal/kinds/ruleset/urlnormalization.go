// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ruleset

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// URLNormalization describes how zones normalize the URLs of requests.
func URLNormalization() kind.Description {
	const settings = "/zones/{zone_id}/url_normalization"
	return kind.Description{
		Group: "ruleset", Name: "URLNormalization", Short: "cfurl", Noun: "URL normalization", Scope: kind.Zone, Shape: kind.Singleton,
		Doc:       "A URLNormalization says how a zone changes the URLs of requests before rules see them, so that no spelling of a path gets past a rule. Its deletion leaves the zone as it is.",
		Terraform: "cloudflare_url_normalization_settings",
		Read:      "GET " + settings,
		Update:    "PUT " + settings,
		Fields: map[string]kind.Field{
			"scope": {Required: true, Doc: "Which URLs change: those that rules see (incoming), also those that the origin gets (both), or none."},
			"type":  {Required: true, Doc: "How they change: as RFC 3986 has it (rfc3986), or with what Cloudflare adds to that, such as merging slashes (cloudflare)."},
		},
		Observe: []string{"scope", "type"},
		Columns: []string{"SCOPE=scope", "TYPE=type"},

		Permissions: []string{
			"Account Rulesets Write", "Account WAF Write", "Bot Management Write", "Cache Settings Write", "Config Settings Write", "Custom Errors Write",
			"Dynamic URL Redirects Write", "HTTP DDoS Managed Ruleset Write", "L4 DDoS Managed Ruleset Write", "Logs Write", "Magic Firewall Write",
			"Managed headers Write", "Mass URL Redirects Write", "Origin Write", "Response Compression Write", "Sanitize Write",
			"Select Configuration Write", "Transform Rules Write", "Zone Transform Rules Write", "Zone WAF Write",
		},
		Plan: "All plans",
		Excused: map[string]string{
			"LostAnswer":       "it is never created",
			"Busy":             "it is never deleted",
			"GoneOutside":      "it exists with its zone",
			"ManyOneList":      "a zone has one",
			"ImmutableRefused": "all that it has can be changed, but for the zone",
		},
	}
}
