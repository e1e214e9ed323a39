// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package mail makes the records by which a domain receives mail and by which others
// can tell its mail from forged mail: MX, SPF, DKIM and DMARC. Pure.
package mail

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/dnsname"
	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/record"
)

// A Host receives mail.
type Host struct {
	Host     string `json:"host"`
	Priority int64  `json:"priority"`
}

// A DKIM is a key under a selector: its text, or the name where the provider keeps it.
type DKIM struct {
	Selector string `json:"selector"`
	Key      string `json:"key"`
	Target   string `json:"target"`
}

// DMARC says what receivers should do with mail that is not the domain's.
type DMARC struct {
	// Policy is none, quarantine or reject.
	Policy string `json:"policy"`
	// Reports are the addresses that receivers send their daily reports to.
	Reports []string `json:"reports"`
}

// Settings are what a domain's owner says about mail.
type Settings struct {
	Provider string `json:"provider"`
	// Hosts, where there are any, are used instead of the provider's.
	Hosts []Host `json:"hosts"`
	// DKIM is added to the provider's, and wins over it where the selector is the same.
	DKIM []DKIM `json:"dkim"`
	// Senders are further SPF policies that are included.
	Senders []string `json:"senders"`
	DMARC   DMARC    `json:"dmarc"`
}

// Records makes the records of a domain. What it cannot make without values that
// only the domain's owner can find is missing, one sentence each; it is never nil.
func Records(domain string, s Settings) (records []record.Record, missing []string, err error) {
	missing = []string{}
	if s.Provider == None {
		records, err = refuseAll(domain, s)
		return records, missing, err
	}
	p, ok := find(s.Provider, domain)
	if !ok {
		return nil, nil, fmt.Errorf("spec.mail.provider %q is not known", s.Provider)
	}
	hosts := s.Hosts
	if len(hosts) == 0 {
		hosts = p.hosts
	}
	if len(hosts) == 0 {
		missing = append(missing, "MX: set spec.mail.hosts to what you find in "+p.hostsFrom)
	}
	keys := merge(p.dkim, s.DKIM)
	if len(keys) == 0 {
		missing = append(missing, "DKIM: set spec.mail.dkim to what you find in "+p.dkimFrom)
	}
	if hosts, err = canonicalHosts(hosts); err != nil {
		return nil, nil, err
	}
	if keys, err = canonicalKeys(keys); err != nil {
		return nil, nil, err
	}
	records = append(mx(domain, hosts), spf(domain, append([]string{p.include}, s.Senders...), p.all))
	records = append(records, dkim(domain, keys)...)
	records = append(records, dmarc(domain, s.DMARC))
	for _, name := range slices.Sorted(maps.Keys(p.cnames)) {
		records = append(records, alias(domain, "mail-"+name, name, p.cnames[name]))
	}
	return records, missing, nil
}

// refuseAll are the records of a domain that neither receives nor sends mail: a null
// MX (RFC 7505), no host that may send, no key that signs, and a policy to reject.
func refuseAll(domain string, s Settings) ([]record.Record, error) {
	if len(s.Hosts)+len(s.DKIM)+len(s.Senders) > 0 {
		return nil, errors.New("spec.mail.provider none takes neither hosts, dkim nor senders: the domain has no mail")
	}
	policy := "v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s" + reports(s.DMARC.Reports)
	return append(mx(domain, []Host{{".", 0}}),
		spf(domain, nil, "-all"),
		text(domain, "dkim-none", "*._domainkey", "v=DKIM1; p="),
		text(domain, "dmarc", "_dmarc", policy),
	), nil
}

// canonicalHosts writes hosts as the provider does. A dot says that there is no mail,
// under priority 0 (RFC 7505).
func canonicalHosts(hosts []Host) ([]Host, error) {
	out := make([]Host, 0, len(hosts))
	for _, h := range hosts {
		if h.Priority < 0 || h.Priority > math.MaxUint16 {
			return nil, fmt.Errorf("spec.mail.hosts: priority %d of %s is not from 0 to %d", h.Priority, h.Host, math.MaxUint16)
		}
		if h.Host == "." && h.Priority != 0 {
			return nil, errors.New(`spec.mail.hosts: the host "." has priority 0`)
		}
		if h.Host != "." {
			host, err := dnsname.Target(h.Host)
			if err != nil {
				return nil, fmt.Errorf("spec.mail.hosts: %w", err)
			}
			h.Host = host
		}
		out = append(out, h)
	}
	return out, nil
}

// canonicalKeys writes the targets of keys as the provider does.
func canonicalKeys(keys []DKIM) ([]DKIM, error) {
	out := make([]DKIM, 0, len(keys))
	for _, k := range keys {
		if k.Target != "" {
			target, err := dnsname.Target(k.Target)
			if err != nil {
				return nil, fmt.Errorf("spec.mail.dkim: %w", err)
			}
			k.Target = target
		}
		out = append(out, k)
	}
	return out, nil
}

// mx numbers the records, so that another provider's hosts take the place of the last
// one's in the same records, and no moment is without any.
func mx(domain string, hosts []Host) []record.Record {
	var out []record.Record
	for i, h := range hosts {
		content := h.Host
		if content != "." {
			content += "."
		}
		out = append(out, record.Record{
			ID: fmt.Sprintf("mx-%d", i+1), Zone: domain, Name: "@", Type: "MX",
			Content: content, Priority: &hosts[i].Priority,
		})
	}
	return out
}

// spf makes the one policy a name may have.
func spf(domain string, includes []string, all string) record.Record {
	terms := []string{"v=spf1"}
	for _, i := range includes {
		terms = append(terms, "include:"+i)
	}
	return text(domain, "spf", "@", strings.Join(append(terms, all), " "))
}

func dkim(domain string, keys []DKIM) []record.Record {
	var out []record.Record
	for _, k := range keys {
		name := k.Selector + "._domainkey"
		if k.Target != "" {
			out = append(out, alias(domain, "dkim-"+k.Selector+"-cname", name, k.Target))
			continue
		}
		out = append(out, text(domain, "dkim-"+k.Selector+"-txt", name, k.Key))
	}
	return out
}

// merge gives the keys of both, in the order of their selectors; own ones win.
func merge(provided, own []DKIM) []DKIM {
	by := map[string]DKIM{}
	for _, k := range slices.Concat(provided, own) {
		by[k.Selector] = k
	}
	return slices.SortedFunc(maps.Values(by), func(a, b DKIM) int { return strings.Compare(a.Selector, b.Selector) })
}

func dmarc(domain string, d DMARC) record.Record {
	policy := d.Policy
	if policy == "" {
		policy = "none"
	}
	return text(domain, "dmarc", "_dmarc", "v=DMARC1; p="+policy+reports(d.Reports))
}

func reports(to []string) string {
	if len(to) == 0 {
		return ""
	}
	return "; rua=mailto:" + strings.Join(to, ",mailto:")
}

func text(domain, id, name, content string) record.Record {
	return record.Record{ID: id, Zone: domain, Name: name, Type: "TXT", Content: content}
}

// alias is never proxied: mail programs ask for the name it leads to.
func alias(domain, id, name, target string) record.Record {
	return record.Record{ID: id, Zone: domain, Name: name, Type: "CNAME", Content: target + ".", Proxied: new(bool)}
}
