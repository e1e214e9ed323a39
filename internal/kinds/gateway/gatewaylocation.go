// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package gateway

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// GatewayLocation describes the networks that DNS queries come from.
func GatewayLocation() kind.Description {
	const locations = "/accounts/{account_id}/gateway/locations"
	return kind.Description{
		Group: "gateway", Name: "GatewayLocation", Short: "cfgloc", Noun: "gateway location", Scope: kind.Account,
		Doc:       "A GatewayLocation is a resolver for a network, such as that of an office or of a cluster. Its addresses are in status.atProvider. One of an account is the default: to make another one the default takes that from the former, and a default cannot be deleted.",
		Terraform: "cloudflare_zero_trust_dns_location",
		List:      "GET " + locations,
		Create:    "POST " + locations,
		Read:      "GET " + locations + "/{location_id}",
		Update:    "PUT " + locations + "/{location_id}",
		Delete:    "DELETE " + locations + "/{location_id}",
		Fields: map[string]kind.Field{
			"name":                    {Doc: "The name of the location."},
			"networks":                {Set: true, Key: "network", Doc: "The networks that the queries come from. Without, the addresses of the resolver tell the location."},
			"endpoints.doh":           {Doc: "DNS over HTTPS."},
			"endpoints.dot":           {Doc: "DNS over TLS."},
			"endpoints.ipv4":          {Doc: "DNS to the IPv4 addresses of the resolver."},
			"endpoints.ipv6":          {Doc: "DNS to the IPv6 address of the resolver."},
			"endpoints.doh.networks":  {Set: true, Key: "network"},
			"endpoints.dot.networks":  {Set: true, Key: "network"},
			"endpoints.ipv6.networks": {Set: true, Key: "network"},
		},
		Observe:  []string{"name", "client_default", "doh_subdomain", "ip", "ipv4_destination", "ipv4_destination_backup", "created_at", "updated_at"},
		Columns:  []string{"LOCATION=name", "DEFAULT=client_default", "DOH=doh_subdomain", "IPV4=ipv4_destination"},
		Natural:  []string{"name"},
		Gone:     []kind.Code{{Status: 404}},
		Busy:     []kind.Code{{Status: 409}},
		ReadOnly: []string{"id", "doh_subdomain", "ip", "ipv4_destination", "ipv4_destination_backup", "dns_destination_ipv6_block_id", "created_at", "updated_at"},

		Permissions: []string{"Cloudflare Zero Trust Secure DNS Locations Write", "Zero Trust Write"}, Plan: "All plans",
		Excused: map[string]string{"ImmutableRefused": "all that it has can be changed"},
	}
}
