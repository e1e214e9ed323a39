// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect/limits"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// remakeZone deletes the zone outside the provider, and creates another one with its name. It returns the ID of the
// first.
func (s *stage) remakeZone() string {
	s.t.Helper()
	old := s.zone
	must(s.t, s.sim.DeleteZone(old))
	made, err := s.sim.AddZone(s.session.AccountID, "example.com", simulator.ZoneOptions{})
	must(s.t, err)
	s.zone = made.ID
	return old
}

// names makes the Record name its zone in one way alone.
func (s *stage) names(change func(p *v1alpha1.RecordParameters)) {
	s.t.Helper()
	s.read()
	p := &s.now.Spec.ForProvider
	p.ZoneID, p.ZoneIDRef, p.ZoneName = nil, nil, nil
	change(p)
	must(s.t, s.server.Update(s.t.Context(), s.now))
}

func byName(p *v1alpha1.RecordParameters) { p.ZoneName = ptr.To("example.com") }

func (s *stage) byID(p *v1alpha1.RecordParameters) { p.ZoneID = ptr.To(s.zone) }

func byRef(p *v1alpha1.RecordParameters) { p.ZoneIDRef = &xpv2.NamespacedReference{Name: "zone"} }

func byRefAlways(p *v1alpha1.RecordParameters) {
	p.ZoneIDRef = &xpv2.NamespacedReference{Name: "zone", Policy: &xpv2.Policy{Resolve: ptr.To(xpv2.ResolvePolicyAlways)}}
}

// setZone makes the Zone that references name be the zone of the stage.
func (s *stage) setZone() {
	s.t.Helper()
	z := &zonev1alpha1.Zone{}
	z.SetNamespace(s.fresh.GetNamespace())
	z.SetName("zone")
	if err := s.server.Get(s.t.Context(), client.ObjectKeyFromObject(z), z); err != nil {
		must(s.t, s.server.Create(s.t.Context(), z))
	}
	meta.SetExternalName(z, s.zone)
	must(s.t, s.server.Update(s.t.Context(), z))
}

// wait reconciles the Record several times, with time in between.
func (s *stage) wait() {
	s.t.Helper()
	for range 8 {
		s.reconcile()
		<-time.After(10 * time.Minute)
	}
	s.read()
}

// TestFollowsItsZone: the zone is deleted outside and created again with its name. The Record is healthy in the new
// zone, regardless of how it names it.
func TestFollowsItsZone(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		names   func(s *stage) func(p *v1alpha1.RecordParameters)
		after   func(s *stage)
		restart bool
		limited bool
	}{
		"ByName":             {names: func(*stage) func(p *v1alpha1.RecordParameters) { return byName }},
		"ByNameAfterRestart": {names: func(*stage) func(p *v1alpha1.RecordParameters) { return byName }, restart: true},
		"ByRef":              {names: func(*stage) func(p *v1alpha1.RecordParameters) { return byRef }},
		"ByRefAfterRestart":  {names: func(*stage) func(p *v1alpha1.RecordParameters) { return byRef }, restart: true},
		"ByNameLimited":      {names: func(*stage) func(p *v1alpha1.RecordParameters) { return byName }, limited: true},
		"ByRefLimited":       {names: func(*stage) func(p *v1alpha1.RecordParameters) { return byRef }, limited: true},
		"ByRefAlways":        {names: func(*stage) func(p *v1alpha1.RecordParameters) { return byRefAlways }},
		"ByRefCleared": {
			names: func(*stage) func(p *v1alpha1.RecordParameters) { return byRef },
			after: func(s *stage) { s.names(byRef) },
		},
		"ByID": {
			names: func(s *stage) func(p *v1alpha1.RecordParameters) { return s.byID },
			after: func(s *stage) { s.names(s.byID) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t)
				s.setZone()
				s.names(row.names(s))
				s.settle()
				<-time.After(2 * time.Hour)
				old := s.remakeZone()
				s.setZone()
				if row.restart {
					s.restart()
				}
				if row.limited {
					s.limit(limits.Limits{Zones: []string{"example.com"}, Accounts: []string{s.session.AccountID}})
				}
				if row.after != nil {
					row.after(s)
				}
				s.wait()
				s.isWell()
				if got := s.now.Spec.ForProvider.ZoneID; got != nil && *got == old {
					t.Errorf("the spec still names zone %s", *got)
				}
			})
		})
	}
}

// isWell fails unless the Record has exactly one record in the zone of the stage.
func (s *stage) isWell() {
	s.t.Helper()
	said, at := s.now.GetCondition(xpv2.TypeSynced), s.now.Status.AtProvider
	if all := s.records(); said.Status != "True" || at.ZoneID != s.zone || len(all) != 1 || all[0] != meta.GetExternalName(s.now) || at.ID != all[0] {
		s.t.Errorf("the Record has %s in zone %s, want %v in %s: %v", at.ID, at.ZoneID, all, s.zone, said)
	}
}

// TestStaysInItsZone: while the zone exists, or nothing proves that it is gone, the Record keeps what it has.
func TestStaysInItsZone(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason string
		happen func(s *stage)
		says   string
	}{
		{"the Zone names another one, and the first one is there", func(s *stage) {
			s.addZone("example.org")
			s.setZone()
		}, ""},
		{"the same, and the user asks for it", func(s *stage) {
			s.addZone("example.org")
			s.setZone()
			s.names(byRef)
		}, "it cannot move"},
		{"the first one is gone, and the user names one of another name", func(s *stage) {
			must(s.t, s.sim.DeleteZone(s.zone))
			s.addZone("example.org")
			s.names(s.byID)
		}, "it cannot move"},
		{"it is gone and made again, and nobody knows where it was: an earlier version recorded the Record", func(s *stage) {
			s.read()
			s.now.Status.Zone = nil
			must(s.t, s.server.Status().Update(s.t.Context(), s.now))
			s.remakeZone()
			s.restart()
			s.names(s.byID)
		}, "it cannot move"},
	} {
		t.Run(row.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t)
				s.setZone()
				s.names(byRef)
				s.settle()
				old, id := s.zone, meta.GetExternalName(s.now)
				<-time.After(time.Hour)
				row.happen(s)
				s.wait()
				if got := s.now.Status.AtProvider.ZoneID; got != old || meta.GetExternalName(s.now) != id || len(s.records()) != 0 {
					t.Errorf("the Record is in zone %s with %s, want %s in %s; %v are in the other one", got, meta.GetExternalName(s.now), id, old, s.records())
				}
				if said := s.now.GetCondition(xpv2.TypeSynced); row.says != "" && (said.Status != "False" || !strings.Contains(said.Message, row.says)) {
					t.Errorf("the Record says %v", said)
				}
			})
		})
	}
}

// addZone creates another zone, which becomes the zone of the stage.
func (s *stage) addZone(name string) {
	s.t.Helper()
	made, err := s.sim.AddZone(s.session.AccountID, name, simulator.ZoneOptions{})
	must(s.t, err)
	s.zone = made.ID
}

// resolves resolves references of the stage.
func (s *stage) resolves(ctx context.Context, _ client.Reader, mg resource.Managed) error {
	return resolve(ctx, s.server, mg)
}

// TestGoesWithItsZone: a Record under deletion is released if its zone was deleted outside and created again. It
// leaves the records that other clients created in the new zone.
func TestGoesWithItsZone(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		names   func(p *v1alpha1.RecordParameters)
		limited bool
	}{"ByName": {byName, false}, "ByRef": {byRef, false}, "ByNameLimited": {byName, true}, "ByRefLimited": {byRef, true}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t)
				s.setZone()
				s.names(row.names)
				s.settle()
				<-time.After(2 * time.Hour)
				s.remakeZone()
				s.setZone()
				if row.limited {
					s.limit(limits.Limits{Zones: []string{"example.com"}, Accounts: []string{s.session.AccountID}})
				}
				_, err := s.sim.CreateRecord(s.zone, map[string]any{"name": "www", "type": "A", "content": "192.0.2.1", "ttl": 300})
				must(t, err)
				must(t, s.server.Delete(t.Context(), s.now))
				s.wait()
				if s.read() || len(s.records()) != 1 {
					t.Errorf("the Record is there, or the record of somebody else is gone (%v): %v", s.records(), s.now.GetCondition(xpv2.TypeSynced))
				}
			})
		})
	}
}

// TestGoesByNoOtherNamespace: if the zone of a Record was created again, a reference to another namespace decides
// nothing. The Record is released once the reference stays within its own namespace.
func TestGoesByNoOtherNamespace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.setZone()
		s.names(byRef)
		s.settle()
		<-time.After(2 * time.Hour)
		s.remakeZone()
		theirs := &zonev1alpha1.Zone{}
		theirs.SetNamespace("victim")
		theirs.SetName("zone")
		meta.SetExternalName(theirs, s.zone)
		must(t, s.server.Create(t.Context(), theirs))
		refer := func(namespace string) {
			s.read()
			s.now.Spec.ForProvider.ZoneIDRef.Namespace = namespace
			must(t, s.server.Update(t.Context(), s.now))
		}
		refer("victim")
		must(t, s.server.Delete(t.Context(), s.now))
		s.wait()
		if !s.read() {
			t.Fatal("the Record has gone by what is in another namespace")
		}
		s.setZone()
		refer("")
		s.wait()
		if s.read() {
			t.Errorf("the Record does not go: %v", s.now.GetCondition(xpv2.TypeSynced))
		}
	})
}
