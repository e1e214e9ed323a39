// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"net/http"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/dns"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func dnssecWorld(t *testing.T) (*world, *dnsv1alpha1.DNSSEC) {
	t.Helper()
	w := newWorld(t, dns.DNSSEC())
	mg, ok := w.example.(*dnsv1alpha1.DNSSEC)
	if !ok {
		t.Fatalf("the example is %T", w.example)
	}
	return w, mg
}

// TestDSRecord shows that the status and the connection secret have the record that the
// parent zone needs. They have it before the zone is signed.
func TestDSRecord(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := dnssecWorld(t)
		w.prepare()
		if err := w.sim.SetZoneStatus(w.zone.ID, simulator.ZonePending); err != nil { // DNSSEC waits for the delegation.
			t.Fatal(err)
		}
		w.Create(mg)
		w.Says(mg, xpv2.TypeReady, "waits for a person: put the DS record")
		s := w.secret(mg.GetConnectionSecretName())
		at := mg.Status.AtProvider
		want := fmt.Sprintf("%s. 3600 IN DS %s %s %s %s", w.zone.Name, s.Data["keyTag"], s.Data["algorithm"], s.Data["digestType"], s.Data["digest"])
		if got := string(s.Data["ds"]); got != want || got != ptr.Deref(at.Ds, "") {
			t.Errorf("the DS record is %q, want %q, and in the status %q", got, want, ptr.Deref(at.Ds, ""))
		}
		if got := ptr.Deref(at.KeyTag, cfv1alpha1.Decimal{}).String(); got != string(s.Data["keyTag"]) {
			t.Errorf("the key tag is %s, and in the status %s", s.Data["keyTag"], got)
		}
		if err := w.sim.SetZoneStatus(w.zone.ID, simulator.ZoneActive); err != nil {
			t.Fatal(err)
		}
		w.Settled(mg)
		harness.Edit(w.Objects, mg, func(mg *dnsv1alpha1.DNSSEC) { mg.Spec.ForProvider.Status = ptr.To("disabled") })
		w.Eventually(func() error {
			if v := w.secret(mg.GetConnectionSecretName()).Data["ds"]; len(v) > 0 {
				return fmt.Errorf("the connection secret still has the DS record %s", v)
			}
			return nil
		})
	})
}

// TestFlagsOfDNSSEC shows that undeclared fields keep the values that another client sets.
// The deletion of the object leaves the zone signed.
func TestFlagsOfDNSSEC(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := dnssecWorld(t)
		w.apply()
		if _, err := w.call(http.MethodPatch, w.item(""), map[string]any{"dnssec_use_nsec3": true, "status": "disabled"}); err != nil {
			t.Fatal(err)
		}
		w.Eventually(func() error { return w.event(mg, "DriftDetected", "status") })
		w.Eventually(func() error {
			if now := w.answer(""); now["dnssec_use_nsec3"] != true || now["status"] != "active" {
				return fmt.Errorf("DNSSEC is %v, want it active with NSEC3", now)
			}
			return nil
		})
		w.Settled(mg)
		w.Delete(mg)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
		if now := w.answer(""); now["status"] != "active" {
			t.Errorf("after the deletion of the object DNSSEC is %v", now["status"])
		}
	})
}
