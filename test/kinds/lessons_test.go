// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	loadbalancerv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/loadbalancer/v1alpha1"
	r2v1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/r2/v1alpha1"
	sslv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ssl/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/loadbalancer"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/r2"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/tunnel"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// The tests of this file are about bugs that users of other clients reported and that no row of
// the suite shows. Numbers with # are issues of Cloudflare's Terraform provider.

// TestDeletedSettingStays shows that the deletion of the object leaves the setting. Other clients
// restored the previous value, or the default, and broke the zone (#1471, #3177), or requested a
// setting without a name (#5652).
func TestDeletedSettingStays(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := settingWorld(t, "min_tls_version", `"1.3"`)
		w.apply()
		w.Delete(mg)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
		if got := w.setting()["value"]; got != "1.3" {
			t.Errorf("the value after the deletion is %v", got)
		}
		w.Eventually(func() error { return w.event(mg, string(claim.EventLeft), "stays as it is") })
		asked := 0
		for _, r := range w.requests() {
			if strings.HasPrefix(r.Path, "/zones/"+w.zone.ID+"/settings") {
				asked++
				if r.Path != w.item("") {
					t.Errorf("%s asks for no setting", r)
				}
			}
		}
		if asked == 0 {
			t.Error("nothing was asked of the setting")
		}
	})
}

// TestBucketsOfTwoJurisdictions shows that buckets of the same name in two jurisdictions are
// different. Other clients took a bucket of another jurisdiction for the declared one, or took
// the declared one for deleted (#3330, #5275).
func TestBucketsOfTwoJurisdictions(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, r2.R2Bucket())
		first, ok := w.example.(*r2v1alpha1.R2Bucket)
		if !ok {
			t.Fatalf("the example is %T", w.example)
		}
		w.apply()
		second, _ := copyOf(first, "in-europe").(*r2v1alpha1.R2Bucket)
		second.Spec.ForProvider.Jurisdiction = ptr.To("eu")
		w.Create(second)
		w.Settled(second)
		ours, europe := w.collection(), w.collection()+";jurisdiction=eu"
		both := func(what string) {
			t.Helper()
			if a, b := w.sim.CountResources(ours), w.sim.CountResources(europe); a != 1 || b != 1 {
				t.Errorf("%s: there are %d buckets and %d in the EU, want one each", what, a, b)
			}
		}
		both("two objects of one name")
		if err := w.sim.DeleteResource(europe + "/" + meta.GetExternalName(second)); err != nil {
			t.Fatal(err)
		}
		w.Eventually(func() error {
			if n := w.sim.CountResources(europe); n != 1 {
				return fmt.Errorf("the bucket in the EU is not back: %s", harness.Conditions(second))
			}
			return nil
		})
		w.Settled(first)
		w.Settled(second)
		both("one deleted by somebody else")
		w.Delete(second)
		w.Gone(second, func() string { return harness.Conditions(second) })
		if a, b := w.sim.CountResources(ours), w.sim.CountResources(europe); a != 1 || b != 0 {
			t.Errorf("after the deletion of that in the EU there are %d buckets and %d in the EU", a, b)
		}
	})
}

// TestLiveValuesAreNoDrift shows that the connections and states of a tunnel are shown, but not
// compared and not sent back (#7303, #5891).
func TestLiveValuesAreNoDrift(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, tunnel.Tunnel())
		mg := w.apply()
		id := meta.GetExternalName(mg)
		connections := []any{map[string]any{"id": "1bedc50d-42b3-473c-b108-ff3d10c0d925", "colo_name": "DFW", "client_version": "2026.1.0"}}
		w.editStored(id, func(doc map[string]any) {
			doc["status"], doc["connections"], doc["conns_active_at"] = "healthy", connections, "2026-01-02T03:04:05Z"
		})
		from := w.writes()
		w.lists(3)
		w.Settled(mg)
		if n := w.writes() - from; n > 0 {
			t.Errorf("there were %d writes", n)
		}
		if err := w.event(mg, "DriftDetected", ""); err == nil {
			t.Error("an event says that something drifted")
		}
		w.Eventually(func() error {
			if err := w.Get(mg); err != nil {
				return err
			}
			shown, err := kind.Encode(mg.GetAtProvider())
			if err == nil && kind.Text(shown, "status") != "healthy" {
				err = fmt.Errorf("the status shows %v", shown)
			}
			return err
		})
	})
}

// TestAccountOfTheConfigChanges shows that the resource stays in its account, and none is created
// in the new account. With the old account in the config, the object manages it again.
func TestAccountOfTheConfigChanges(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, tunnel.Tunnel())
		mg := w.apply()
		other := w.sim.AddAccount(w.ns + "-other")
		account := func(id, name string) {
			t.Helper()
			pc := &cfv1alpha1.ProviderConfig{}
			pc.Namespace, pc.Name = w.ns, "default"
			harness.Edit(w.Objects, pc, func(pc *cfv1alpha1.ProviderConfig) { pc.Spec.AccountID = ptr.To(id) })
			w.lists(2)                                    // The cache of the provider has the config before the edit.
			w.edit("name", func(any) any { return name }) // A change of the config does not requeue the object.
		}
		if err := w.sim.SetGrants(w.token, simulator.Grant{Account: w.account.ID, Permission: simulator.Everything}, simulator.Grant{Account: other.ID, Permission: simulator.Everything}); err != nil {
			t.Fatal(err)
		}
		account(other.ID, "renamed")
		w.Says(mg, xpv2.TypeSynced, "it cannot move", w.account.ID, other.ID)
		w.is(1)
		if n := w.sim.CountResources("/accounts/" + other.ID + "/cfd_tunnel"); n > 0 {
			t.Errorf("%d tunnels were made in the new account", n)
		}
		account(w.account.ID, "renamed-again")
		w.Settled(mg)
	})
}

// TestRoutesKeepConnections has Cloudflare refuse to delete a tunnel because of its routes. The
// tunnel keeps its connections, as closing them would not help (#2607).
func TestRoutesKeepConnections(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, tunnel.Tunnel())
		mg := w.apply()
		trap := w.trap(simulator.Trap{Kind: simulator.TrapBusyDeletion, Status: http.StatusBadRequest, Code: simulator.CodeTunnelRoutes})
		w.Delete(mg)
		w.Says(mg, xpv2.TypeSynced, "in use")
		w.sim.RemoveTrap(trap)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
		for _, r := range w.requests() {
			if r.Method == http.MethodDelete && strings.HasSuffix(r.Path, "/connections") {
				t.Errorf("connections were cut: %s", r)
			}
		}
	})
}

// TestConnectionsAreCut is trap 17: Cloudflare refuses to delete a tunnel because of its
// connections. The provider closes them, and the tunnel is deleted.
func TestConnectionsAreCut(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, tunnel.Tunnel())
		mg := w.apply()
		item := w.item(meta.GetExternalName(mg))
		if err := w.sim.OpenConnections(item, 2); err != nil {
			t.Fatal(err)
		}
		from := len(w.requests())
		w.Delete(mg)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
		w.is(0)
		var got []string
		for _, r := range w.requests()[from:] {
			if r.Writes() {
				got = append(got, r.String())
			}
		}
		const route = "DELETE /accounts/{account_id}/cfd_tunnel/{tunnel_id}"
		if want := []string{route + " -> 400 1022", route + "/connections -> 200", route + " -> 200"}; !slices.Equal(got, want) {
			t.Errorf("the calls were %q, want %q", got, want)
		}
	})
}

// TestImmutableDiffers is trap 16: another client changed a field that no update sets. The
// resource is not replaced: the object reports the difference and what to do.
func TestImmutableDiffers(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, tunnel.Tunnel())
		mg := w.apply()
		id, from := meta.GetExternalName(mg), w.writes()
		w.editStored(id, func(doc map[string]any) { doc["config_src"] = "local" })
		w.Says(mg, xpv2.TypeSynced, "configSrc: live local, desired cloudflare", "set spec.deletionPolicy to Orphan first, then delete this object and create another")
		w.lists(3)
		w.editStored(id, func(doc map[string]any) { doc["config_src"] = "cloudflare" })
		w.Settled(mg)
		if n := w.writes() - from; n > 0 || meta.GetExternalName(mg) != id {
			t.Errorf("there were %d writes, and the tunnel is %s, which was %s", n, meta.GetExternalName(mg), id)
		}
	})
}

// TestPartLeavesTheTunnel is trap 18: the deletion of an object that configures a tunnel leaves
// the tunnel.
func TestPartLeavesTheTunnel(t *testing.T) {
	t.Parallel()
	for _, d := range []kind.Description{tunnel.TunnelIngress(), tunnel.TunnelConfiguration()} {
		t.Run(d.Name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t, d)
				mg := w.apply()
				w.Delete(mg)
				w.Gone(mg, func() string { return harness.Conditions(mg) })
				if n := w.sim.CountResources("/accounts/" + w.account.ID + "/cfd_tunnel"); n != 1 {
					t.Errorf("there are %d tunnels, want 1", n)
				}
				for _, r := range w.requests() {
					if r.Method == http.MethodDelete {
						t.Errorf("something was deleted: %s", r)
					}
				}
			})
		})
	}
}

// TestOrderInAnotherZone has certificates in two zones. One list has the certificates of all
// zones, and is requested per zone. A certificate whose order got no answer is found in the list
// of its own zone.
func TestOrderInAnotherZone(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, first := certificateWorld(t)
		w.apply()
		z, err := w.sim.AddZone(w.account.ID, "other-"+w.zone.Name, simulator.ZoneOptions{Plan: simulator.PlanEnterprise})
		if err != nil {
			t.Fatal(err)
		}
		second, _ := copyOf(first, "second").(*sslv1alpha1.OriginCACertificate)
		p := &second.Spec.ForProvider
		p.ZoneID, p.ZoneIDRef, p.Hostnames = ptr.To(z.ID), nil, []string{"www." + z.Name}
		fault := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultResetAfter, Method: http.MethodPost, Path: "/certificates", Token: w.token})
		w.Create(second)
		w.Settled(second)
		if _, on := w.sim.Faults()[fault]; on {
			t.Error("the answer was not lost")
		}
		n := 0
		for _, doc := range w.sim.Resources("/certificates") {
			if strings.Contains(fmt.Sprint(doc["hostnames"]), z.Name) && doc["revoked_at"] == nil {
				n++
			}
		}
		if n != 1 {
			t.Errorf("there are %d certificates for the second zone, want 1", n)
		}
	})
}

// TestSecretOfSomebodyElseAfterwards renames the connection secret of a certificate to a Secret
// that the object does not control.
func TestSecretOfSomebodyElseAfterwards(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := certificateWorld(t)
		w.apply()
		w.Create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: "theirs"}})
		harness.Edit(w.Objects, mg, func(mg *sslv1alpha1.OriginCACertificate) { mg.Spec.WriteConnectionSecretToReference.Name = "theirs" })
		w.Says(mg, xpv2.TypeSynced, w.ns+"/theirs", "does not belong to this object")
	})
}

// TestLastOneOut is trap 12: when the last element is removed, an empty value is sent. An omitted
// value would keep the element.
func TestLastOneOut(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, loadbalancer.LoadBalancer())
		w.prepare()
		mg, ok := w.example.(*loadbalancerv1alpha1.LoadBalancer)
		if !ok {
			t.Fatalf("the example is %T", w.example)
		}
		pool := w.idOf("LoadBalancerPool")
		mg.Spec.ForProvider.CountryPools = map[string][]string{"GB": {pool}, "US": {pool}}
		w.Create(mg)
		w.Settled(mg)
		for _, want := range []map[string][]string{{"GB": {pool}}, {}} {
			harness.Edit(w.Objects, mg, func(mg *loadbalancerv1alpha1.LoadBalancer) { mg.Spec.ForProvider.CountryPools = want })
			w.Settled(mg)
			got := w.raw(meta.GetExternalName(mg))["country_pools"]
			if !same(got, want) {
				t.Errorf("the pools by country are %v, want %v", got, want)
			}
		}
	})
}
