// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func (w *world) zoneObject(object, zone string) *zonev1alpha1.Zone {
	z := &zonev1alpha1.Zone{
		ObjectMeta: metav1.ObjectMeta{Name: object, Namespace: w.ns},
		Spec:       zonev1alpha1.ZoneSpec{ForProvider: zonev1alpha1.ZoneParameters{Name: ptr.To(zone)}},
	}
	z.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ProviderConfigKind, Name: "default"}
	return z
}

// simZone returns the zone of that name in the simulator.
func (w *world) simZone(name string) (simulator.Zone, bool) {
	for _, z := range w.sim.Zones() {
		if z.Name == name {
			return z, true
		}
	}
	return simulator.Zone{}, false
}

func TestZoneIsCreated(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		name := "new-" + w.ns + ".example"
		z := w.zoneObject("new", name)
		w.create(z)
		until(w, z, func(z *zonev1alpha1.Zone) error {
			c := z.GetCondition(xpv2.TypeReady)
			if c.Status != corev1.ConditionFalse || !strings.Contains(c.Message, "pending") {
				return fmt.Errorf("Ready is %+v", c)
			}
			for _, ns := range z.Status.AtProvider.NameServers {
				if !strings.Contains(c.Message, ns) {
					return fmt.Errorf("Ready does not name the name server %s: %s", ns, c.Message)
				}
			}
			return nil
		})
		if len(z.Status.AtProvider.NameServers) < 2 || z.Status.AtProvider.Status != "pending" || z.Status.AtProvider.Type != "full" {
			t.Errorf("status.atProvider is %+v", z.Status.AtProvider)
		}
		live, ok := w.simZone(name)
		if !ok || live.AccountID != w.account.ID || meta.GetExternalName(z) != live.ID {
			t.Fatalf("the live zone is %+v, the external name %s", live, meta.GetExternalName(z))
		}
		if err := w.sim.ActivateZone(live.ID); err != nil {
			t.Fatal(err)
		}
		settled(w, z)
	})
}

func TestZoneIsAdopted(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		z := w.zoneObject("zone", strings.ToUpper(w.zone.Name)+".")
		w.create(z)
		settled(w, z)
		if meta.GetExternalName(z) != w.zone.ID || z.Status.AtProvider.ID != w.zone.ID || w.writes() > 0 {
			t.Errorf("external name %s, atProvider.id %s, %d writes; want zone %s adopted", meta.GetExternalName(z), z.Status.AtProvider.ID, w.writes(), w.zone.ID)
		}
		w.event(z, "AdoptedExternalResource", w.zone.ID)

		second := w.zoneObject("second", w.zone.Name)
		w.create(second)
		refused(w, second, w.ns+"/zone")
		w.delete(second)
		w.gone(second)
	})
}

func TestZoneNeverAdopts(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		z := w.zoneObject("zone", w.zone.Name)
		z.Spec.AdoptionPolicy = zonev1alpha1.AdoptNever
		w.create(z)
		refused(w, z, w.zone.ID, "adoptionPolicy")
	})
}

// TestZoneUpdate shows that each property is set in a call of its own, as the API
// demands.
func TestZoneUpdate(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, onPlan(simulator.PlanBusiness))
		z := w.zoneObject("zone", w.zone.Name)
		w.create(z)
		settled(w, z)
		edit(w, z, func(z *zonev1alpha1.Zone) {
			z.Spec.ForProvider.Paused = ptr.To(true)
			z.Spec.ForProvider.VanityNameServers = &[]string{"NS2." + w.zone.Name + ".", "ns1." + w.zone.Name}
		})
		settled(w, z)
		var patches []string
		for _, r := range w.sim.RequestsAbout(w.zone.ID) {
			if r.Method == http.MethodPatch && strings.HasSuffix(r.Path, w.zone.ID) {
				patches = append(patches, r.RequestBody)
			}
		}
		if len(patches) != 2 || !strings.Contains(patches[0], "paused") || !strings.Contains(patches[1], "vanity_name_servers") {
			t.Errorf("the PATCH bodies are %q, want one for paused and one for vanity_name_servers", patches)
		}
		if at := z.Status.AtProvider; at.Paused == nil || !*at.Paused || len(at.VanityNameServers) != 2 || z.Status.AtProvider.LastSyncedAt == nil {
			t.Errorf("status is %+v", z.Status)
		}
	})
}

func TestZoneDrift(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		z := w.zoneObject("zone", w.zone.Name)
		z.Spec.ForProvider.Paused = ptr.To(false)
		w.create(z)
		settled(w, z)
		w.looks(2)
		someone := cloudflare.New(cloudflare.NewToken(w.token), cloudflare.Options{BaseURL: w.url, Transport: w.transport})
		if _, err := someone.EditZone(t.Context(), w.zone.ID, "paused", true); err != nil {
			t.Fatal(err)
		}
		w.event(z, "DriftDetected", "paused: live true, desired false")
		w.eventually(func() error {
			if live, _ := w.simZone(w.zone.Name); live.Paused {
				return fmt.Errorf("the zone is still paused")
			}
			return nil
		})
		settled(w, z)
		w.loggedDrift(z, "paused: live true, desired false", map[string]string{
			"kind": "Zone", "id": w.zone.ID, "zone": w.zone.Name, "accountId": z.Status.AtProvider.AccountID,
		})
		if c := z.GetCondition(xpv2.TypeUpToDate); c.Reason != "ZoneSynced" {
			t.Errorf("after the revert UpToDate says %s", c.Reason)
		}
	})
}

// looks waits until the provider has read the zone of the world n more times. A change
// at the moment in which an object is first synced may be taken for a change of the
// object itself. A later change is drift.
func (w *world) looks(n int) {
	w.t.Helper()
	w.requests(n, "/zones/"+w.zone.ID)
}

func TestZoneDeletion(t *testing.T) {
	t.Parallel()
	t.Run("DeletePolicy", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t)
			z := w.zoneObject("zone", w.zone.Name)
			w.create(z)
			settled(w, z)
			edit(w, z, func(z *zonev1alpha1.Zone) { z.Spec.DeletionPolicy = xpv2.DeletionDelete })
			w.delete(z)
			w.gone(z)
			if _, ok := w.simZone(w.zone.Name); ok {
				t.Error("the zone is still there")
			}
		})
	})
	for what, policy := range map[string]xpv2.DeletionPolicy{"Orphan": xpv2.DeletionOrphan, "Default": ""} {
		t.Run(what, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				z := w.zoneObject("zone", w.zone.Name)
				z.Spec.DeletionPolicy = policy
				w.create(z)
				settled(w, z)
				w.delete(z)
				w.gone(z)
				if _, ok := w.simZone(w.zone.Name); !ok {
					t.Error("an orphaned zone was deleted")
				}
			})
		})
	}
}

// TestZoneGone expects that a zone that was deleted in the dashboard is not created
// again automatically: it would get other name servers.
func TestZoneGone(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		z := w.zoneObject("zone", w.zone.Name)
		z.Spec.DeletionPolicy = xpv2.DeletionDelete
		w.create(z)
		settled(w, z)
		if err := w.sim.DeleteZone(w.zone.ID); err != nil {
			t.Fatal(err)
		}
		refused(w, z, w.zone.ID, "not created again", "crossplane.io/external-name")
		if _, ok := w.simZone(w.zone.Name); ok {
			t.Error("the zone was created again")
		}
		// A token of this account cannot see that the zone is gone, so this is no
		// proof. The deletion of the object ends when its user sets Orphan.
		w.delete(z)
		refused(w, z, "Orphan")
		edit(w, z, func(z *zonev1alpha1.Zone) { z.Spec.DeletionPolicy = xpv2.DeletionOrphan })
		w.gone(z)
	})
}

func TestZoneBadInput(t *testing.T) {
	t.Parallel()
	t.Run("NoAccount", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t)
			pc := w.providerConfig("anonymous", "cloudflare", "token")
			pc.Spec.AccountID = nil
			w.create(pc)
			z := w.zoneObject("zone", "unheard-of-"+w.ns+".example")
			z.Spec.ProviderConfigReference.Name = "anonymous"
			w.create(z)
			refused(w, z, "accountId")
		})
	})
	t.Run("BadName", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t)
			z := w.zoneObject("zone", "not a name..example")
			w.create(z)
			refused(w, z, "spec.forProvider.name")
		})
	})
	t.Run("ObservedZoneDoesNotExist", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t)
			z := w.zoneObject("zone", "unheard-of-"+w.ns+".example")
			z.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionObserve}
			w.create(z)
			refused(w, z, "does not exist")
		})
	})
}

// TestZoneIDIsConfirmed has one answer name the ID of another zone, when the object is
// about to keep that ID for good. The object gets its own zone nevertheless.
func TestZoneIDIsConfirmed(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		method string
		exists bool
		reason string
	}{
		{http.MethodGet, true, "the list that finds the zone to adopt"},
		{http.MethodPost, false, "the answer to the zone's creation"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				z := w.zoneObject("zone", "confirmed-"+w.ns+".example")
				if tc.exists {
					z = w.zoneObject("zone", w.zone.Name)
				}
				w.sim.AddFault(simulator.Fault{Kind: simulator.FaultOtherObject, Method: tc.method, Path: "/zones", Token: w.token})
				w.create(z)
				until(w, z, func(z *zonev1alpha1.Zone) error {
					live, ok := w.simZone(*z.Spec.ForProvider.Name)
					if !ok || z.Status.AtProvider.ID != live.ID || meta.GetExternalName(z) != live.ID {
						return fmt.Errorf("the live zone is %+v, the external name %s; %s", live, meta.GetExternalName(z), conditions(z))
					}
					return nil
				})
			})
		})
	}
}

// TestZoneCreationWithLostAnswer expects a zone whose creation was answered with an
// error to be found again, even if the object may not adopt.
//
// A zone that does not exist yet has no ID to limit the fault to, so the token limits
// it.
func TestZoneCreationWithLostAnswer(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		z := w.zoneObject("new", "lost-"+w.ns+".example")
		z.Spec.AdoptionPolicy = zonev1alpha1.AdoptNever
		w.sim.AddFault(simulator.Fault{Kind: simulator.Fault500AfterCommit, Method: http.MethodPost, Path: "/zones", Token: w.token})
		w.create(z)
		until(w, z, func(z *zonev1alpha1.Zone) error {
			if z.Status.AtProvider.Status != "pending" {
				return fmt.Errorf("status.atProvider is %+v; %s", z.Status.AtProvider, conditions(z))
			}
			return nil
		})
		if live, ok := w.simZone(*z.Spec.ForProvider.Name); !ok || meta.GetExternalName(z) != live.ID {
			t.Errorf("the live zone is %+v, the external name %s", live, meta.GetExternalName(z))
		}
		if v := z.Annotations["zone.cloudflare.m.crossplane.io/pending-zone"]; v != "" {
			t.Errorf("the creation still counts as pending: %s", v)
		}
	})
}
