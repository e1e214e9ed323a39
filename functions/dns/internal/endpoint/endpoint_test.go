// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package endpoint_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/endpoint"
	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/record"
)

func domains() []endpoint.Domain {
	shared := record.Config{Kind: "ClusterProviderConfig", Name: "default"}
	return []endpoint.Domain{
		{Domain: "apps.example.com", Zone: "example.com", ProviderConfigRef: shared},
		{Domain: "eu.apps.example.com", ProviderConfigRef: record.Config{Kind: "ClusterProviderConfig", Name: "eu"}},
		{Domain: "example.org", ProviderConfigRef: shared},
	}
}

func TestMake(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		spec   endpoint.Spec
		want   record.Record
		config string
		reason string
	}{
		"IPv4": {
			spec:   endpoint.Spec{Name: "shop.apps.example.com", Target: "192.0.2.1"},
			want:   record.Record{ID: "a-in-example.com", Zone: "example.com", Type: "A", Content: "192.0.2.1"},
			config: "default",
			reason: "an IPv4 address is an A record, in the zone of the domain",
		},
		"IPv6": {
			spec:   endpoint.Spec{Name: "shop.apps.example.com", Target: "2001:DB8:0::1"},
			want:   record.Record{ID: "aaaa-in-example.com", Zone: "example.com", Type: "AAAA", Content: "2001:db8::1"},
			config: "default",
			reason: "an IPv6 address is an AAAA record, however it is written",
		},
		"Hostname": {
			spec:   endpoint.Spec{Name: "shop.apps.example.com", Target: "LB.Example.Net."},
			want:   record.Record{ID: "cname-in-example.com", Zone: "example.com", Type: "CNAME", Content: "lb.example.net."},
			config: "default",
			reason: "anything else is a CNAME",
		},
		"LongestDomain": {
			spec:   endpoint.Spec{Name: "shop.eu.apps.example.com", Target: "192.0.2.1"},
			want:   record.Record{ID: "a-in-eu.apps.example.com", Zone: "eu.apps.example.com", Type: "A", Content: "192.0.2.1"},
			config: "eu",
			reason: "a zone of its own inside another's domain holds its names; left out it is the domain",
		},
		"TheDomainItself": {
			spec:   endpoint.Spec{Name: "example.org", Target: "10.0.0.1"},
			want:   record.Record{ID: "a-in-example.org", Zone: "example.org", Type: "A", Content: "10.0.0.1"},
			config: "default",
			reason: "a domain is the namespace's with its own name, and private addresses may be published",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.want.Name, tc.want.Proxied = tc.spec.Name, new(bool)
			automatic := int64(1)
			tc.want.TTL = &automatic
			backwards := domains()
			slices.Reverse(backwards)
			for _, order := range [][]endpoint.Domain{domains(), backwards} {
				got, config, err := endpoint.Make(tc.spec, "team", order)
				if err != nil {
					t.Fatalf("%s: %v", tc.reason, err)
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
				}
				if config.Name != tc.config {
					t.Errorf("%s: got config %s, want %s", tc.reason, config.Name, tc.config)
				}
			}
		})
	}
}

func TestRefusal(t *testing.T) {
	t.Parallel()
	const name = "shop.apps.example.com"
	cases := map[string]struct {
		spec    endpoint.Spec
		domains []endpoint.Domain
		want    string
		says    string
		reason  string
	}{
		"OtherDomain": {
			spec: endpoint.Spec{Name: "www.example.com", Target: "192.0.2.1"}, domains: domains(),
			want: endpoint.ReasonNotAllowed, says: "apps.example.com, eu.apps.example.com, example.org",
			reason: "the zone is the platform's, the namespace has only a part; the message says which",
		},
		"LettersNotLabels": {
			spec: endpoint.Spec{Name: "evilapps.example.com", Target: "192.0.2.1"}, domains: domains(),
			want: endpoint.ReasonNotAllowed, says: "evilapps.example.com",
			reason: "it ends in the same letters and is another name",
		},
		"DomainBelow": {
			spec: endpoint.Spec{Name: "example.org.evil.net", Target: "192.0.2.1"}, domains: domains(),
			want: endpoint.ReasonNotAllowed, says: "evil.net",
			reason: "it begins with the domain",
		},
		"NoDomains": {
			spec: endpoint.Spec{Name: name, Target: "192.0.2.1"},
			want: endpoint.ReasonNotAllowed, says: name,
			reason: "nothing is allowed unless the platform says so",
		},
		"ZoneElsewhere": {
			spec: endpoint.Spec{Name: name, Target: "192.0.2.1"}, domains: []endpoint.Domain{{Domain: "apps.example.com", Zone: "example.org"}},
			want: endpoint.ReasonMisconfigured, says: "not in its zone",
			reason: "the Record could never be right, and the platform has to hear it",
		},
		"NoConfig": {
			spec: endpoint.Spec{Name: name, Target: "192.0.2.1"}, domains: []endpoint.Domain{{Domain: "apps.example.com"}},
			want: endpoint.ReasonMisconfigured, says: "providerConfigRef",
			reason: "a Record without one would take the cluster's default, unasked",
		},
		"EmptyDomain": {
			spec: endpoint.Spec{Name: name, Target: "192.0.2.1"}, domains: []endpoint.Domain{{}},
			want: endpoint.ReasonMisconfigured, says: "no domain",
			reason: "an empty domain must not mean every domain",
		},
		"AlmostAnAddress": {
			spec: endpoint.Spec{Name: name, Target: "192.0.2.300"}, domains: domains(),
			want: endpoint.ReasonInvalidTarget, says: "192.0.2.300",
			reason: "no host has a name whose last label is a number",
		},
		"OneLabel": {
			spec: endpoint.Spec{Name: name, Target: "lb"}, domains: domains(),
			want: endpoint.ReasonInvalidTarget, says: "full hostname",
			reason: "a name in DNS is absolute; the search domains of the cluster do not apply",
		},
		"MappedAddress": {
			spec: endpoint.Spec{Name: name, Target: "::ffff:192.0.2.1"}, domains: domains(),
			want: endpoint.ReasonInvalidTarget, says: "plain",
			reason: "no client connects to a mapped address",
		},
		"AddressWithZone": {
			spec: endpoint.Spec{Name: name, Target: "fe80::1%eth0"}, domains: domains(),
			want: endpoint.ReasonInvalidTarget, says: "plain",
			reason: "an interface of one machine means nothing in DNS",
		},
		"BadAddress": {
			spec: endpoint.Spec{Name: name, Target: "2001:db8::g.a"}, domains: domains(),
			want: endpoint.ReasonInvalidTarget, says: "neither",
			reason: "a colon is in no hostname",
		},
		"Itself": {
			spec: endpoint.Spec{Name: name, Target: name + "."}, domains: domains(),
			want: endpoint.ReasonInvalidTarget, says: "itself",
			reason: "a loop",
		},
		"PrivateProxied": {
			spec: endpoint.Spec{Name: name, Target: "100.64.0.1", Proxied: true}, domains: domains(),
			want: endpoint.ReasonInvalidTarget, says: "proxied",
			reason: "Cloudflare refuses it, and the team would have to find out from the Record",
		},
	}
	for label, tc := range cases {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			_, _, err := endpoint.Make(tc.spec, "team", tc.domains)
			var r *endpoint.Refusal
			if !errors.As(err, &r) {
				t.Fatalf("%s: got %v, want a refusal", tc.reason, err)
			}
			if r.Reason != tc.want || !strings.Contains(r.Message, tc.says) {
				t.Errorf("%s: got %s: %s; want %s with %q", tc.reason, r.Reason, r.Message, tc.want, tc.says)
			}
		})
	}
}
