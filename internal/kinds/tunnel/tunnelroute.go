// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package tunnel

import (
	"net/netip"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// TunnelRoute describes routes from private networks to tunnels.
func TunnelRoute() kind.Description {
	return kind.Description{
		Group: "tunnel", Name: "TunnelRoute", Short: "cftunr", Noun: "tunnel route", Scope: kind.Account,
		Doc:       "A TunnelRoute sends the traffic of devices for a private network through a tunnel.",
		Terraform: "cloudflare_zero_trust_tunnel_cloudflared_route",
		List:      "GET /accounts/{account_id}/teamnet/routes",
		Create:    "POST /accounts/{account_id}/teamnet/routes",
		Read:      "GET /accounts/{account_id}/teamnet/routes/{route_id}",
		Update:    "PATCH /accounts/{account_id}/teamnet/routes/{route_id}",
		Delete:    "DELETE /accounts/{account_id}/teamnet/routes/{route_id}",
		Page:      kind.Page{Max: 1000}, Mode: kind.DeclaredOnly,
		Fields: map[string]kind.Field{
			"network":            {Canonical: masked, Doc: "The private network in CIDR notation, such as 10.0.0.0/16. Bits of the address beyond the prefix mean nothing."},
			"tunnel_id":          {Ref: "Tunnel", Doc: "The ID of the tunnel."},
			"virtual_network_id": {Ref: "VirtualNetwork", Doc: "The ID of the virtual network. Left out, Cloudflare chooses the account's default one, and the object does not take over a route that exists."},
		},
		Observe: []string{"network", "tunnel_id", "virtual_network_id", "comment", "created_at"},
		Columns: []string{"NETWORK=network", "TUNNEL=tunnel_id", "-VNET=virtual_network_id"},
		// A network can be in several virtual networks.
		Natural: []string{"network", "virtual_network_id"}, ListQuery: map[string]string{"is_deleted": "false"},
		Gone: []kind.Code{{Status: 404}}, SoftDeleted: "deleted_at",
		Exists: []kind.Code{{Status: 409}},

		Permissions: []string{"Cloudflare One Networks Write", "Cloudflare Tunnel Write"}, Plan: "All plans",
		Excused: map[string]string{
			"ImmutableRefused": "all that it has can be changed",
			"Busy":             "nothing refers to it",
		},
	}
}

// masked returns the canonical form of a network in CIDR notation. Other text stays as it is.
func masked(network string) string {
	prefix, err := netip.ParsePrefix(network)
	if err != nil {
		return network
	}
	return prefix.Masked().String()
}
