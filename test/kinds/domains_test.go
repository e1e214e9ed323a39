// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"path"
	"strings"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/r2"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestDegradedDomainIsNoDrift shows that the provider writes nothing while Cloudflare omits
// fields of a domain, and that the domain stays Ready.
func TestDegradedDomainIsNoDrift(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, r2.R2CustomDomain())
		mg := w.apply()
		from := w.writes()
		var traps []int
		for _, field := range []string{"status.ssl", "status.ownership"} {
			traps = append(traps, w.trap(simulator.Trap{Kind: simulator.TrapDegradedRead, Field: field, Without: []string{"minTLS", "ciphers", "zoneName"}}))
		}
		w.lists(4)
		if err := w.Get(mg); err != nil {
			t.Fatal(err)
		}
		for _, c := range []xpv2.ConditionType{xpv2.TypeReady, xpv2.TypeSynced} {
			if got := mg.GetCondition(c); got.Status != corev1.ConditionTrue {
				t.Errorf("of an answer that does not say all comes %s", harness.Conditions(mg))
			}
		}
		for _, id := range traps {
			w.sim.RemoveTrap(id)
		}
		w.lists(2)
		w.Settled(mg)
		if n := w.writes() - from; n > 0 {
			t.Errorf("%d calls changed something", n)
		}
	})
}

// TestDomainOfAGoneBucket shows that the domains of a deleted bucket are gone with it.
func TestDomainOfAGoneBucket(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, r2.R2CustomDomain())
		mg := w.apply()
		if err := w.sim.DeleteResource(path.Dir(strings.TrimSuffix(w.collection(), "/custom"))); err != nil {
			t.Fatal(err)
		}
		w.Delete(mg)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
	})
}
