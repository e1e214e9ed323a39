// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ruleset

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// ManagedTransforms describes the headers that Cloudflare adds and removes by itself.
func ManagedTransforms() kind.Description {
	const headers = "/zones/{zone_id}/managed_headers"
	const (
		undeclared  = " One that is not declared stays as it is."
		hasConflict = "Whether a transform that is carried out is in the way of this one."
	)
	anybodys := &kind.UnmanagedElements{Are: func(kind.Document) bool { return true }}
	return kind.Description{
		Group: "ruleset", Name: "ManagedTransforms", Short: "cfmt", Noun: "set of managed transforms", Scope: kind.Zone, Shape: kind.Singleton,
		Doc:       "A ManagedTransforms switches the transforms that Cloudflare offers for a zone, each of which adds or removes headers. It switches those that it declares, and leaves all others. Its deletion leaves the zone as it is.",
		Terraform: "cloudflare_managed_transforms",
		Read:      "GET " + headers,
		Update:    "PATCH " + headers,
		Mode:      kind.DeclaredOnly,
		ReadOnly: []string{
			"managed_request_headers[].has_conflict", "managed_request_headers[].conflicts_with",
			"managed_response_headers[].has_conflict", "managed_response_headers[].conflicts_with",
		},
		Fields: map[string]kind.Field{
			// Cloudflare adds transforms from time to time, and shows all of them in any order (Terraform provider,
			// issues 3428 and 5627).
			"managed_request_headers":                 {Set: true, Key: "id", Others: anybodys, Doc: "The transforms of requests, before the origin gets them." + undeclared},
			"managed_request_headers[].id":            {Doc: "The transform, such as add_visitor_location_headers."},
			"managed_request_headers[].enabled":       {Doc: "Whether Cloudflare carries out the transform."},
			"managed_request_headers[].has_conflict":  {Doc: hasConflict},
			"managed_response_headers":                {Set: true, Key: "id", Others: anybodys, Doc: "The transforms of responses, before the visitor gets them." + undeclared},
			"managed_response_headers[].id":           {Doc: "The transform, such as remove_x-powered-by_header."},
			"managed_response_headers[].has_conflict": {Doc: hasConflict},
			"managed_response_headers[].enabled":      {Doc: "Whether Cloudflare carries out the transform."},
		},
		Observe: []string{
			"managed_request_headers[].id", "managed_request_headers[].enabled", "managed_request_headers[].has_conflict",
			"managed_response_headers[].id", "managed_response_headers[].enabled", "managed_response_headers[].has_conflict",
		},

		Permissions: []string{
			"Account Rulesets Write", "Account WAF Write", "Bot Management Write", "Cache Settings Write", "Config Settings Write", "Custom Errors Write",
			"Dynamic URL Redirects Write", "HTTP DDoS Managed Ruleset Write", "L4 DDoS Managed Ruleset Write", "Logs Write", "Magic Firewall Write",
			"Managed headers Write", "Mass URL Redirects Write", "Origin Write", "Response Compression Write", "Sanitize Write",
			"Select Configuration Write", "Transform Rules Write", "Zone Transform Rules Write", "Zone WAF Write",
		},
		Plan: "All plans, some transforms Enterprise alone",
		Excused: map[string]string{
			"LostAnswer":       "it is never created",
			"Busy":             "it is never deleted",
			"GoneOutside":      "it exists with its zone",
			"ManyOneList":      "a zone has one",
			"ImmutableRefused": "all that it has can be changed, but for the zone",
		},
	}
}
