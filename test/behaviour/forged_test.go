// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestNobodySaysThatAnothersZoneIsGone has a tenant forge the annotations of its own
// Zone: they say that it is about to delete the zone of another tenant. Then the
// tenant deletes that Zone.
func TestNobodySaysThatAnothersZoneIsGone(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		a, b := two(t)
		theirs := b.made("www", "A", "192.0.2.1")
		z := a.zoneObject("zone", a.zone.Name)
		a.create(z)
		settled(a, z)
		edit(a, z, func(z *zonev1alpha1.Zone) {
			z.Spec.DeletionPolicy = xpv2.DeletionDelete
			meta.SetExternalName(z, b.zone.ID)
			meta.AddAnnotations(z, map[string]string{"zone.cloudflare.m.crossplane.io/deleting-zone": b.zone.ID})
		})
		a.delete(z)
		a.Gone(z, func() string { return conditions(z) })
		for _, w := range []*world{a, b} {
			if _, there := w.simZone(w.zone.Name); !there {
				t.Errorf("the zone %s is deleted", w.zone.Name)
			}
		}

		// The credential of the other tenant is revoked.
		b.sim.RevokeToken(b.token)
		b.delete(theirs)
		refused(b, theirs, "the credential is not valid")
		b.live("A")
	})
}

// TestAForgedFinalizerIsNoClaim is TestNamingIsNoClaim with an object to which its
// user added the finalizer, for example by a copied manifest.
func TestAForgedFinalizerIsNoClaim(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		a, b := two(t)
		live := b.dashboard(map[string]any{"type": "A", "name": "www", "content": wanted, "ttl": 300})
		names := a.record("www", "A", wanted, externalName(live.ID), func(r *dnsv1alpha1.Record) {
			r.Spec.ProviderConfigReference.Name = "absent"
			meta.AddFinalizer(r, managed.FinalizerName)
		})
		a.create(names)
		refused(a, names, "cannot get the ProviderConfig absent")
		b.made("www", "A", wanted)
	})
}

// TestZoneThatMayNotBeDeletedIsThere has Cloudflare refuse to delete a zone. Then the
// credential is replaced by one that does not see the zone.
func TestZoneThatMayNotBeDeletedIsThere(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		z := w.zoneObject("zone", w.zone.Name)
		z.Spec.DeletionPolicy = xpv2.DeletionDelete
		w.create(z)
		settled(w, z)
		w.rotate(w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: w.account.ID, Permission: simulator.ZoneRead}}}))
		w.delete(z)
		refused(w, z, "cannot delete the zone")
		other := newWorld(t)
		w.rotate(w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Zone: other.zone.ID, Permission: simulator.ZoneRead}}}))
		refused(w, z, "cannot read zone")
	})
}

// TestRenamingIsReported changes the external name of an object to that of another
// record. The adoption policy of the object allows it to adopt that record.
func TestRenamingIsReported(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", wanted, adoption(dnsv1alpha1.AdoptNameAndType))
		other := w.dashboard(map[string]any{"type": "A", "name": "www", "content": otherwise, "ttl": 300})
		old := meta.GetExternalName(r)
		edit(w, r, func(r *dnsv1alpha1.Record) { meta.SetExternalName(r, other.ID) })
		w.event(r, "AdoptedExternalResource", "Adopted DNS record "+other.ID)
		w.event(r, "AdoptedExternalResource", "record "+old+" is left alone")
		if _, ok := w.sim.Record(w.zone.ID, old); !ok {
			t.Error("the record that the object had is gone")
		}
	})
}

// TestObservingIsNoAdoption has an object that observed a record begin to manage. Its
// adoption policy decides what it may do with the record.
func TestObservingIsNoAdoption(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		policy dnsv1alpha1.AdoptionPolicy
		wants  string // the content that it declares once it manages
		says   string // "" if it may adopt the record
	}{
		"Never":           {"never is never", dnsv1alpha1.AdoptNever, otherwise, "adoptionPolicy is Never"},
		"NeverAndOther":   {"and the more so where it differs", dnsv1alpha1.AdoptNever, wanted, "adoptionPolicy is Never"},
		"IdenticalButNot": {"what it declares is not there", dnsv1alpha1.AdoptIdentical, wanted, "which is not as declared"},
		"Identical":       {"as it would adopt without having observed", dnsv1alpha1.AdoptIdentical, otherwise, ""},
		"NameAndType":     {"it may change what it takes over", dnsv1alpha1.AdoptNameAndType, wanted, ""},
	} {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				foreign := w.dashboard(map[string]any{"type": "A", "name": "www", "content": otherwise, "ttl": 300})
				r := w.record("www", "A", otherwise, policies(xpv2.ManagementActionObserve), adoption(tc.policy))
				r.Spec.ForProvider.Content = nil
				w.create(r)
				settled(w, r)
				if es := w.eventsOf(r); len(es) > 0 {
					t.Errorf("%s: while it observes there are events: %v", tc.reason, es[0].Message)
				}
				edit(w, r, func(r *dnsv1alpha1.Record) {
					r.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
					r.Spec.ForProvider.Content = ptr.To(tc.wants)
				})
				want := tc.wants
				if tc.says != "" {
					refused(w, r, foreign.ID, tc.says)
					want = otherwise
				} else {
					settled(w, r)
					w.event(r, "AdoptedExternalResource", "it was only observed before")
				}
				if got, _ := w.sim.Record(w.zone.ID, foreign.ID); got.Content != want {
					t.Errorf("%s: the record's content is %q, want %q", tc.reason, got.Content, want)
				}
			})
		})
	}
}

// TestNeverDoesNotTakeWhatAppearedMeanwhile has another client create a record after
// the zone was listed. An object that may not adopt declares the same record.
func TestNeverDoesNotTakeWhatAppearedMeanwhile(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		w.made("other", "A", "192.0.2.9")
		w.sweeps(1)
		foreign := w.dashboard(map[string]any{"type": "A", "name": "www", "content": wanted, "ttl": 300})
		r := w.record("www", "A", wanted, adoption(dnsv1alpha1.AdoptNever))
		w.create(r)
		refused(w, r, foreign.ID, "adoptionPolicy is Never")
		w.delete(r)
		w.gone(r)
		if got, ok := w.sim.Record(w.zone.ID, foreign.ID); !ok || got.TTL != foreign.TTL || got.Content != foreign.Content {
			t.Errorf("the foreign record became %+v (%t)", got, ok)
		}
	})
}

// TestDriftOfAYoungRecordThatListsLack changes a record outside the provider while
// lists do not show it yet. The provider must not take it for gone and create it
// again.
func TestDriftOfAYoungRecordThatListsLack(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		w.made("warm", "A", "192.0.2.7")
		live := w.dashboard(map[string]any{"type": "A", "name": "www", "content": wanted, "ttl": 300})
		// It is less than a list may lag, and less than the settle time of these
		// tests.
		w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleList, Zone: w.zone.ID, Times: -1, Delay: settle * 2 / 3})
		r := w.made("www", "A", wanted, externalName(live.ID))
		w.dashboardEdit(live.ID, map[string]any{"content": "192.0.2.99"})
		until(w, r, func(*dnsv1alpha1.Record) error {
			if got, _ := w.sim.Record(w.zone.ID, live.ID); got.Content != wanted {
				return fmt.Errorf("the record is %q", got.Content)
			}
			return nil
		})
		settled(w, r)
		w.holds("the drift", []string{"A warm." + w.zone.Name + " 192.0.2.7", "A www." + w.zone.Name + " " + wanted})
	})
}

// TestOpenAttemptThatAnotherObjectTook has an object create a record without an
// answer, and another object adopt that record. Then the first object declares another
// record.
func TestOpenAttemptThatAnotherObjectTook(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		w.sim.AddFault(simulator.Fault{Kind: simulator.Fault500AfterCommit, Method: "POST", Zone: w.zone.ID})
		w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleList, Zone: w.zone.ID, Times: -1, Delay: settle / 2})
		r := w.record("www", "A", wanted)
		w.create(r)
		until(w, r, func(r *dnsv1alpha1.Record) error {
			if meta.GetExternalCreateFailed(r).IsZero() || len(w.sim.Records(w.zone.ID)) != 1 {
				return fmt.Errorf("the creation has not failed yet")
			}
			return nil
		})
		edit(w, r, func(r *dnsv1alpha1.Record) {
			r.Spec.ForProvider.Content = ptr.To(otherwise)
			meta.AddAnnotations(r, map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
		})
		w.made("www", "A", wanted)
		edit(w, r, func(r *dnsv1alpha1.Record) { meta.RemoveAnnotations(r, meta.AnnotationKeyReconciliationPaused) })
		settled(w, r)
		w.holds("both", []string{"A www." + w.zone.Name + " " + wanted, "A www." + w.zone.Name + " " + otherwise})
	})
}
