// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package record is what the function's tasks produce: Records, and what has become
// of those that exist. Pure.
package record

import (
	"net/netip"
	"strings"
)

// APIVersion and Kind are those of the Records.
const (
	APIVersion = "dns.cloudflare.m.crossplane.io/v1alpha1"
	Kind       = "Record"
)

// A Config names the credential a Record uses.
type Config struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// A Record to be.
type Record struct {
	// ID tells the Records of one composite resource apart. What cannot change in
	// a Record (its type, its zone) must be part of it where it can change in the
	// composite resource: then the old one is deleted and a new one made.
	ID string

	Zone, Name, Type, Content string

	Priority *int64
	TTL      *int64
	Proxied  *bool
}

// FQDN is the full name of the record.
func (r Record) FQDN() string {
	switch {
	case r.Name == "@":
		return r.Zone
	case r.Name == r.Zone || strings.HasSuffix(r.Name, "."+r.Zone):
		return r.Name
	default:
		return r.Name + "." + r.Zone
	}
}

// Manifest is the Record as an object, without a name: Crossplane gives it one.
func (r Record) Manifest(c Config) map[string]any {
	p := map[string]any{"zoneName": r.Zone, "name": r.Name, "type": r.Type, "content": r.Content}
	if r.Priority != nil {
		p["priority"] = *r.Priority
	}
	if r.TTL != nil {
		p["ttl"] = *r.TTL
	}
	if r.Proxied != nil {
		p["proxied"] = *r.Proxied
	}
	return map[string]any{
		"apiVersion": APIVersion,
		"kind":       Kind,
		"spec": map[string]any{
			"forProvider":       p,
			"providerConfigRef": map[string]any{"kind": c.Kind, "name": c.Name},
		},
	}
}

// CanBeProxied tells whether Cloudflare's proxy can reach an address: it refuses
// those that are not of the Internet.
func CanBeProxied(a netip.Addr) bool {
	shared := netip.MustParsePrefix("100.64.0.0/10")
	return !a.IsPrivate() && !a.IsLoopback() && !a.IsLinkLocalUnicast() && !a.IsUnspecified() && !a.IsMulticast() && !shared.Contains(a)
}
