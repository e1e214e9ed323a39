// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dns

import (
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// RegionalHostname describes host names whose traffic stays in a region.
func RegionalHostname() kind.Description {
	const (
		hostnames = "/zones/{zone_id}/addressing/regional_hostnames"
		hostname  = hostnames + "/{hostname}"
	)
	return kind.Description{
		Group: "dns", Name: "RegionalHostname", Short: "cfrh", Noun: "regional host name", Scope: kind.Zone,
		Doc:       "A RegionalHostname has Cloudflare decrypt the traffic of a host name in one region only, such as the European Union. The name needs a proxied Record.",
		Terraform: "cloudflare_regional_hostname",
		List:      "GET " + hostnames,
		Create:    "POST " + hostnames,
		Read:      "GET " + hostname,
		Update:    "PATCH " + hostname,
		Delete:    "DELETE " + hostname,
		Mode:      kind.DeclaredOnly,
		Fields: map[string]kind.Field{
			"hostname":   {Canonical: strings.ToLower, Doc: "The host name, or a wildcard such as *.example.com."},
			"region_key": {Doc: "The region, such as eu or us. Cloudflare's documentation lists them."},
			"routing":    {Doc: "How requests get to the region: dns, by the addresses that the name resolves to."},
		},
		Observe: []string{"hostname", "region_key", "routing", "created_on"},
		Columns: []string{"HOSTNAME=hostname", "REGION=region_key"},
		ID:      "hostname", Natural: []string{"hostname"},
		Gone:     []kind.Code{{Status: 404}},
		ReadOnly: []string{"created_on"},

		Permissions: []string{"DNS Write"}, Plan: "Enterprise with Data Localization",
		Excused: map[string]string{"Busy": "nothing refers to it"},
	}
}
