// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package endpoint makes the record of a name and its target, within what the platform
// allows a namespace. Pure.
package endpoint

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/record"
)

// Reasons why there is no record.
const (
	ReasonNoDomains     = "NoDomains"
	ReasonNotAllowed    = "NameNotAllowed"
	ReasonInvalidTarget = "InvalidTarget"
	ReasonMisconfigured = "Misconfigured"
)

// A Refusal says why there is no record.
type Refusal struct {
	// Reason is one of the constants above.
	Reason string
	// Message says what to do.
	Message string
}

// Error is the message.
func (r *Refusal) Error() string { return r.Message }

// A Spec is what a team declares.
type Spec struct {
	Name    string `json:"name"`
	Target  string `json:"target"`
	TTL     *int64 `json:"ttl"`
	Proxied bool   `json:"proxied"`
}

// A Domain is where a namespace may have names: the domain itself, and all below it.
type Domain struct {
	Domain string `json:"domain"`
	// Zone of the domain; left out it is the domain.
	Zone              string        `json:"zone"`
	ProviderConfigRef record.Config `json:"providerConfigRef"`
}

// Make plans the record, and the credential it uses. An error is a Refusal.
func Make(s Spec, namespace string, domains []Domain) (record.Record, record.Config, error) {
	var none record.Record
	for _, d := range domains {
		if err := d.check(); err != nil {
			return none, record.Config{}, &Refusal{ReasonMisconfigured, fmt.Sprintf("the platform's domains of namespace %s: %v", namespace, err)}
		}
	}
	d, ok := home(s.Name, domains)
	if !ok {
		return none, record.Config{}, &Refusal{ReasonNotAllowed, fmt.Sprintf("%s is not in a domain of namespace %s, which may use %s", s.Name, namespace, list(domains))}
	}
	typ, content, err := resolve(s)
	if err != nil {
		return none, record.Config{}, &Refusal{ReasonInvalidTarget, err.Error()}
	}
	ttl := s.TTL
	if ttl == nil {
		// Said, and not left out: one that was there before would stay in the Record.
		automatic := int64(1)
		ttl = &automatic
	}
	r := record.Record{
		ID:   strings.ToLower(typ) + "-in-" + d.Zone,
		Zone: d.Zone, Name: s.Name, Type: typ, Content: content, TTL: ttl, Proxied: &s.Proxied,
	}
	return r, d.ProviderConfigRef, nil
}

// check completes a domain of the platform's, or tells what is wrong with it.
func (d Domain) check() error {
	zone := d.zone()
	switch {
	case d.Domain == "":
		return fmt.Errorf("one has no domain")
	case !within(d.Domain, zone):
		return fmt.Errorf("%s is not in its zone %s", d.Domain, zone)
	case d.ProviderConfigRef.Kind == "" || d.ProviderConfigRef.Name == "":
		return fmt.Errorf("%s has no providerConfigRef with kind and name", d.Domain)
	}
	return nil
}

func (d Domain) zone() string {
	if d.Zone == "" {
		return d.Domain
	}
	return d.Zone
}

// home is the domain a name belongs to: of several the longest.
func home(name string, domains []Domain) (Domain, bool) {
	var best Domain
	for _, d := range domains {
		if within(name, d.Domain) && len(d.Domain) > len(best.Domain) {
			best = d
			best.Zone = d.zone()
		}
	}
	return best, best.Domain != ""
}

// within tells whether a name is a domain or below it: whole labels, not letters.
func within(name, domain string) bool {
	return name == domain || strings.HasSuffix(name, "."+domain)
}

func list(domains []Domain) string {
	var names []string
	for _, d := range domains {
		names = append(names, d.Domain)
	}
	return strings.Join(names, ", ")
}

// resolve tells the type and content of the record by what the target is.
func resolve(s Spec) (typ, content string, err error) {
	a, err := netip.ParseAddr(s.Target)
	switch {
	case err != nil:
		return hostname(s)
	case a.Zone() != "" || a.Is4In6():
		return "", "", fmt.Errorf("target %s is not an address that can be published: write it as plain IPv4 or IPv6", s.Target)
	case s.Proxied && !record.CanBeProxied(a):
		return "", "", fmt.Errorf("target %s cannot be proxied: Cloudflare's proxy does not reach private addresses", s.Target)
	case a.Is4():
		return "A", a.String(), nil
	default:
		return "AAAA", a.String(), nil
	}
}

func hostname(s Spec) (typ, content string, err error) {
	name := strings.ToLower(strings.TrimSuffix(s.Target, "."))
	last := name[strings.LastIndex(name, ".")+1:]
	switch {
	case !strings.Contains(name, ".") || strings.Trim(last, "0123456789") == "" || strings.Contains(name, ":"):
		return "", "", fmt.Errorf("target %s is neither an IP address nor a full hostname", s.Target)
	case name == s.Name:
		return "", "", fmt.Errorf("target %s is the name itself", s.Target)
	}
	return "CNAME", name + ".", nil
}
