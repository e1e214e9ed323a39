// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestOddRecordConcernsItsObjectAlone has each list contain a record that cannot be parsed. Other
// records of the zone are created, changed and checked for drift nevertheless.
func TestOddRecordConcernsItsObjectAlone(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		before := w.made("before", "A", "192.0.2.1")
		w.sim.AddFault(simulator.Fault{Kind: simulator.FaultOddRecord, Zone: w.zone.ID, Times: -1})
		w.sweeps(2)
		owner := w.record("odd", "A", "203.0.113.9", externalName(simulator.OddRecordID))
		w.create(owner)
		refused(w, owner, "the Cloudflare API has DNS record "+simulator.OddRecordID+" in a form that cannot be read")
		overwriting := w.record("odd", "A", "192.0.2.3", adoption(dnsv1alpha1.AdoptNameAndType))
		w.create(overwriting)
		refused(w, overwriting, "cannot tell whether there is a DNS record odd."+w.zone.Name+" A", simulator.OddRecordID)

		w.made("new", "A", "192.0.2.2")
		edit(w, before, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.9") })
		settled(w, before)
		// This is drift with events, or a part of the last edit that is still pending. It depends on
		// whether the provider has seen the status of the last edit. Either way it is reverted.
		w.dashboardEdit(before.Status.AtProvider.ID, map[string]any{"content": "192.0.2.66"})
		w.eventually(func() error {
			if l, _ := w.sim.Record(w.zone.ID, before.Status.AtProvider.ID); l.Content != "192.0.2.9" {
				return fmt.Errorf("the drift is not undone: %s", l.Content)
			}
			return nil
		})
		settled(w, before)
		if c := before.GetCondition(xpv2.TypeSynced); c.Status != corev1.ConditionTrue {
			t.Errorf("a record that is in order: %s", conditions(before))
		}
		w.delete(before)
		w.gone(before)
	})
}
