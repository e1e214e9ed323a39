// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package conformance tests what the function decides about names and contents by the
// table that the provider is tested by.
package conformance_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/endpoint"
	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/mail"
	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/record"
	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/website"
)

// row is a row of the provider's table, which says what the members mean.
type row struct {
	Case, Reason, Zone, Name, Type string

	Content  *string
	Priority *int64
	TTL      *int64
	Proxied  *bool

	Want *struct {
		Name, Content string
	}
	Refused, FunctionRefuses string
}

// accepted tells whether the function has to accept what the row declares.
func (r row) accepted() bool { return r.Want != nil && r.FunctionRefuses == "" }

// fqdn is the full name of a row that is not refused for its name.
func (r row) fqdn() string {
	if r.Want != nil {
		return r.Want.Name
	}
	return r.Name + "." + r.Zone
}

// each runs f for the rows that match, of which there have to be some.
func each(t *testing.T, match func(row) bool, f func(*testing.T, row)) {
	t.Helper()
	raw, err := os.ReadFile("../../../../internal/dnsrecord/testdata/conformance.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	if err := json.Unmarshal(raw, &rows); err != nil {
		t.Fatal(err)
	}
	rows = slices.DeleteFunc(rows, func(r row) bool { return !match(r) })
	if len(rows) == 0 {
		t.Fatal("no row of the table matches")
	}
	for _, r := range rows {
		t.Run(r.Case, func(t *testing.T) {
			t.Parallel()
			f(t, r)
		})
	}
}

func refusedForName(r row) bool { return r.Refused == "name" || r.Refused == "zoneName" }

func TestNames(t *testing.T) {
	t.Parallel()
	each(t, func(r row) bool { return r.Want != nil || refusedForName(r) }, func(t *testing.T, r row) {
		rec := record.Record{Zone: r.Zone, Name: r.Name}
		switch err := rec.Check(); {
		case (err == nil) != (r.Want != nil):
			t.Errorf("%s: got error %v", r.Reason, err)
		case err == nil && rec.FQDN() != r.Want.Name:
			t.Errorf("%s: got %s, want %s", r.Reason, rec.FQDN(), r.Want.Name)
		}
	})
}

// leading are rows of the types by which a name leads to a target.
func leading(r row) bool {
	return slices.Contains([]string{"A", "AAAA", "CNAME"}, r.Type) && r.Content != nil && !refusedForName(r) && r.Refused != "ttl"
}

// wantTarget checks a record that the function made of a row. The function tells the type from
// the target: what is refused for one type may be right for another.
func wantTarget(t *testing.T, r row, got record.Record, err error) {
	t.Helper()
	if !r.accepted() {
		if err == nil && got.Type == r.Type {
			t.Errorf("%s: got %+v, want a refusal", r.Reason+r.FunctionRefuses, got)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", r.Reason, err)
	}
	want := r.Want.Content
	if r.Type == "CNAME" {
		want += "."
	}
	if got.Type != r.Type || got.Content != want || got.FQDN() != r.Want.Name {
		t.Errorf("%s: got %s %s %s, want %s %s %s", r.Reason, got.FQDN(), got.Type, got.Content, r.Want.Name, r.Type, want)
	}
}

func TestEndpointTargets(t *testing.T) {
	t.Parallel()
	each(t, leading, func(t *testing.T, r row) {
		got, _, err := endpoint.Make(
			endpoint.Spec{Name: r.fqdn(), Target: *r.Content, TTL: r.TTL, Proxied: r.Proxied != nil && *r.Proxied}, "team",
			[]endpoint.Domain{{Domain: r.Zone, ProviderConfigRef: record.Config{Kind: "ClusterProviderConfig", Name: "default"}}})
		wantTarget(t, r, got, err)
	})
}

// TestEndpointNames shows that a fully qualified name is in its domain however the two
// are written.
func TestEndpointNames(t *testing.T) {
	t.Parallel()
	within := []string{"NameFull", "NameFullDot", "NameZone", "NameZoneDot", "NameFullUpperCase", "NameIDNZone", "NameIDNZoneUnicode", "NameIDNFullStop", "NameWildcardDeep"}
	outside := []string{"NameOutside", "NameParent", "NameLettersDot", "Name254Full"}
	each(t, func(r row) bool { return slices.Contains(append(outside, within...), r.Case) }, func(t *testing.T, r row) {
		got, _, err := endpoint.Make(endpoint.Spec{Name: r.Name, Target: *r.Content}, "team",
			[]endpoint.Domain{{Domain: r.Zone, ProviderConfigRef: record.Config{Kind: "ClusterProviderConfig", Name: "default"}}})
		wantTarget(t, r, got, err)
	})
}

func TestWebsiteOrigins(t *testing.T) {
	t.Parallel()
	// A domain is no wildcard, and leaves room for the names of its other records.
	domains := func(r row) bool { return leading(r) && !strings.Contains(r.fqdn(), "*") && len(r.fqdn()) < 200 }
	each(t, domains, func(t *testing.T, r row) {
		s := website.Spec{Domain: r.fqdn(), Proxied: r.Proxied, Mail: mail.Settings{Provider: mail.None}}
		switch r.Type {
		case "A":
			s.Origin.IPv4 = *r.Content
		case "AAAA":
			s.Origin.IPv6 = *r.Content
		default:
			s.Origin.Hostname = *r.Content
		}
		var got record.Record
		plan, err := website.Make(s)
		if err == nil {
			got = plan.Records[0]
		}
		wantTarget(t, r, got, err)
	})
}

func TestMailHosts(t *testing.T) {
	t.Parallel()
	hosts := func(r row) bool { return r.Type == "MX" && r.Priority != nil && !strings.Contains(*r.Content, " ") }
	each(t, hosts, func(t *testing.T, r row) {
		records, _, err := mail.Records(r.Zone, mail.Settings{Provider: mail.Google, Hosts: []mail.Host{{Host: *r.Content, Priority: *r.Priority}}})
		if !r.accepted() {
			if err == nil {
				t.Errorf("%s: got %+v, want a refusal", r.Reason, records[0])
			}
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", r.Reason, err)
		}
		got := records[0]
		if host := strings.TrimSuffix(r.Want.Content, ".") + "."; got.Type != "MX" || got.Content != host || *got.Priority != *r.Priority {
			t.Errorf("%s: got %s %s %d, want MX %s %d", r.Reason, got.Type, got.Content, *got.Priority, host, *r.Priority)
		}
	})
}

// TestDKIMTargets shows that the alias of a key leads where the provider has it lead.
func TestDKIMTargets(t *testing.T) {
	t.Parallel()
	aliases := func(r row) bool { return r.Type == "CNAME" && !strings.HasPrefix(r.Case, "CNAMEItself") }
	each(t, aliases, func(t *testing.T, r row) {
		const selector = "s1"
		records, _, err := mail.Records(r.Zone, mail.Settings{Provider: mail.Google, DKIM: []mail.DKIM{{Selector: selector, Target: *r.Content}}})
		if !r.accepted() {
			if err == nil {
				t.Errorf("%s: got %+v, want a refusal", r.Reason+r.FunctionRefuses, records)
			}
			return
		}
		alias := func(got record.Record) bool {
			return got.Name == selector+"._domainkey" && got.Type == "CNAME" && got.Content == r.Want.Content+"."
		}
		if err != nil || !slices.ContainsFunc(records, alias) {
			t.Errorf("%s: got %+v and error %v, want an alias of %s", r.Reason, records, err, r.Want.Content)
		}
	})
}

// TestTexts shows that text is for the provider to quote, and once.
func TestTexts(t *testing.T) {
	t.Parallel()
	each(t, func(r row) bool { return r.Type == "TXT" && r.accepted() }, func(t *testing.T, r row) {
		plan, err := website.Make(website.Spec{
			Domain: r.Zone, Origin: website.Origin{IPv4: "192.0.2.1"},
			Mail: mail.Settings{Provider: mail.None}, Verifications: []string{*r.Content},
		})
		if err != nil {
			t.Fatalf("%s: %v", r.Reason, err)
		}
		if got := plan.Records[len(plan.Records)-1]; got.Type != "TXT" || got.Content != *r.Content {
			t.Errorf("%s: got %s %s, want the text %s", r.Reason, got.Type, got.Content, *r.Content)
		}
	})
}

// TestAuthorities shows that an authority becomes a CAA record that the provider
// takes as it is.
func TestAuthorities(t *testing.T) {
	t.Parallel()
	each(t, func(r row) bool { return r.Case == "CAA" || r.Case == "CAAParameters" }, func(t *testing.T, r row) {
		_, value, _ := strings.Cut(r.Want.Content, `issue "`)
		plan, err := website.Make(website.Spec{
			Domain: r.Zone, Origin: website.Origin{IPv4: "192.0.2.1"},
			Mail: mail.Settings{Provider: mail.None}, CertificateAuthorities: []string{strings.TrimSuffix(value, `"`)},
		})
		if err != nil {
			t.Fatalf("%s: %v", r.Reason, err)
		}
		if got := plan.Records[len(plan.Records)-1]; got.Type != "CAA" || got.Content != `0 issue "`+value {
			t.Errorf("%s: got %s %s", r.Reason, got.Type, got.Content)
		}
	})
}
