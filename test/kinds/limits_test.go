// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/loadbalancer"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/workers"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestLimitsChange shows that a change of the limits of a provider config requeues its objects soon. A refused object
// names the limit and keeps its resource, also when it is deleted. An object that is allowed again is settled, or its
// deletion ends.
func TestLimitsChange(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, workers.KVNamespace())
		mg := w.apply()
		pc := &cfv1alpha1.ProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: w.ns}}
		allow := func(accounts ...string) {
			harness.Edit(w.Objects, pc, func(pc *cfv1alpha1.ProviderConfig) { pc.Spec.AllowedAccounts = accounts })
		}
		began := time.Now()
		allow(w.sim.AddAccount("another of " + w.ns).ID)
		w.becomes(mg, xpv2.TypeUpToDate, corev1.ConditionUnknown)
		w.isSoon("the object is refused", began)
		if said := mg.GetCondition(xpv2.TypeSynced).Message; !strings.Contains(said, "spec.allowedAccounts of the ProviderConfig "+w.ns+"/default does not allow the account "+w.account.ID) {
			t.Errorf("it says %q", said)
		}
		began = time.Now()
		allow(w.account.ID)
		w.Settled(mg)
		w.isSoon("the object is well again", began)
		allow(w.sim.AddAccount("a third of " + w.ns).ID)
		w.becomes(mg, xpv2.TypeUpToDate, corev1.ConditionUnknown)
		if err := w.kube.Delete(t.Context(), mg); err != nil {
			t.Fatal(err)
		}
		w.becomes(mg, xpv2.TypeReady, corev1.ConditionFalse)
		if c := mg.GetCondition(xpv2.TypeReady); c.Reason != "DeletionBlocked" || !strings.Contains(c.Message, "what the provider config does not allow") {
			t.Errorf("under deletion it says %s: %s", c.Reason, c.Message)
		}
		w.is(1)
		allow()
		w.Gone(mg, func() string { return harness.Conditions(mg) })
		w.is(0)
	}, kindsOf(t, "KVNamespace")...)
}

// TestLimitsEndSweeps shows that a collection is not listed any more while the provider config allows none of its
// objects, for however long. It is listed again once they are allowed.
func TestLimitsEndSweeps(t *testing.T) {
	for _, d := range []kind.Description{workers.KVNamespace(), loadbalancer.Healthcheck()} {
		t.Run(d.Name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t, d)
				mg := w.apply()
				pc := &cfv1alpha1.ProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: w.ns}}
				allow := func(account string) {
					harness.Edit(w.Objects, pc, func(pc *cfv1alpha1.ProviderConfig) { pc.Spec.AllowedAccounts = []string{account} })
				}
				swept := func(in time.Duration) int {
					lists := func() int {
						return w.asked(func(r simulator.LoggedRequest) bool { return !r.Writes() && r.Path == w.collection() })
					}
					before := lists()
					w.during(in)
					return lists() - before
				}
				if n := swept(10 * interval); n < 5 {
					t.Fatalf("%d lists in ten intervals: there are no sweeps", n)
				}
				allow(w.sim.AddAccount("another of " + w.ns).ID)
				w.becomes(mg, xpv2.TypeUpToDate, corev1.ConditionUnknown)
				w.during(interval) // A sweep that has begun ends.
				if n := swept(100 * interval); n > 0 {
					t.Errorf("%d lists for objects that are not allowed", n)
				}
				allow(w.account.ID)
				w.Settled(mg)
				if n := swept(10 * interval); n < 5 {
					t.Errorf("%d lists in ten intervals for objects that are allowed again", n)
				}
			}, kindsOf(t, d.Name)...)
		})
	}
}

// TestRefusedObjectsHoldNothing shows that an object that its provider config refuses does not claim the resource that
// it names, even with a finalizer from its user. The config does not wait for that object when it is deleted. The
// config waits for an object that has a resource.
func TestRefusedObjectsHoldNothing(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := emptyWorld(t, kind.Description{Name: "Record"})
		t.Cleanup(w.cleanUp)
		elsewhere := w.namespace("elsewhere-")
		pc := &cfv1alpha1.ClusterProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: "of-" + w.ns}, Spec: cfv1alpha1.ClusterProviderConfigSpec{
			Credentials: cfv1alpha1.ClusterCredentials{SecretRef: cfv1alpha1.SecretKeySelector{
				Namespace: w.ns, LocalSecretKeySelector: cfv1alpha1.LocalSecretKeySelector{Name: "cloudflare", Key: "token"},
			}},
			AllowedNamespaces: &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: w.ns}},
		}}
		w.Objects.Create(pc)
		live, err := w.call(http.MethodPost, "/zones/"+w.zone.ID+"/dns_records", map[string]any{"name": "www." + w.zone.Name, "type": "A", "content": "192.0.2.1", "ttl": 1})
		if err != nil {
			t.Fatal(err)
		}
		id, _ := live["id"].(string)
		record := func(namespace, name string) *dnsv1alpha1.Record {
			r := &dnsv1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
			r.Spec.ForProvider.ZoneID, r.Spec.ForProvider.Name = ptr.To(w.zone.ID), ptr.To("www."+w.zone.Name)
			r.Spec.ForProvider.Type, r.Spec.ForProvider.Content = ptr.To("A"), ptr.To("192.0.2.1")
			r.SetProviderConfigReference(&xpv2.ProviderConfigReference{Kind: cfv1alpha1.ClusterProviderConfigKind, Name: pc.Name})
			return r
		}
		for name, paused := range map[string]string{"refused": "false", "never-looked-at": "true"} {
			r := record(elsewhere, name)
			r.SetFinalizers([]string{managed.FinalizerName})
			r.SetAnnotations(map[string]string{meta.AnnotationKeyExternalName: id, meta.AnnotationKeyReconciliationPaused: paused})
			w.Create(r)
		}
		w.during(2 * interval)
		mine := record(w.ns, "mine")
		w.Create(mine)
		w.Settled(mine)
		if got := meta.GetExternalName(mine); got != id {
			t.Errorf("the object has the record %s, want %s", got, id)
		}
		if err := w.kube.Delete(t.Context(), pc); err != nil {
			t.Fatal(err)
		}
		w.Says(pc, xpv2.TypeReady, "waits for 1 managed resources", w.ns+"/mine")
		w.Delete(mine)
		w.Gone(mine, func() string { return harness.Conditions(mine) })
		w.Gone(pc, func() string { return "it waits for what it refuses" })
	}, "Record", "Zone")
}
