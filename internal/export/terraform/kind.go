// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package terraform

import (
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// The types of resources without a description.
const (
	TypeRecord = "cloudflare_dns_record"
	TypeZone   = "cloudflare_zone"
)

// currentName returns the name that a type has in version 5 of Cloudflare's Terraform provider.
// https://registry.terraform.io/providers/cloudflare/cloudflare/latest/docs/guides/version-5-upgrade
func currentName(typ string) string {
	switch typ {
	case "cloudflare_record":
		return TypeRecord
	case "cloudflare_tunnel":
		return "cloudflare_zero_trust_tunnel_cloudflared"
	case "cloudflare_tunnel_config":
		return "cloudflare_zero_trust_tunnel_cloudflared_config"
	case "cloudflare_worker_script":
		return "cloudflare_workers_script"
	case "cloudflare_worker_route":
		return "cloudflare_workers_route"
	case "cloudflare_access_rule": // It is a rule of the firewall, not of Access.
		return typ
	}
	if rest, ok := strings.CutPrefix(typ, prefix+"access_"); ok {
		return prefix + "zero_trust_access_" + rest
	}
	return typ
}

// Kind returns the kind of a resource's type. A document with fragments is one kind.
func (r Resource) Kind(all []kind.Description) (kind.Description, bool) {
	for _, d := range all {
		if r.Type != "" && d.Terraform == r.Type && (d.Shape != kind.Fragment || d.Bulk != "") {
			return d, true
		}
	}
	return kind.Description{}, false
}

// Is reports whether r and live, of the kind d, are the same resource. No parent that r names may
// differ, and the IDs must be equal. A singleton has no ID of its own: r must name all parameters
// of its path except the account.
func (r Resource) Is(d kind.Description, live kind.Resource) bool {
	for parameter, v := range live.Parameters {
		if named := r.Attributes[parameter]; named != "" && named != v {
			return false
		}
	}
	if d.Shape != kind.Singleton {
		return live.ID == r.ID || live.ID == lastPart(r.ID)
	}
	op, _ := kind.ParseOperation(d.Read)
	for _, parameter := range op.Parameters() {
		if parameter != "account_id" && r.Attributes[parameter] == "" {
			return false
		}
	}
	return true
}

// lastPart returns what follows the last slash: some IDs begin with the ID of the parent.
func lastPart(id string) string { return id[strings.LastIndex(id, "/")+1:] }
