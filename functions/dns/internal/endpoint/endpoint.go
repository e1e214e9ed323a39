// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package endpoint makes the record of a name and its target, within what the platform
// allows a namespace. Pure.
package endpoint

import (
	"errors"
	"fmt"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/dnsname"
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
	domains, err := canonical(domains)
	if err != nil {
		return none, record.Config{}, &Refusal{ReasonMisconfigured, fmt.Sprintf("the platform's domains of namespace %s: %v", namespace, err)}
	}
	name, err := dnsname.Canonical(s.Name)
	if err != nil {
		return none, record.Config{}, &Refusal{ReasonNotAllowed, fmt.Sprintf("name %v", err)}
	}
	d, ok := home(name, domains)
	if !ok {
		return none, record.Config{}, &Refusal{ReasonNotAllowed, fmt.Sprintf("%s is not in a domain of namespace %s, which may use %s", s.Name, namespace, list(domains))}
	}
	typ, content, err := resolve(s, name)
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
		Zone: d.Zone, Name: name, Type: typ, Content: content, TTL: ttl, Proxied: &s.Proxied,
	}
	return r, d.ProviderConfigRef, nil
}

// canonical gives domains with their names in canonical form and their zones.
func canonical(domains []Domain) ([]Domain, error) {
	out := make([]Domain, 0, len(domains))
	for _, d := range domains {
		d, err := d.canonical()
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// canonical completes a domain of the platform's, or says what is wrong with it.
func (d Domain) canonical() (Domain, error) {
	if d.Domain == "" {
		return d, errors.New("one has no domain")
	}
	if d.Zone == "" {
		d.Zone = d.Domain
	}
	var err error
	if d.Zone, err = dnsname.Zone(d.Zone); err != nil {
		return d, err
	}
	if d.Domain, err = dnsname.Zone(d.Domain); err != nil {
		return d, err
	}
	switch {
	case !dnsname.Within(d.Domain, d.Zone):
		return d, fmt.Errorf("%s is not in its zone %s", d.Domain, d.Zone)
	case d.ProviderConfigRef.Kind == "" || d.ProviderConfigRef.Name == "":
		return d, fmt.Errorf("%s has no providerConfigRef with kind and name", d.Domain)
	}
	return d, nil
}

// home is the domain a name belongs to: of several the longest.
func home(name string, domains []Domain) (Domain, bool) {
	var best Domain
	for _, d := range domains {
		if dnsname.Within(name, d.Domain) && len(d.Domain) > len(best.Domain) {
			best = d
		}
	}
	return best, best.Domain != ""
}

func list(domains []Domain) string {
	var names []string
	for _, d := range domains {
		names = append(names, d.Domain)
	}
	return strings.Join(names, ", ")
}

// resolve gives the type and content of the record of a name by what the target is.
func resolve(s Spec, name string) (typ, content string, err error) {
	a, err := record.Address(s.Target)
	switch {
	case errors.Is(err, record.ErrNotPublishable):
		return "", "", fmt.Errorf("target %w", err)
	case err != nil:
		return hostname(s, name)
	case s.Proxied && !record.CanBeProxied(a):
		return "", "", fmt.Errorf("target %s cannot be proxied: Cloudflare's proxy does not reach private addresses", s.Target)
	case a.Is4():
		return "A", a.String(), nil
	default:
		return "AAAA", a.String(), nil
	}
}

func hostname(s Spec, name string) (typ, content string, err error) {
	host, err := dnsname.Target(s.Target)
	switch {
	case err != nil:
		return "", "", fmt.Errorf("target %s is neither an IP address nor a full hostname", s.Target)
	case host == name:
		return "", "", fmt.Errorf("target %s is the name itself", s.Target)
	}
	return "CNAME", host + ".", nil
}
