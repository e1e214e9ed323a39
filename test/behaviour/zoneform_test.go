// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// A namedZone is a zone with a Zone object, which labels select.
type namedZone struct {
	simulator.Zone

	object string
}

// zoneNamed creates the object of a zone.
func (w *world) zoneNamed(object string, zone simulator.Zone) namedZone {
	w.t.Helper()
	z := w.zoneObject(object, zone.Name)
	z.Labels = map[string]string{"zone": object}
	w.create(z)
	settled(w, z)
	return namedZone{zone, object}
}

// A zoneForm names a zone in one way. If the spec has another form before, it changes the
// spec as kubectl apply does: fields that the provider has set stay, if they may.
type zoneForm func(z namedZone, p *dnsv1alpha1.RecordParameters)

func zoneForms() map[string]zoneForm {
	return map[string]zoneForm{
		"ByID": func(z namedZone, p *dnsv1alpha1.RecordParameters) {
			p.ZoneID, p.ZoneName, p.ZoneIDRef, p.ZoneIDSelector = ptr.To(z.ID), nil, nil, nil
		},
		"ByName": func(z namedZone, p *dnsv1alpha1.RecordParameters) {
			if p.ZoneIDRef == nil {
				p.ZoneID = nil
			}
			p.ZoneName, p.ZoneIDRef, p.ZoneIDSelector = ptr.To(z.Name), nil, nil
		},
		"ByReference": func(z namedZone, p *dnsv1alpha1.RecordParameters) {
			p.ZoneID, p.ZoneName, p.ZoneIDRef, p.ZoneIDSelector = nil, nil, &xpv2.NamespacedReference{Name: z.object}, nil
		},
		"BySelector": func(z namedZone, p *dnsv1alpha1.RecordParameters) {
			p.ZoneID, p.ZoneName, p.ZoneIDRef = nil, nil, nil
			p.ZoneIDSelector = &xpv2.NamespacedSelector{MatchLabels: map[string]string{"zone": z.object}}
		},
	}
}

// TestRecordNamesItsZoneInAnotherWay changes how a Record names its zone, from each form
// to each other form.
func TestRecordNamesItsZoneInAnotherWay(t *testing.T) {
	t.Parallel()
	for from, before := range zoneForms() {
		for to, after := range zoneForms() {
			if from == to {
				continue
			}
			t.Run(from+to, func(t *testing.T) {
				inParallel(t, func(t *testing.T) {
					w := newWorld(t)
					z := w.zoneNamed("zone", w.zone)
					r := w.made("www", "A", "192.0.2.1", parameters(func(p *dnsv1alpha1.RecordParameters) { before(z, p) }))
					id, writes := meta.GetExternalName(r), w.writes()
					edit(w, r, func(r *dnsv1alpha1.Record) { after(z, &r.Spec.ForProvider) })
					settled(w, r)
					if got := meta.GetExternalName(r); got != id || r.Status.AtProvider.ZoneID != w.zone.ID {
						t.Errorf("it has record %s in zone %s now, and had %s", got, r.Status.AtProvider.ZoneID, id)
					}
					if n := w.writes() - writes; n > 0 {
						t.Errorf("there were %d writes to the zone", n)
					}
					w.delete(r)
					w.gone(r)
					w.noRecords()
				})
			})
		}
	}
}

// TestRecordNamesAnotherZone has a Record name another zone than its own, in another form.
// This is refused, nothing is created in the other zone, and the edit can be reverted.
func TestRecordNamesAnotherZone(t *testing.T) {
	t.Parallel()
	for from, before := range zoneForms() {
		for to, after := range zoneForms() {
			if from == to {
				continue
			}
			t.Run(from+to, func(t *testing.T) {
				inParallel(t, func(t *testing.T) {
					w := newWorld(t)
					other, err := w.sim.AddZone(w.account.ID, "other-"+w.ns+".example", simulator.ZoneOptions{})
					if err != nil {
						t.Fatal(err)
					}
					z, away := w.zoneNamed("zone", w.zone), w.zoneNamed("away", other)
					r := w.made("www", "A", "192.0.2.1", parameters(func(p *dnsv1alpha1.RecordParameters) { before(z, p) }))
					id := meta.GetExternalName(r)
					if to == "ByID" && from != "ByName" {
						if err := w.tries(r, func(r *dnsv1alpha1.Record) { after(away, &r.Spec.ForProvider) }); err == nil {
							t.Error("the API server takes another zoneId")
						}
					} else {
						edit(w, r, func(r *dnsv1alpha1.Record) { after(away, &r.Spec.ForProvider) })
						refused(w, r, w.zone.ID, other.ID, "it cannot move. Set that back", "set spec.deletionPolicy to Orphan first")
						edit(w, r, func(r *dnsv1alpha1.Record) { before(z, &r.Spec.ForProvider) })
					}
					settled(w, r)
					if got := meta.GetExternalName(r); got != id {
						t.Errorf("it has record %s now, and had %s", got, id)
					}
					if n := len(w.sim.Records(other.ID)); n > 0 {
						t.Errorf("there are %d records in the other zone", n)
					}
				})
			})
		}
	}
}

// TestRecordNamesTwoZones creates a Record with a zoneName and the zoneId of another zone.
func TestRecordNamesTwoZones(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		other, err := w.sim.AddZone(w.account.ID, "other-"+w.ns+".example", simulator.ZoneOptions{})
		if err != nil {
			t.Fatal(err)
		}
		r := w.record("www", "A", "192.0.2.1", parameters(func(p *dnsv1alpha1.RecordParameters) { p.ZoneName = ptr.To(other.Name) }))
		w.create(r)
		refused(w, r, "spec.forProvider.zoneName is that of zone "+other.ID, "spec.forProvider.zoneId is "+w.zone.ID, "leave one of the two out")
		w.noRecords()
		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.ZoneName = nil })
		settled(w, r)
		if got := r.Status.AtProvider.ZoneID; got != w.zone.ID || len(w.sim.Records(other.ID)) > 0 {
			t.Errorf("the record is in zone %s", got)
		}
	})
}

// tries requests a change from the API server, and returns its error.
func (w *world) tries(r *dnsv1alpha1.Record, change func(*dnsv1alpha1.Record)) error {
	w.t.Helper()
	if err := w.get(r); err != nil {
		w.t.Fatal(err)
	}
	now := r.DeepCopy()
	change(now)
	return w.kube.Update(w.t.Context(), now)
}
