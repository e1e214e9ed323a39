// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package tunnel

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// VirtualNetwork describes the networks that separate equal addresses.
func VirtualNetwork() kind.Description {
	return kind.Description{
		Group: "tunnel", Name: "VirtualNetwork", Short: "cfvnet", Noun: "virtual network", Scope: kind.Account,
		Doc:       "A VirtualNetwork keeps private networks with the same addresses apart, such as those of several clusters. One of an account is the default: to make another one the default takes that from the former, and a default cannot be deleted.",
		Terraform: "cloudflare_zero_trust_tunnel_cloudflared_virtual_network",
		List:      "GET /accounts/{account_id}/teamnet/virtual_networks",
		Create:    "POST /accounts/{account_id}/teamnet/virtual_networks",
		Read:      "GET /accounts/{account_id}/teamnet/virtual_networks/{virtual_network_id}",
		Update:    "PATCH /accounts/{account_id}/teamnet/virtual_networks/{virtual_network_id}",
		Delete:    "DELETE /accounts/{account_id}/teamnet/virtual_networks/{virtual_network_id}",
		Mode:      kind.DeclaredOnly,
		Fields: map[string]kind.Field{
			"name":               {Doc: "The name of the virtual network, which is unique in the account."},
			"is_default_network": {Doc: "Whether routes and devices that name no virtual network use this one. To end it, make another one the default."},
		},
		Hide:    []string{"is_default"}, // It is deprecated, and the same as is_default_network.
		Observe: []string{"name", "is_default_network", "comment", "created_at"},
		Columns: []string{"NETWORK=name", "DEFAULT=is_default_network"},
		Natural: []string{"name"}, ListQuery: map[string]string{"is_deleted": "false"},
		Gone: []kind.Code{{Status: 404}}, SoftDeleted: "deleted_at",
		Exists: []kind.Code{{Status: 409}}, Busy: []kind.Code{{Status: 409}},

		Permissions: []string{"Cloudflare One Networks Write", "Cloudflare Tunnel Write"}, Plan: "All plans",
		Excused: map[string]string{"ImmutableRefused": "all that it has can be changed"},
	}
}
