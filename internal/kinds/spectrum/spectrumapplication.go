// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package spectrum describes the kinds of Spectrum.
package spectrum

import (
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// SpectrumApplication describes ports of a host name that Cloudflare proxies.
func SpectrumApplication() kind.Description {
	const apps = "/zones/{zone_id}/spectrum/apps"
	return kind.Description{
		Group: "spectrum", Name: "SpectrumApplication", Short: "cfspec", Noun: "Spectrum application", Scope: kind.Zone,
		Doc:       "A SpectrumApplication has Cloudflare proxy a TCP or UDP port of a host name, or a range of ports, to an origin. Cloudflare makes the DNS record of the host name, which is read-only: there can be no Record of that name beside it.",
		Terraform: "cloudflare_spectrum_application",
		List:      "GET " + apps,
		Create:    "POST " + apps,
		Read:      "GET " + apps + "/{app_id}",
		Update:    "PUT " + apps + "/{app_id}",
		Delete:    "DELETE " + apps + "/{app_id}",
		Page:      kind.Page{Max: 100},
		Fields: map[string]kind.Field{
			"dns":                   {Doc: "The DNS record of the application."},
			"dns.name":              {Required: true, Canonical: strings.ToLower, Doc: "The host name that clients connect to. It is in the zone."},
			"dns.type":              {Doc: "What the host name resolves to: addresses of Cloudflare (CNAME), or addresses of yours that Cloudflare announces (ADDRESS)."},
			"protocol":              {Pattern: "^(tcp|udp)/[0-9]{1,5}(-[0-9]{1,5})?$", Because: "the document says it in words", Doc: "The protocol and the port, or the range of ports, that clients connect to, such as tcp/22 or udp/1000-2000."},
			"origin_direct":         {Doc: "The origins, each with protocol, address and port, such as tcp://192.0.2.1:22. Exclusive with originDns."},
			"origin_dns":            {Doc: "The host name of the origin. Needs originPort. Exclusive with originDirect."},
			"origin_dns.name":       {Doc: "The host name by which Cloudflare finds the origin."},
			"origin_dns.ttl":        {Doc: "For how many seconds Cloudflare keeps what the host name resolves to."},
			"origin_dns.type":       {Without: []string{""}, Doc: "The type of the records that Cloudflare looks up. Left out, it is A and AAAA."},
			"origin_port":           {Min: new(int64(1)), Max: new(int64(65535)), MaxLen: 11, Doc: "The port of the origin as a number, or a range of ports as a string such as 1000-2000, which has as many ports as that of protocol. Only with originDns."},
			"edge_ips":              {By: "edge_ips.type", Doc: "The addresses that the host name resolves to."},
			"edge_ips.type":         {Doc: "Whether Cloudflare chooses addresses of its own (dynamic, for dns.type CNAME), or announces those of ips (static, for ADDRESS)."},
			"edge_ips.connectivity": {Doc: "The IP versions of the addresses that Cloudflare chooses."},
			"edge_ips.ips":          {Set: true, Doc: "Addresses of yours that Cloudflare announces."},
			"argo_smart_routing":    {Doc: "Whether Argo Smart Routing finds the way to the origin. Only with the trafficType direct."},
			"ip_firewall":           {Doc: "Whether IP access rules apply. Only for TCP."},
			"proxy_protocol":        {Doc: "How the origin learns the address of a client: by the PROXY protocol version 1 or 2 (v1, v2), by Cloudflare's own for UDP (simple), or not at all (off)."},
			"tls":                   {Doc: "Whether Cloudflare ends the TLS of clients: not at all (off), without TLS to the origin (flexible), with TLS (full), or with TLS whose certificate it verifies (strict)."},
			"traffic_type":          {Doc: "How data travels to the origin: as it is (direct), or through the features for HTTP or HTTPS."},
			"created_on":            {Doc: "When the application was created."},
			"modified_on":           {Doc: "When the application was last changed."},
			"virtual_network_id":    {Ref: "tunnel.VirtualNetwork", Doc: "The ID of the virtual network in which the origin is, behind a tunnel."},
		},
		Choice:  &kind.OneOf{Members: []string{"origin_direct", "origin_dns"}, With: map[string][]string{"origin_dns": {"origin_port"}}},
		Observe: []string{"dns", "protocol", "traffic_type", "created_on", "modified_on"},
		Columns: []string{"FQDN=dns.name", "PROTOCOL=protocol", "-TRAFFIC=traffic_type"},
		Natural: []string{"dns.name", "protocol"},
		Gone:    []kind.Code{{Status: 404}},

		ReadOnly:    []string{"id", "created_on", "modified_on"},
		Permissions: []string{"Zone Settings Write"}, Plan: "Enterprise. Pro and Business have some protocols, with originDirect and without other settings",
		Excused: map[string]string{
			"ImmutableRefused": "all that it has can be changed",
			"Busy":             "nothing refers to it",
		},
	}
}
