// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns"
	"sigs.k8s.io/external-dns/plan"
	"sigs.k8s.io/external-dns/provider"
	"sigs.k8s.io/external-dns/provider/cloudflare"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestExternalDNS applies changes as the loop of external-dns does. It takes some seconds,
// because its SDK is limited to four requests a second.
func TestExternalDNS(t *testing.T) {
	c := newCloud(t, simulator.PlanFree)
	c.becomeDefault(t)
	t.Setenv("CF_API_TOKEN", c.token)
	ctx := t.Context()
	dns := newExternalDNS(t)

	web := endpoint.NewEndpointWithTTL("www.example.com", endpoint.RecordTypeA, 300, "192.0.2.1", "192.0.2.2")
	alias := endpoint.NewEndpoint("proxied.example.com", endpoint.RecordTypeCNAME, "www.example.com").
		WithProviderSpecific("external-dns.alpha.kubernetes.io/cloudflare-proxied", "true")
	must(t, "ApplyChanges()", dns.ApplyChanges(ctx, &plan.Changes{Create: []*endpoint.Endpoint{web, alias}}))
	c.wantRecords(t, "after they were created",
		"A www.example.com 192.0.2.1", "A www.example.com 192.0.2.2", "CNAME proxied.example.com www.example.com")
	wantEndpoints(t, dns, "www.example.com 300 IN A  192.0.2.1;192.0.2.2", "proxied.example.com 1 IN CNAME  www.example.com")

	// One address stays with another ttl, one is removed, and one is added.
	moved := endpoint.NewEndpointWithTTL("www.example.com", endpoint.RecordTypeA, 600, "192.0.2.2", "192.0.2.3")
	must(t, "ApplyChanges()", dns.ApplyChanges(ctx, &plan.Changes{UpdateOld: []*endpoint.Endpoint{web}, UpdateNew: []*endpoint.Endpoint{moved}}))
	c.wantRecords(t, "after they were changed",
		"A www.example.com 192.0.2.2", "A www.example.com 192.0.2.3", "CNAME proxied.example.com www.example.com")
	for _, r := range c.sim.Records(c.zone.ID) {
		if r.Type == "A" && r.TTL != 600 {
			t.Errorf("the ttl of %s is changed to 600, got %v", r.Content, r.TTL)
		}
	}

	must(t, "ApplyChanges()", dns.ApplyChanges(ctx, &plan.Changes{Delete: []*endpoint.Endpoint{moved, alias}}))
	c.wantRecords(t, "after they were deleted")
}

// newExternalDNS returns external-dns' provider for Cloudflare, for the zone of the tests.
func newExternalDNS(t *testing.T) provider.Provider {
	t.Helper()
	cfg := externaldns.NewConfig()
	cfg.CloudflareDNSRecordsPerPage = 5000
	dns, err := cloudflare.New(t.Context(), cfg, endpoint.NewDomainFilter([]string{zoneName}))
	must(t, "cloudflare.New()", err)
	return dns
}

func wantEndpoints(t *testing.T, dns provider.Provider, want ...string) {
	t.Helper()
	endpoints, err := dns.Records(t.Context())
	must(t, "Records()", err)
	var got []string
	for _, e := range endpoints {
		slices.Sort(e.Targets)
		got = append(got, fmt.Sprintf("%s %d IN %s %s %s", e.DNSName, e.RecordTTL, e.RecordType, e.SetIdentifier, e.Targets))
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Records(): -want, +got:\n%s", diff)
	}
}
