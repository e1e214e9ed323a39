// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package device

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// DeviceProfile describes the settings of the client on some devices.
func DeviceProfile() kind.Description {
	const profiles = "/accounts/{account_id}/devices/policy"
	return kind.Description{
		Group: "device", Name: "DeviceProfile", Short: "cfdp", Noun: "device profile", Scope: kind.Account,
		Doc:       "A DeviceProfile is the settings that the WARP client has on the devices that match an expression. All other devices have the default profile of the account, which is no object here.",
		Terraform: "cloudflare_zero_trust_device_custom_profile",
		List:      "GET /accounts/{account_id}/devices/policies",
		Create:    "POST " + profiles,
		Read:      "GET " + profiles + "/{policy_id}",
		Update:    "PATCH " + profiles + "/{policy_id}",
		Delete:    "DELETE " + profiles + "/{policy_id}",
		Mode:      kind.DeclaredOnly,
		Choice:    &kind.OneOf{Members: []string{"exclude", "include"}, Optional: true},
		Fields: map[string]kind.Field{
			"name":                     {Doc: "The name of the profile."},
			"description":              {Doc: "What the profile is for."},
			"precedence":               {Doc: "The place among the profiles of the account: the one with the lowest number of those that match counts. No two have the same: to swap two, give one of them a free number first."},
			"match":                    {Doc: "The wirefilter expression that says which devices have the profile, such as identity.email == \"ann@example.com\"."},
			"exclude":                  {Set: true, Alone: "PUT " + profiles + "/{policy_id}/exclude", Doc: "The addresses and hosts whose traffic does not go through the tunnel. A profile has this list or include."},
			"include":                  {Set: true, Alone: "PUT " + profiles + "/{policy_id}/include", Doc: "The addresses and hosts whose traffic alone goes through the tunnel. A profile has this list or exclude."},
			"lan_allow_minutes":        {KeepZero: true},
			"switch_locked":            {Doc: "Whether the switch of the client is locked, so that the user cannot turn it off."},
			"dns_search_suffixes":      {Set: true, Key: "suffix", Doc: "The suffixes that the device tries for names without a dot."},
			"service_mode_v2":          {Doc: "What the client does with the traffic of the device."},
			"service_mode_v2.mode":     {Doc: "What it does, such as warp, or proxy for a local proxy."},
			"service_mode_v2.port":     {Doc: "The port of the proxy."},
			"tunnel_protocol":          {Doc: "The protocol of the tunnel: wireguard or masque."},
			"virtual_networks.default": {Doc: "The ID of the VirtualNetwork that the client uses at first."},
			"virtual_networks.allowed": {Set: true, Doc: "The IDs of the VirtualNetworks that the user may choose."},
		},
		Observe: []string{"name", "precedence", "match", "enabled", "gateway_unique_id"},
		Columns: []string{"PROFILE=name", "PRECEDENCE=precedence", "ENABLED=enabled", "-MATCH=match"},
		ID:      "policy_id", Natural: []string{"name"},
		Skip: isDefault,
		Gone: []kind.Code{{Status: 404}},

		Permissions: []string{"Zero Trust Write"}, Plan: "All plans, with 50 seats on Free",
		Excused: map[string]string{
			"ImmutableRefused": "all that it has can be changed",
			"Busy":             "nothing refers to it",
		},
	}
}

// isDefault reports whether a profile is the one for devices that no other profile matches.
func isDefault(profile kind.Document) bool { return profile["default"] == true }
