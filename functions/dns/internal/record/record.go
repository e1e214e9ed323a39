// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package record is what the function's tasks produce: Records, and what has become
// of those that exist. Pure.
package record

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/dnsname"
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

// Check says why the record cannot have its name.
func (r Record) Check() error {
	_, err := dnsname.FQDN(r.Zone, r.Name)
	return err
}

// FQDN is the full name of the record, as the provider gives it; the name as it is
// where Check refuses that.
func (r Record) FQDN() string {
	if name, err := dnsname.FQDN(r.Zone, r.Name); err == nil {
		return name
	}
	return r.Name
}

// forProvider is what the Record declares.
func (r Record) forProvider() map[string]any {
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
	return p
}

// Manifest is the Record as an object, without a name: Crossplane gives it one.
func (r Record) Manifest(c Config) map[string]any {
	return manifest(r.forProvider(), map[string]any{"kind": c.Kind, "name": c.Name})
}

// Keep is the manifest that leaves a Record with this spec as it is. It has those fields
// alone that Manifest may write: what is in a manifest once, Crossplane takes away when it
// is not in a later one.
func Keep(spec map[string]any) map[string]any {
	from, _ := spec["forProvider"].(map[string]any)
	p := map[string]any{}
	for _, field := range []string{"zoneName", "name", "type", "content", "priority", "ttl", "proxied"} {
		if value, ok := from[field]; ok {
			p[field] = value
		}
	}
	return manifest(p, spec["providerConfigRef"])
}

func manifest(forProvider map[string]any, config any) map[string]any {
	return map[string]any{
		"apiVersion": APIVersion,
		"kind":       Kind,
		"spec":       map[string]any{"forProvider": forProvider, "providerConfigRef": config},
	}
}

// Address is an address that a record can publish.
func Address(text string) (netip.Addr, error) {
	a, err := netip.ParseAddr(strings.TrimSpace(text))
	switch {
	case err != nil:
		return netip.Addr{}, fmt.Errorf("%s is not an IP address", text)
	case a.Zone() != "" || a.Is4In6():
		return netip.Addr{}, fmt.Errorf("%s %w", text, ErrNotPublishable)
	}
	return a, nil
}

// ErrNotPublishable is of addresses that mean something to one machine only.
var ErrNotPublishable = errors.New("is not an address that can be published: write it as plain IPv4 or IPv6")

// CanBeProxied tells whether Cloudflare's proxy can reach an address: it refuses
// those that are not of the Internet.
func CanBeProxied(a netip.Addr) bool {
	a = a.Unmap()
	shared := netip.MustParsePrefix("100.64.0.0/10")
	return !a.IsPrivate() && !a.IsLoopback() && !a.IsLinkLocalUnicast() && !a.IsUnspecified() && !a.IsMulticast() && !shared.Contains(a)
}
