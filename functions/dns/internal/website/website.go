// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package website makes the records of a domain with a website and mail. Pure.
package website

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/netip"

	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/dnsname"
	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/mail"
	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/record"
)

// An Origin is where the website is served: one or two addresses, or a hostname.
type Origin struct {
	IPv4     string `json:"ipv4"`
	IPv6     string `json:"ipv6"`
	Hostname string `json:"hostname"`
}

// A Spec is what a team declares.
type Spec struct {
	Domain string `json:"domain"`
	Origin Origin `json:"origin"`
	WWW    bool   `json:"www"`
	// Proxied left out is to proxy where Cloudflare can.
	Proxied                *bool         `json:"proxied"`
	Mail                   mail.Settings `json:"mail"`
	CertificateAuthorities []string      `json:"certificateAuthorities"`
	Verifications          []string      `json:"verifications"`
}

// A Plan is what becomes of it.
type Plan struct {
	Records []record.Record
	// FQDNs are the names under which the website is found.
	FQDNs []string
	// Missing is what the records cannot say without more values, one sentence each;
	// empty rather than nil, which a list in a status must not be.
	Missing []string
}

// Make plans the records. An error says what the team has to change; it wants no
// records then, which is different from wanting them gone.
func Make(s Spec) (Plan, error) {
	s, err := canonical(s)
	if err != nil {
		return Plan{}, err
	}
	web, err := web(s)
	if err != nil {
		return Plan{}, err
	}
	post, missing, err := mail.Records(s.Domain, s.Mail)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Records: append(web, post...), FQDNs: []string{s.Domain}, Missing: missing}
	if s.WWW {
		p.FQDNs = append(p.FQDNs, "www."+s.Domain)
	}
	for _, ca := range s.CertificateAuthorities {
		p.Records = append(p.Records, record.Record{
			ID: "caa-" + ca, Zone: s.Domain, Name: "@", Type: "CAA", Content: fmt.Sprintf("0 issue %q", ca),
		})
	}
	for _, v := range s.Verifications {
		// Named for what it says: to take one away must not rewrite the others.
		id := fmt.Sprintf("verification-%x", sha256.Sum256([]byte(v)))[:len("verification-")+8]
		p.Records = append(p.Records, record.Record{ID: id, Zone: s.Domain, Name: "@", Type: "TXT", Content: v})
	}
	for _, r := range p.Records {
		if err := r.Check(); err != nil {
			return Plan{}, fmt.Errorf("spec has a record %s with a name that cannot be: %w", r.ID, err)
		}
	}
	return p, nil
}

// canonical writes the names and addresses of a spec as the provider does.
func canonical(s Spec) (Spec, error) {
	var err error
	if s.Domain, err = dnsname.Zone(s.Domain); err != nil {
		return s, fmt.Errorf("spec.domain %w", err)
	}
	o := &s.Origin
	if o.IPv4, err = address(o.IPv4, netip.Addr.Is4); err != nil {
		return s, fmt.Errorf("spec.origin.ipv4 %w", err)
	}
	if o.IPv6, err = address(o.IPv6, netip.Addr.Is6); err != nil {
		return s, fmt.Errorf("spec.origin.ipv6 %w", err)
	}
	if o.Hostname == "" {
		return s, nil
	}
	if o.Hostname, err = dnsname.Target(o.Hostname); err != nil {
		return s, fmt.Errorf("spec.origin.hostname %w", err)
	}
	return s, nil
}

// address is the canonical form of an address of one family, and "" of none.
func address(text string, family func(netip.Addr) bool) (string, error) {
	if text == "" {
		return "", nil
	}
	a, err := record.Address(text)
	switch {
	case err != nil:
		return "", err
	case !family(a):
		return "", fmt.Errorf("%s is an address of the other family", text)
	}
	return a.String(), nil
}

// web makes the records of the website itself.
func web(s Spec) ([]record.Record, error) {
	apex, err := apex(s)
	if err != nil {
		return nil, err
	}
	proxied := s.Proxied
	if proxied == nil {
		can := canBeProxied(s.Origin)
		proxied = &can
	}
	if *proxied && !canBeProxied(s.Origin) {
		return nil, errors.New("spec.proxied cannot be true: Cloudflare's proxy cannot reach a private address; give the origin a public one, or set proxied to false")
	}
	if s.WWW {
		apex = append(apex, record.Record{ID: "www", Name: "www", Type: "CNAME", Content: s.Domain + "."})
	}
	for i := range apex {
		apex[i].Zone, apex[i].Proxied = s.Domain, proxied
	}
	return apex, nil
}

// apex makes the records of the domain itself. Cloudflare answers for an alias there
// with the target's addresses, so that it may stand beside MX and TXT.
func apex(s Spec) ([]record.Record, error) {
	o := s.Origin
	switch {
	case o.Hostname != "" && (o.IPv4 != "" || o.IPv6 != ""):
		return nil, errors.New("spec.origin has a hostname and an address: a name is an alias or has addresses, not both")
	case o.Hostname == s.Domain, s.WWW && o.Hostname == "www."+s.Domain:
		return nil, fmt.Errorf("spec.origin.hostname %s is the website's own name: it would lead to itself", o.Hostname)
	case o.Hostname != "":
		return []record.Record{{ID: "apex-cname", Name: "@", Type: "CNAME", Content: o.Hostname + "."}}, nil
	}
	var out []record.Record
	if o.IPv4 != "" {
		out = append(out, record.Record{ID: "apex-a", Name: "@", Type: "A", Content: o.IPv4})
	}
	if o.IPv6 != "" {
		out = append(out, record.Record{ID: "apex-aaaa", Name: "@", Type: "AAAA", Content: o.IPv6})
	}
	if len(out) == 0 {
		return nil, errors.New("spec.origin is empty: set ipv4, ipv6 or hostname")
	}
	return out, nil
}

// canBeProxied tells whether the proxy can reach all of an origin. Of a hostname
// Cloudflare judges.
func canBeProxied(o Origin) bool {
	for _, text := range []string{o.IPv4, o.IPv6} {
		if a, err := netip.ParseAddr(text); err == nil && !record.CanBeProxied(a) {
			return false
		}
	}
	return true
}
