// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ssl

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// UniversalSSL describes whether zones have the certificate that Cloudflare issues for every zone.
func UniversalSSL() kind.Description {
	const settings = "/zones/{zone_id}/ssl/universal/settings"
	return kind.Description{
		Group: "ssl", Name: "UniversalSSL", Short: "cfussl", Noun: "Universal SSL", Scope: kind.Zone, Shape: kind.Singleton,
		Doc:       "A UniversalSSL says whether a zone has Cloudflare's free certificate. Without it, the proxied names of the zone have no TLS, unless another certificate covers them. Its deletion leaves the zone as it is.",
		Terraform: "cloudflare_universal_ssl_setting",
		Read:      "GET " + settings,
		Update:    "PATCH " + settings,
		Mode:      kind.DeclaredOnly,
		Fields: map[string]kind.Field{
			"enabled": {Required: true, Doc: "Whether the zone has the certificate. To disable it removes TLS from each name that no other certificate covers."},
		},
		Observe: []string{"enabled"},
		Columns: []string{"ENABLED=enabled"},

		Permissions: []string{"SSL and Certificates Write"}, Plan: "All plans",
		Excused: map[string]string{
			"LostAnswer":       "it is never created",
			"Busy":             "it is never deleted",
			"GoneOutside":      "it exists with its zone",
			"ManyOneList":      "a zone has one",
			"ImmutableRefused": "all that it has can be changed, but for the zone",
		},
	}
}
