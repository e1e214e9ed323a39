// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package tunnel describes the kinds of Cloudflare Tunnel.
package tunnel

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// Tunnel describes tunnels.
func Tunnel() kind.Description {
	return kind.Description{
		Group: "tunnel", Name: "Tunnel", Short: "cftun", Noun: "tunnel", Scope: kind.Account,
		Doc:       "A Tunnel connects origins to Cloudflare without a public address.",
		Terraform: "cloudflare_zero_trust_tunnel_cloudflared",
		List:      "GET /accounts/{account_id}/cfd_tunnel",
		Create:    "POST /accounts/{account_id}/cfd_tunnel",
		Read:      "GET /accounts/{account_id}/cfd_tunnel/{tunnel_id}",
		Update:    "PATCH /accounts/{account_id}/cfd_tunnel/{tunnel_id}",
		Delete:    "DELETE /accounts/{account_id}/cfd_tunnel/{tunnel_id}",
		Page:      kind.Page{Max: 1000}, Mode: kind.DeclaredOnly,
		Fields: map[string]kind.Field{
			"tunnel_secret": {Doc: "The password of a locally configured tunnel, at least 32 bytes in base64. Left out, Cloudflare makes one.", WriteOnly: true},
		},
		Observe: []string{"name", "config_src", "status", "tun_type", "created_at", "conns_active_at", "conns_inactive_at"},
		Columns: []string{"TUNNEL=name", "STATUS=status", "-CONFIG=config_src"},
		Natural: []string{"name"}, ListQuery: map[string]string{"is_deleted": "false"},
		Gone: []kind.Code{{Status: 404}}, SoftDeleted: "deleted_at",
		Busy:         []kind.Code{{Code: 1022}, {Code: 1023}}, // The tunnel has connections, or routes of private networks.
		FreedBy:      []int{1022},
		BeforeDelete: []string{"DELETE /accounts/{account_id}/cfd_tunnel/{tunnel_id}/connections"},
		Exists:       []kind.Code{{Code: 1013}},
		Details: []kind.Detail{
			{
				Key: "token", From: "GET /accounts/{account_id}/cfd_tunnel/{tunnel_id}/token",
				Doc: "What cloudflared runs the tunnel with: cloudflared tunnel run --token, or TUNNEL_TOKEN.",
			},
			{Key: "id", Path: "id", Public: true, Doc: "The ID of the tunnel."},
			{Key: "accountId", Path: "account_tag", Public: true, Doc: "The ID of its account."},
			{Key: "credentials.json", Value: credentials, Doc: "The credentials file of cloudflared, for a tunnel that is run by its name or ID."},
		},
		Permissions: []string{"Cloudflare One Connectors Write", "Cloudflare One Connector: cloudflared Write", "Cloudflare Tunnel Write"},
		Plan:        "All plans", Sweep: time.Minute,
	}
}

// credentials returns the file that a locally configured cloudflared reads. The token has the
// same content with short names: base64 of {"a": account, "t": tunnel, "s": secret}.
func credentials(from kind.DetailInput) ([]byte, error) {
	raw, err := base64.StdEncoding.DecodeString(string(from.Details["token"]))
	if err != nil {
		return nil, errors.New("the tunnel's token is not base64")
	}
	var short struct{ A, T, S string }
	if err := json.Unmarshal(raw, &short); err != nil {
		return nil, errors.New("the tunnel's token is not JSON")
	}
	return json.Marshal(map[string]string{"AccountTag": short.A, "TunnelID": short.T, "TunnelSecret": short.S})
}
