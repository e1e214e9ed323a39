// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
)

// TestAccountObjects checks that the full run has 2,000 objects, each with its account
// and the provider config of that account.
func TestAccountObjects(t *testing.T) {
	s := fullSize()
	all := accountObjects(s.accounts, s.perKind)
	if len(all) != 2000 {
		t.Errorf("there are %d objects, want 2000", len(all))
	}
	seed := accountsSeed(s.accounts)
	if len(seed.Accounts) != s.accounts || len(seed.Tokens) != s.accounts {
		t.Fatalf("the seed has %d accounts and %d tokens", len(seed.Accounts), len(seed.Tokens))
	}
	perConfig := map[string]int{}
	for _, o := range all {
		mg, ok := o.(resource.ModernManaged)
		if !ok {
			t.Fatalf("%T is no managed resource", o)
		}
		perConfig[mg.GetProviderConfigReference().Name]++
	}
	for i, a := range seed.Accounts {
		if got := perConfig[a.Name]; got != len(kindsMeasured())*s.perKind || a.ID != accountID(i) {
			t.Errorf("account %s (%s) has %d objects", a.Name, a.ID, got)
		}
		if got := seed.Tokens[i].Grants[0].Account; got != a.ID {
			t.Errorf("the token of %s is of account %s", a.Name, got)
		}
	}
}

func TestControllersOf(t *testing.T) {
	tests := []struct {
		reason, controller string
		want               bool
	}{
		{"a described kind", "managed/kvnamespace.workers.cloudflare.m.crossplane.io", true},
		{"a kind made by hand", "managed/record.dns.cloudflare.m.crossplane.io", true},
		{"a provider config is no managed resource", "providerconfig/providerconfig.cloudflare.m.crossplane.io", false},
		{"a kind whose name has config in it", "managed/tunnelconfiguration.tunnel.cloudflare.m.crossplane.io", true},
		{"the pool of all kinds", wholePool, false},
	}
	for _, tc := range tests {
		s := samples{metricActive: {{labels: map[string]string{"controller": tc.controller}}}}
		if got := controllersOf(s)[tc.controller]; got != tc.want {
			t.Errorf("%s: %t, want %t", tc.reason, got, tc.want)
		}
	}
	if everything(map[string]string{"controller": wholePool}) || !everything(map[string]string{"controller": "managed/x"}) {
		t.Error("everything is all controllers but the pool that they share")
	}
}
