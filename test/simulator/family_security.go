// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"html"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Codes of IP access rules: firewallaccessrules.api.not_found and .duplicate_of_existing.
const (
	CodeAccessRuleNotFound  = 10001
	CodeAccessRuleDuplicate = 10009
	CodeAccessRuleInvalid   = 10014 // Own number.
)

// universalFamily returns the setting of the certificate that Cloudflare issues for every zone.
func universalFamily() *family {
	return &family{
		list: "/zones/{zone_id}/ssl/universal/settings", single: true,
		seed:    func(s *Server, sh *shelf) { s.put(sh, "settings", map[string]any{"enabled": true}) },
		prepare: withoutID,
	}
}

// normalizationFamily returns the settings with which a zone normalizes the URLs of requests.
func normalizationFamily() *family {
	return &family{
		list: "/zones/{zone_id}/url_normalization", single: true,
		seed: func(s *Server, sh *shelf) {
			s.put(sh, "url_normalization", map[string]any{"scope": "incoming", "type": "cloudflare"})
		},
		prepare: withoutID,
	}
}

// withoutID is the prepare function of documents that have no ID in the API.
func withoutID(_ *resourceCall, _ *resource, doc map[string]any) *Error {
	delete(doc, "id")
	return nil
}

// regionalFamily returns the host names whose traffic stays in a region. They need the Enterprise plan.
func regionalFamily() *family {
	return &family{
		list: "/zones/{zone_id}/addressing/regional_hostnames", parameter: "hostname", shape: idName, member: "hostname",
		prepare: func(c *resourceCall, _ *resource, doc map[string]any) *Error {
			if c.zone.plan != PlanEnterprise {
				return refuse(http.StatusForbidden, CodeNotEntitled, "The zone's plan has no regional host names.")
			}
			if !atOrBelow(strings.TrimPrefix(textOf(doc, "hostname"), "*."), c.zone.name) {
				return invalid(CodeResourceInvalid, "The host name must be one of the zone.")
			}
			return nil
		},
		deletion: func(*resourceCall, *resource) any { return nil },
	}
}

// accessRuleFamily returns the IP access rules of accounts and zones. Notes come back escaped for HTML
// (Terraform provider, commit b717f4deb). Networks may have certain sizes only (44577911b). No two rules
// may have the same configuration.
func accessRuleFamily() *family {
	return &family{
		list: eitherParent + "/firewall/access_rules/rules", parameter: "rule_id", shape: idHex,
		missing: func() *Error {
			return refuse(http.StatusNotFound, CodeAccessRuleNotFound, "firewallaccessrules.api.not_found")
		},
		unique: []uniqueness{{[]string{"configuration"}, func() *Error {
			return invalid(CodeAccessRuleDuplicate, "firewallaccessrules.api.duplicate_of_existing")
		}}},
		prepare: prepareAccessRule,
	}
}

func prepareAccessRule(_ *resourceCall, _ *resource, doc map[string]any) *Error {
	config, _ := doc["configuration"].(map[string]any)
	value, ok := originOf(textOf(config, "target"), textOf(config, "value"))
	if !ok {
		return invalid(CodeAccessRuleInvalid, "firewallaccessrules.api.validation_error: invalid configuration")
	}
	doc["configuration"] = map[string]any{"target": config["target"], "value": value}
	doc["notes"] = html.EscapeString(html.UnescapeString(textOf(doc, "notes")))
	doc["allowed_modes"] = []any{"whitelist", "block", "challenge", "js_challenge", "managed_challenge"}
	return nil
}

// originOf returns the value of a target in the form of the API. It returns false if the value is not valid
// for the target.
func originOf(target, value string) (string, bool) {
	address, err := netip.ParseAddr(value)
	switch target {
	case "ip":
		return value, err == nil && address.Is4()
	case "ip6":
		return address.StringExpanded(), err == nil && address.Is6()
	case "ip_range":
		return rangeOf(value)
	case "asn":
		return strings.ToUpper(value), strings.HasPrefix(strings.ToUpper(value), "AS")
	case "country":
		return strings.ToUpper(value), len(value) == 2
	}
	return "", false
}

// rangeOf returns a network in the form of the API. It returns false if rules may not have networks of its
// size.
func rangeOf(value string) (string, bool) {
	network, err := netip.ParsePrefix(value)
	sizes := []int{32, 48, 64}
	if network.Addr().Is4() {
		sizes = []int{16, 24}
	}
	return network.Masked().String(), err == nil && slices.Contains(sizes, network.Bits())
}
