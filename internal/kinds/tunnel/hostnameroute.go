// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package tunnel

import (
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// HostnameRoute describes routes from private host names to tunnels.
func HostnameRoute() kind.Description {
	return kind.Description{
		Group: "tunnel", Name: "HostnameRoute", Short: "cfhr", Noun: "hostname route", Scope: kind.Account,
		Doc:       "A HostnameRoute sends the traffic of devices for a private host name through a tunnel.",
		Terraform: "cloudflare_zero_trust_network_hostname_route",
		List:      "GET /accounts/{account_id}/zerotrust/routes/hostname",
		Create:    "POST /accounts/{account_id}/zerotrust/routes/hostname",
		Read:      "GET /accounts/{account_id}/zerotrust/routes/hostname/{hostname_route_id}",
		Update:    "PATCH /accounts/{account_id}/zerotrust/routes/hostname/{hostname_route_id}",
		Delete:    "DELETE /accounts/{account_id}/zerotrust/routes/hostname/{hostname_route_id}",
		Page:      kind.Page{Max: 1000}, Mode: kind.DeclaredOnly,
		Fields: map[string]kind.Field{
			"hostname":  {Required: true, Canonical: strings.ToLower, Doc: "The private host name, such as db.internal.example."},
			"tunnel_id": {Required: true, Ref: "Tunnel", Doc: "The ID of the tunnel."},
		},
		Observe: []string{"hostname", "tunnel_id", "tunnel_name", "comment", "created_at"},
		Columns: []string{"HOSTNAME=hostname", "TUNNEL=tunnel_name"},
		Natural: []string{"hostname"}, ListQuery: map[string]string{"is_deleted": "false"},
		Gone: []kind.Code{{Status: 404}}, SoftDeleted: "deleted_at",

		Permissions: []string{"Cloudflare One Networks Write", "Cloudflare Tunnel Write"}, Plan: "All plans",
		Excused: map[string]string{
			"ImmutableRefused": "all that it has can be changed",
			"Busy":             "nothing refers to it",
		},
	}
}
