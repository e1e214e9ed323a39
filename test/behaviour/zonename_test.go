// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"errors"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// keepsName expects the live record of a Record to have that name, after one more
// edit.
func (w *world) keepsName(r *dnsv1alpha1.Record, name string) {
	w.t.Helper()
	edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.TTL = ptr.To[int64](300) })
	settled(w, r)
	if got := r.Status.AtProvider.FQDN; got != name {
		w.t.Errorf("the record is %s, want %s", got, name)
	}
}

// TestObserverDoesNotNameTheZone has an observer declare a name that makes the name
// of the zone look longer than it is. The credential cannot read the name of the
// zone, and another object uses it.
func TestObserverDoesNotNameTheZone(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, withPermissions(simulator.DNSWrite))
		victim := w.made("www."+w.zone.Name, "A", "192.0.2.1")
		theirs := w.dashboard(map[string]any{"name": "a.b.dev." + w.zone.Name, "type": "A", "content": "192.0.2.9", "ttl": 1})
		w.sweeps(2)
		observer := w.record("a.b", "A", "192.0.2.9", policies(xpv2.ManagementActionObserve), externalName(theirs.ID))
		w.create(observer)
		refused(w, observer, `name: "a.b" may be relative to the zone`, "trailing dot", "Zone: Read")
		until(w, observer, func(r *dnsv1alpha1.Record) error {
			if got := r.Status.AtProvider.FQDN; got != theirs.Name {
				return errors.New("the record that it names by ID is not shown: " + conditions(r))
			}
			return nil
		})
		w.keepsName(victim, "www."+w.zone.Name)
		w.keepsName(w.made("api."+w.zone.Name, "A", "192.0.2.2"), "api."+w.zone.Name)
	})
}

// TestRenameDoesNotNameTheZone renames a record to a name that makes the name of the
// zone look longer than it is.
func TestRenameDoesNotNameTheZone(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, withPermissions(simulator.DNSWrite))
		victim := w.made("www."+w.zone.Name, "A", "192.0.2.1")
		r := w.made("a.b.dev."+w.zone.Name, "A", "192.0.2.9")
		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Name = ptr.To("a.b") })
		refused(w, r, `name: "a.b" may be relative to the zone`)
		w.keepsName(victim, "www."+w.zone.Name)
		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Name = ptr.To("a.b." + w.zone.Name + ".") })
		settled(w, r)
		w.keepsName(r, "a.b."+w.zone.Name)
	})
}

// TestNameOutsideOfAZoneWithoutAName declares a name with a trailing dot that is not
// in the zone. If the zone has no records, only the API can detect this.
func TestNameOutsideOfAZoneWithoutAName(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, withPermissions(simulator.DNSWrite))
		r := w.record("www.other.com.", "A", "192.0.2.1")
		w.create(r)
		refused(w, r, `name: "www.other.com." is outside the zone `+w.zone.Name)
		second := w.record("api.other.com.", "A", "192.0.2.2")
		w.create(second)
		refused(w, second, `is outside the zone`)
		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Name = ptr.To("www." + w.zone.Name + ".") })
		settled(w, r)
		if got := w.live("A").Name; got != "www."+w.zone.Name {
			t.Errorf("the only record is %s", got)
		}
	})
}
