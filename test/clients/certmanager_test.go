// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"strings"
	"testing"

	certmanager "github.com/cert-manager/cert-manager/pkg/issuer/acme/dns/cloudflare"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestCertManager solves a challenge as cert-manager does. cert-manager finds the zone and the
// record through the API: it requests one zone name after the other, and the record by name and
// type.
func TestCertManager(t *testing.T) {
	c := newCloud(t, simulator.PlanFree)
	c.becomeDefault(t)
	ctx := t.Context()
	const fqdn, value = "_acme-challenge.deep.www.example.com.", "LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM"

	solver, err := certmanager.NewDNSProviderCredentials("", "", c.token, nil, "cert-manager-test")
	must(t, "NewDNSProviderCredentials()", err)
	for range 2 { // cert-manager repeats it until the challenge is solved
		must(t, "Present()", solver.Present(ctx, "deep.www.example.com", fqdn, value))
		c.wantRecords(t, "while the challenge stands", "TXT _acme-challenge.deep.www.example.com "+value)
	}
	for range 2 {
		must(t, "CleanUp()", solver.CleanUp(ctx, "deep.www.example.com", fqdn, value))
		c.wantRecords(t, "after the clean-up")
	}

	err = solver.Present(ctx, "example.org", "_acme-challenge.example.org.", value)
	if err == nil || !strings.Contains(err.Error(), "Found no Zones") {
		t.Errorf("want a name in no zone of ours reported as such, got %v", err)
	}
}
