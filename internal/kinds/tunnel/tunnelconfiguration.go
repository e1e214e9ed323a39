// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package tunnel

import (
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// TunnelConfiguration describes the configuration of a remotely managed tunnel.
func TunnelConfiguration() kind.Description {
	return kind.Description{
		Group: "tunnel", Name: "TunnelConfiguration", Short: "cftunc", Noun: "tunnel configuration", Scope: kind.Account, Shape: kind.Singleton,
		Doc:       "A TunnelConfiguration is the whole configuration of a remotely managed tunnel. Where several teams share a tunnel, use TunnelIngress instead: a tunnel with objects of both kinds is worked on by the one that was there first, and the other says so.",
		Terraform: "cloudflare_zero_trust_tunnel_cloudflared_config",
		Read:      "GET /accounts/{account_id}/cfd_tunnel/{tunnel_id}/configurations",
		Update:    "PUT /accounts/{account_id}/cfd_tunnel/{tunnel_id}/configurations",
		Fields: map[string]kind.Field{
			"config.ingress[].originRequest.access.teamName": {Doc: "The name of the Zero Trust organization whose tokens are accepted."},
			"config.originRequest.access.teamName":           {Doc: "The name of the Zero Trust organization whose tokens are accepted."},
			"tunnel_id":                                      {Ref: "Tunnel", Canonical: uuid},
			"config":                                         {Required: true},
			"config.ingress":                                 {Doc: "The rules by which requests find their origin: the first that matches counts. The last must have no hostname, and matches the rest."},
			"config.ingress[].hostname":                      {Optional: true, Because: "the last rule has none"},
			"config.originRequest.matchSNItoHost":            {Name: "matchSniToHost"},
			"config.ingress[].originRequest.matchSNItoHost":  {Name: "matchSniToHost"},
		},
		Observe:  []string{"source", "version", "created_at"},
		Columns:  []string{"SOURCE=source", "VERSION=version"},
		ID:       "tunnel_id",
		Gone:     []kind.Code{{Status: 404}},
		ReadOnly: []string{"account_id", "created_at", "source", "tunnel_id", "version", "config.warp-routing"},
		Editable: remotelyManaged,
		OnDelete: kind.Deletion{
			Verb: "PUT /accounts/{account_id}/cfd_tunnel/{tunnel_id}/configurations",
			Body: map[string]any{"config": map[string]any{"ingress": []any{map[string]any{"service": "http_status:404"}}}},
		},

		Permissions: []string{"Cloudflare One Connectors Write", "Cloudflare One Connector: cloudflared Write", "Cloudflare Tunnel Write"},
		Plan:        "All plans", Sweep: time.Minute,
		Excused: map[string]string{
			"LostAnswer":  "it is never created",
			"Busy":        "it is never deleted",
			"GoneOutside": "it exists with its parent",
			"ManyOneList": "a tunnel has one",
		},
	}
}

// uuid returns the ID of a tunnel as Cloudflare shows it: in lower case, with hyphens.
func uuid(id string) string {
	digits := strings.ReplaceAll(strings.ToLower(id), "-", "")
	if len(digits) != 32 {
		return id
	}
	return strings.Join([]string{digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]}, "-")
}
