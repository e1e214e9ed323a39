// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestRefusedCreationBacksOff shows that a refused creation is not repeated at
// once: repeated refusals would lock the user out.
func TestRefusedCreationBacksOff(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		w.made("www", "A", "192.0.2.1")
		r := w.record("www", "CNAME", "target.example.net")
		w.create(r)
		refused(w, r, "81053")
		w.sweeps(3)
		posts := 0
		for _, q := range w.sim.RequestsAbout(w.zone.ID) {
			if q.Method == http.MethodPost && q.Code == 81053 {
				posts++
			}
		}
		if posts > 5 {
			t.Errorf("a refused creation was sent %d times within three sweeps", posts)
		}
	})
}

// TestRelativeNameWithoutZoneRead declares a relative name that contains a dot.
// The token may not read the name of the zone, so it does not show that the name
// is relative.
func TestRelativeNameWithoutZoneRead(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, withPermissions(simulator.DNSWrite))
		w.made("a.b", "A", "192.0.2.1")
		if got := w.live("A").Name; got != "a.b."+w.zone.Name {
			t.Errorf("the live name is %s", got)
		}
		w.sweeps(2)
		if n := w.writes(); n != 1 {
			t.Errorf("it took %d writes, want 1", n)
		}
	})
}

// TestInvalidEditIsPending shows that a record that does not match the edited spec
// does not count as up to date.
func TestInvalidEditIsPending(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("300.1.1.1") })
		refused(w, r, "300.1.1.1")
		if c := r.GetCondition(xpv2.TypeUpToDate); c.Status != corev1.ConditionFalse || c.Reason != "UpdatePending" {
			t.Errorf("UpToDate is %s/%s %q, want False/UpdatePending", c.Status, c.Reason, c.Message)
		}
		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
		settled(w, r)
	})
}

// TestVanishedRecordThatCannotComeBack shows drift in the condition as long as it
// lasts, and in one event.
func TestVanishedRecordThatCannotComeBack(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		id := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultHTML502, Method: http.MethodPost, Zone: w.zone.ID, Times: -1})
		if err := w.sim.DeleteRecord(w.zone.ID, w.live("A").ID); err != nil {
			t.Fatal(err)
		}
		refused(w, r, "502")
		if c := r.GetCondition(xpv2.TypeUpToDate); c.Status != corev1.ConditionFalse || c.Reason != "DriftDetected" {
			t.Errorf("UpToDate is %s/%s, want False/DriftDetected", c.Status, c.Reason)
		}
		w.sim.RemoveFault(id)
		w.event(r, "DriftReverted", "is back as")
		settled(w, r)
		reported := 0
		for _, line := range w.logs.all() {
			if strings.Contains(line, `"msg"="DriftDetected"`) && strings.Contains(line, string(r.GetUID())) {
				reported++
			}
		}
		if reported != 1 {
			t.Errorf("the drift was reported %d times, want once", reported)
		}
	})
}

// TestZoneGoesFirst deletes a Zone with its Records. If the API confirmed that the
// zone is gone, its records are gone, too.
func TestZoneGoesFirst(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		z := w.zoneObject("zone", w.zone.Name)
		z.Spec.DeletionPolicy = xpv2.DeletionDelete
		w.create(z)
		settled(w, z)
		r := w.made("www", "A", "192.0.2.1")
		w.delete(z)
		w.gone(z)
		w.delete(r)
		w.gone(r)
	})
}

// TestZoneThatCannotBeSeenProvesNothing keeps an object whose zone the API does
// not show any more, until its user releases it.
func TestZoneThatCannotBeSeenProvesNothing(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		if err := w.sim.DeleteZone(w.zone.ID); err != nil {
			t.Fatal(err)
		}
		w.delete(r)
		refused(w, r, "Orphan")
		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.DeletionPolicy = xpv2.DeletionOrphan })
		w.gone(r)
	})
}

// TestZoneNeverAdoptsAfterARefusal shows that a creation that was refused before
// its call does not entitle an object to a zone.
func TestZoneNeverAdoptsAfterARefusal(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		pc := w.providerConfig("anonymous", "cloudflare", "token")
		pc.Spec.AccountID = nil
		w.create(pc)
		name := "never-" + w.ns + ".example"
		z := w.zoneObject("zone", name)
		z.Spec.AdoptionPolicy = zonev1alpha1.AdoptNever
		z.Spec.ProviderConfigReference.Name = "anonymous"
		w.create(z)
		refused(w, z, "accountId")
		theirs, err := w.sim.AddZone(w.account.ID, name, simulator.ZoneOptions{})
		if err != nil {
			t.Fatal(err)
		}
		refused(w, z, theirs.ID, "adoptionPolicy")
		until(w, z, func(z *zonev1alpha1.Zone) error {
			if z.Annotations["crossplane.io/external-name"] != "" {
				return fmt.Errorf("the zone was adopted")
			}
			return nil
		})
	})
}
