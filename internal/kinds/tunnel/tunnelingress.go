// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package tunnel

import (
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// TunnelIngress describes one rule in the configuration of a tunnel.
func TunnelIngress() kind.Description {
	return kind.Description{
		Group: "tunnel", Name: "TunnelIngress", Short: "cftuni", Noun: "ingress rule", Scope: kind.Account, Shape: kind.Fragment,
		Doc:       "A TunnelIngress leads the requests for one hostname through a tunnel to a service. Many objects share the configuration of one tunnel, but not with a TunnelConfiguration: the object that was there first works on it, and those of the other kind say so.",
		Terraform: "cloudflare_zero_trust_tunnel_cloudflared_config",
		Read:      "GET /accounts/{account_id}/cfd_tunnel/{tunnel_id}/configurations",
		Update:    "PUT /accounts/{account_id}/cfd_tunnel/{tunnel_id}/configurations",
		Part:      "config.ingress[]",
		Before:    before, Last: map[string]any{"service": "http_status:404"}, Editable: remotelyManaged,
		Fields: map[string]kind.Field{
			"originRequest.access.teamName": {Doc: "The name of the Zero Trust organization whose tokens are accepted."},
			"tunnel_id":                     {Ref: "Tunnel", Canonical: uuid},
			"hostname":                      {Immutable: true},
			"path":                          {Immutable: true},
			"originRequest.matchSNItoHost":  {Name: "matchSniToHost"},
		},
		Observe: []string{"hostname", "path", "service"},
		Columns: []string{"HOSTNAME=hostname", "SERVICE=service", "-PATH=path"},
		Natural: []string{"hostname", "path"},
		Gone:    []kind.Code{{Status: 404}},

		Permissions: []string{"Cloudflare One Connectors Write", "Cloudflare One Connector: cloudflared Write", "Cloudflare Tunnel Write"},
		Plan:        "All plans", Sweep: time.Minute,
		Excused: map[string]string{
			"Busy": "nothing refers to it",
		},
	}
}

// before reports whether a has to come before b, because the first rule that matches counts. A
// full hostname comes before a wildcard, and a longer wildcard before a shorter one. For the same
// hostname, a longer path comes before a shorter one.
func before(a, b map[string]any) bool {
	ha, hb := text(a, "hostname"), text(b, "hostname")
	if ha == hb {
		return len(text(a, "path")) > len(text(b, "path"))
	}
	suffix, wild := strings.CutPrefix(hb, "*")
	return hb == "" || wild && strings.HasSuffix(ha, suffix) && len(ha) >= len(hb)
}

func text(rule map[string]any, name string) string {
	s, _ := rule[name].(string)
	return s
}

// remotelyManaged returns why the configuration of a tunnel cannot be changed here: a file configures the tunnel.
func remotelyManaged(document map[string]any) string {
	if text(document, "source") == "local" {
		return "the tunnel is configured where cloudflared runs: make it with spec.forProvider.configSrc cloudflare"
	}
	return ""
}
