// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns"
	"sigs.k8s.io/external-dns/plan"
	"sigs.k8s.io/external-dns/provider"
	"sigs.k8s.io/external-dns/registry"
	"sigs.k8s.io/external-dns/registry/txt"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone/ownership"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// kept is a provider of external-dns that only stores what its registry requests.
type kept struct {
	provider.BaseProvider

	made []*endpoint.Endpoint
}

func (k *kept) Records(context.Context) ([]*endpoint.Endpoint, error) { return nil, nil }

func (k *kept) ApplyChanges(_ context.Context, changes *plan.Changes) error {
	k.made = append(k.made, changes.Create...)
	return nil
}

// newRegistry returns external-dns' own registry of an owner with some settings.
func newRegistry(t *testing.T, p provider.Provider, owner string, set func(*externaldns.Config)) registry.Registry {
	t.Helper()
	cfg := externaldns.NewConfig()
	cfg.TXTOwnerID = owner
	set(cfg)
	r, err := txt.New(cfg, p)
	must(t, "txt.New()", err)
	return r
}

// TestExternalDNSMarks checks that the records of external-dns' own registry are recognized as
// its marks, with all its options.
func TestExternalDNSMarks(t *testing.T) {
	t.Parallel()
	names := []string{"shop.example.com", "my-shop.example.com", "a.b.example.com", "*.apps.example.com", "*.example.com"}
	for _, o := range []struct{ prefix, suffix, wildcard string }{
		{"", "", ""},
		{"", "", "any"},
		{"externaldns.", "", "any"},
		{"externaldns-", "", "any"},
		{"externaldns", "", "any"},
		{"txt.", "", "any"},
		{"K8S-", "", "ANY"},
		{"%{record_type}.", "", "any"},
		{"%{record_type}-abc-.", "", "any"},
		{"extdns-%{record_type}-", "", "any"},
		{"x%{record_type}y", "", "any"},
		{"", "-externaldns", "any"},
		{"", ".externaldns", "any"},
		{"", "-%{record_type}", "any"},
		{"", "-.%{record_type}", "any"},
	} {
		marksOf := func(types ...string) (ownership.Zone, []*endpoint.Endpoint) {
			k := &kept{}
			r := newRegistry(t, k, "cluster-1", func(cfg *externaldns.Config) {
				cfg.TXTPrefix, cfg.TXTSuffix, cfg.TXTWildcardReplacement, cfg.ManagedDNSRecordTypes = o.prefix, o.suffix, o.wildcard, types
			})
			changes := &plan.Changes{}
			for _, name := range names {
				for _, typ := range types {
					changes.Create = append(changes.Create, endpoint.NewEndpoint(name, typ, "192.0.2.1"))
				}
			}
			must(t, "ApplyChanges()", r.ApplyChanges(t.Context(), changes))
			return zoneOf(k.made)
		}
		t.Run(fmt.Sprintf("%+v", o), func(t *testing.T) {
			t.Parallel()
			for _, types := range [][]string{{"A", "AAAA", "MX"}, {"CNAME"}, {"NS"}, {"SRV", "TXT"}} {
				z, made := marksOf(types...)
				if got, want := len(z.Marks), len(names)*len(types); got != want {
					t.Errorf("%v: %d marks are recognised, want %d", types, got, want)
				}
				for _, e := range made {
					if own := z.Owners(e.DNSName, e.RecordType, ""); e.RecordType != "TXT" && len(own) == 0 {
						t.Errorf("%s %s is not recognised among the marks %v", e.RecordType, e.DNSName, z.Marks)
					}
				}
				if own := z.Owners("other.example.com", types[0], ""); len(own) > 0 {
					t.Errorf("other.example.com is taken for that of %s", own[0].Text)
				}
			}
		})
	}
}

// TestExternalDNSEncryptedMarks checks that the encrypted records of external-dns' own registry
// are recognized as its marks if their names have the type as a separate word.
func TestExternalDNSEncryptedMarks(t *testing.T) {
	t.Parallel()
	for _, o := range []struct{ prefix, suffix string }{{"", ""}, {"externaldns.", ""}, {"edns-%{record_type}-", ""}, {"", "-%{record_type}"}} {
		k := &kept{}
		r := newRegistry(t, k, "c", func(cfg *externaldns.Config) {
			cfg.TXTPrefix, cfg.TXTSuffix, cfg.TXTWildcardReplacement, cfg.ManagedDNSRecordTypes = o.prefix, o.suffix, "any", []string{"A", "AAAA", "MX"}
			cfg.TXTEncryptEnabled, cfg.TXTEncryptAESKey = true, "0123456789abcdef0123456789abcdef"
		})
		changes := &plan.Changes{}
		for _, typ := range []string{"A", "AAAA", "MX"} {
			changes.Create = append(changes.Create, endpoint.NewEndpoint("shop.example.com", typ, "192.0.2.1"), endpoint.NewEndpoint("*.apps.example.com", typ, "192.0.2.1"))
		}
		must(t, "ApplyChanges()", r.ApplyChanges(t.Context(), changes))
		z, made := zoneOf(k.made)
		if len(z.Marks) != len(changes.Create) {
			t.Errorf("%+v: %d encrypted marks are recognised, want %d", o, len(z.Marks), len(changes.Create))
		}
		for _, e := range made {
			content := ""
			if e.RecordType == "TXT" {
				content = dnsrecord.TXTText(e.Targets[0])
			}
			if len(z.Owners(e.DNSName, e.RecordType, content)) == 0 {
				t.Errorf("%+v: %s %s is not recognised among the marks %v", o, e.RecordType, e.DNSName, z.Marks)
			}
		}
	}
}

// zoneOf returns the zone with endpoints as its records.
func zoneOf(made []*endpoint.Endpoint) (ownership.Zone, []*endpoint.Endpoint) {
	types := map[string][]string{}
	z := ownership.Zone{Types: func(name string) []string { return types[name] }}
	for _, e := range made {
		if m, ok := ownership.Parse(e.DNSName, dnsrecord.TXTText(e.Targets[0])); ok {
			z.Marks = append(z.Marks, m)
		} else if !slices.Contains(types[e.DNSName], e.RecordType) {
			types[e.DNSName] = append(types[e.DNSName], e.RecordType)
		}
	}
	return z, made
}

// TestExternalDNSMarksAtCloudflare checks that a mark is recognized in the form in which
// Cloudflare stores it.
func TestExternalDNSMarksAtCloudflare(t *testing.T) {
	c := newCloud(t, simulator.PlanFree)
	c.becomeDefault(t)
	t.Setenv("CF_API_TOKEN", c.token)
	r := newRegistry(t, newExternalDNS(t), "cluster-1", func(cfg *externaldns.Config) { cfg.ManagedDNSRecordTypes = []string{"A"} })
	shop := endpoint.NewEndpoint("shop.example.com", "A", "192.0.2.80")
	shop.Labels[endpoint.ResourceLabelKey] = "service/default/shop"
	must(t, "ApplyChanges()", r.ApplyChanges(t.Context(), &plan.Changes{Create: []*endpoint.Endpoint{shop}}))
	for _, l := range c.sim.Records(c.zone.ID) {
		if l.Type != "TXT" {
			continue
		}
		m, ok := ownership.Parse(l.Name, dnsrecord.TXTText(l.Content))
		if want := (ownership.Mark{Name: "a-shop.example.com", Owner: "cluster-1", Resource: "service/default/shop"}); !ok || m != want {
			t.Errorf("%s %q is read as %+v, want %+v", l.Name, l.Content, m, want)
		}
		return
	}
	t.Error("external-dns made no mark")
}
