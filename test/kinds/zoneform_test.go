// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	workersv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/workers/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/workers"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// routeIn makes a route name its zone in one way. The resolved value of a reference stays
// beside zoneName, as kubectl apply leaves it.
type routeIn func(z simulator.Zone, object string, p *workersv1alpha1.WorkerRouteParameters)

func routeForms() map[string]routeIn {
	return map[string]routeIn{
		"ByID": func(z simulator.Zone, _ string, p *workersv1alpha1.WorkerRouteParameters) {
			p.ZoneID, p.ZoneName, p.ZoneIDRef, p.ZoneIDSelector = ptr.To(z.ID), nil, nil, nil
		},
		"ByName": func(z simulator.Zone, _ string, p *workersv1alpha1.WorkerRouteParameters) {
			if p.ZoneIDRef == nil {
				p.ZoneID = nil
			}
			p.ZoneName, p.ZoneIDRef, p.ZoneIDSelector = ptr.To(z.Name), nil, nil
		},
		"ByReference": func(_ simulator.Zone, object string, p *workersv1alpha1.WorkerRouteParameters) {
			p.ZoneID, p.ZoneName, p.ZoneIDRef, p.ZoneIDSelector = nil, nil, &xpv2.NamespacedReference{Name: object}, nil
		},
		"BySelector": func(_ simulator.Zone, object string, p *workersv1alpha1.WorkerRouteParameters) {
			p.ZoneID, p.ZoneName, p.ZoneIDRef = nil, nil, nil
			p.ZoneIDSelector = &xpv2.NamespacedSelector{MatchLabels: map[string]string{"zone": object}}
		},
	}
}

// TestZoneIsNamedInAnotherWay changes the way in which an object of a described kind names
// its zone, from each form to each other form. The first change names another zone, which is
// refused. The second one names its own zone.
func TestZoneIsNamedInAnotherWay(t *testing.T) {
	t.Parallel()
	for from, before := range routeForms() {
		for to, after := range routeForms() {
			if from != to {
				t.Run(from+to, func(t *testing.T) {
					inParallel(t, func(t *testing.T) {
						changeForm(t, before, after, to == "ByID" && from != "ByName")
					})
				})
			}
		}
	}
}

// changeForm tests one pair of forms. The API server itself refuses another zoneId beside the
// resolved one.
func changeForm(t *testing.T, before, after routeIn, atOnce bool) {
	t.Helper()
	w := newWorld(t, workers.WorkerRoute())
	other, err := w.sim.AddZone(w.account.ID, "other-"+w.zone.Name, simulator.ZoneOptions{Plan: simulator.PlanEnterprise})
	if err != nil {
		t.Fatal(err)
	}
	w.zoneOf("here", w.zone)
	w.zoneOf("away", other)
	mg := &workersv1alpha1.WorkerRoute{ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: "route"}}
	mg.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ProviderConfigKind, Name: "default"}
	mg.Spec.ForProvider.Pattern = ptr.To(w.zone.Name + "/*")
	before(w.zone, "here", &mg.Spec.ForProvider)
	w.Create(mg)
	w.Settled(mg)
	id := meta.GetExternalName(mg)
	if atOnce {
		now := mg.DeepCopy()
		after(other, "away", &now.Spec.ForProvider)
		if err := w.kube.Update(t.Context(), now); err == nil {
			t.Error("the API server takes another zoneId")
		}
	} else {
		harness.Edit(w.Objects, mg, func(mg *workersv1alpha1.WorkerRoute) { after(other, "away", &mg.Spec.ForProvider) })
		w.Says(mg, xpv2.TypeSynced, "it cannot move. Set that back", w.zone.ID, other.ID, "set spec.deletionPolicy to Orphan first")
		harness.Edit(w.Objects, mg, func(mg *workersv1alpha1.WorkerRoute) { before(w.zone, "here", &mg.Spec.ForProvider) })
		w.Settled(mg)
	}
	harness.Edit(w.Objects, mg, func(mg *workersv1alpha1.WorkerRoute) { after(w.zone, "here", &mg.Spec.ForProvider) })
	w.Settled(mg)
	if got := meta.GetExternalName(mg); got != id {
		t.Errorf("it has route %s now, and had %s", got, id)
	}
	if n := w.sim.CountResources("/zones/" + other.ID + "/workers/routes"); n > 0 {
		t.Errorf("%d routes were made in the other zone", n)
	}
	w.Delete(mg)
	w.Gone(mg, func() string { return harness.Conditions(mg) })
}

// zoneOf creates the object of a zone.
func (w *world) zoneOf(object string, zone simulator.Zone) {
	w.T.Helper()
	z := &zonev1alpha1.Zone{ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: object, Labels: map[string]string{"zone": object}}}
	z.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ProviderConfigKind, Name: "default"}
	z.Spec.ForProvider.Name = ptr.To(zone.Name)
	w.Create(z)
	w.Settled(z)
}
