// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// tenant is the namespace of the objects.
const tenant = "default"

// live makes the provider do everything that it can do, starting with an API server that does not
// serve its kinds yet.
func (w *world) live() {
	w.t.Helper()
	stop := w.run(w.serviceAccount())
	w.leads()
	w.serve()

	owner := w.sim.AddAccount("Example Inc").ID
	z, err := w.sim.AddZone(owner, "example.com", simulator.ZoneOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	secret := &corev1.Secret{ObjectMeta: in(tenant, "cloudflare"), StringData: map[string]string{"token": w.token(owner)}}
	config, everyones := configs(owner)
	for _, o := range []client.Object{secret, config, everyones} {
		w.create(o)
	}
	w.verified(config)
	w.verified(everyones)

	w.adoptZone(z)
	w.zones(owner)
	w.journal(z)
	r := w.records(z)
	w.rotation(secret, owner, z, r)
	w.change(r, everyones)
	w.described(owner)

	w.delete(r)
	w.gone(r)
	for _, pc := range []client.Object{config, everyones} {
		w.delete(pc)
		w.gone(pc)
	}
	w.renewed()
	stop()
}

func in(namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name}
}

func (w *world) token(account string) string {
	var grants []simulator.Grant
	for _, p := range []simulator.Permission{simulator.ZoneRead, simulator.ZoneWrite, simulator.DNSWrite} {
		grants = append(grants, simulator.Grant{Account: account, Permission: p})
	}
	return w.sim.AddToken(simulator.TokenOptions{Grants: grants})
}

// configs returns the tenant's ProviderConfig, and a ClusterProviderConfig with the same
// credential.
func configs(account string) (*cfv1alpha1.ProviderConfig, *cfv1alpha1.ClusterProviderConfig) {
	common := cfv1alpha1.CommonSpec{AccountID: ptr.To(account)}
	own := &cfv1alpha1.ProviderConfig{ObjectMeta: in(tenant, "default"), Spec: cfv1alpha1.ProviderConfigSpec{
		Credentials: cfv1alpha1.Credentials{SecretRef: cfv1alpha1.LocalSecretKeySelector{Name: "cloudflare", Key: "token"}},
		CommonSpec:  common,
	}}
	all := &cfv1alpha1.ClusterProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: "default"}, Spec: cfv1alpha1.ClusterProviderConfigSpec{
		Credentials: cfv1alpha1.ClusterCredentials{SecretRef: cfv1alpha1.SecretKeySelector{Namespace: tenant, LocalSecretKeySelector: cfv1alpha1.LocalSecretKeySelector{Name: "cloudflare", Key: "token"}}},
		CommonSpec:  common,
	}}
	return own, all
}

// adoptZone adopts a zone, creates a record with a reference to it, and deletes both.
func (w *world) adoptZone(z simulator.Zone) {
	w.t.Helper()
	adopted := &zonev1alpha1.Zone{ObjectMeta: in(tenant, "adopted")}
	adopted.Spec.DeletionPolicy = "Orphan"
	adopted.Spec.ForProvider.Name = ptr.To(z.Name)
	adopted.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: "ProviderConfig", Name: "default"}
	w.create(adopted)
	w.settled(adopted)
	r := w.record(z, "by-reference", "A", "192.0.2.9")
	r.Spec.ForProvider.ZoneID, r.Spec.ForProvider.ZoneIDRef = nil, &xpv2.NamespacedReference{Name: adopted.Name}
	w.create(r)
	w.settled(r)
	for _, o := range []client.Object{r, adopted} {
		w.delete(o)
		w.gone(o)
	}
}

// journal makes the journal of creations write entries, remove some of them, and read the object
// before the provider deletes a record whose object has vanished.
func (w *world) journal(z simulator.Zone) {
	w.t.Helper()
	// While the first is being created, the others arrive, and are sent together.
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultSlow, Method: http.MethodPost, Zone: z.ID, Delay: 5 * time.Second})
	var rs []*dnsv1alpha1.Record
	for i := range 4 {
		r := w.record(z, fmt.Sprintf("journal-%d", i), "A", "192.0.2.7")
		w.create(r)
		rs = append(rs, r)
	}
	for _, r := range rs {
		w.settled(r)
	}
	edit(w, rs[3], func(r *dnsv1alpha1.Record) { r.SetFinalizers(nil) })
	for _, r := range rs {
		w.delete(r)
		w.gone(r)
	}
	w.eventually(func() error {
		if n := len(w.sim.Records(z.ID)); n > 0 {
			return fmt.Errorf("there are %d records of objects that do not exist", n)
		}
		return nil
	})
}

// zones creates a zone, changes it and deletes it.
func (w *world) zones(account string) {
	w.t.Helper()
	z := &zonev1alpha1.Zone{ObjectMeta: in(tenant, "zone")}
	z.Spec.ForProvider = zonev1alpha1.ZoneParameters{Name: ptr.To("example.org"), AccountID: ptr.To(account)}
	z.Spec.DeletionPolicy = xpv2.DeletionDelete
	z.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: "ProviderConfig", Name: "default"}
	w.create(z)
	w.eventually(func() error {
		if err := w.kube.Get(w.t.Context(), client.ObjectKeyFromObject(z), z); err != nil || z.Status.AtProvider.ID == "" {
			return fmt.Errorf("the zone has no ID: %w, %+v", err, z.Status.Conditions)
		}
		return nil
	})
	if err := w.sim.ActivateZone(z.Status.AtProvider.ID); err != nil {
		w.t.Fatal(err)
	}
	w.settled(z)
	edit(w, z, func(z *zonev1alpha1.Zone) { z.Spec.ForProvider.Paused = ptr.To(true) })
	w.settled(z)
	w.unpause(account, z)
	// The second attempt finds the deletion recorded, and reads the object past the cache.
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultHTML502, Method: http.MethodDelete, Path: "/zones/{zone_id}"})
	w.delete(z)
	w.gone(z)
}

// unpause ends the zone's pause, which the object declares, without the provider.
func (w *world) unpause(account string, z *zonev1alpha1.Zone) {
	w.t.Helper()
	url := w.url + "/zones/" + z.Status.AtProvider.ID
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPatch, url, strings.NewReader(`{"paused":false}`))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+w.token(account))
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		w.t.Fatalf("cannot unpause the zone: %+v, %v", resp, err)
	}
	resp.Body.Close()
	w.eventually(func() error {
		if n := w.sim.Count(http.MethodPatch, "/zones/{zone_id}"); n < 3 { // the provider's, the one above, the provider's
			return fmt.Errorf("the zone was changed %d times: the drift is not undone", n)
		}
		return nil
	})
	w.settled(z)
}

// records creates, adopts and edits records, and causes drift twice. The second time, the event
// exists already, and its count increases.
func (w *world) records(z simulator.Zone) *dnsv1alpha1.Record {
	w.t.Helper()
	found, err := w.sim.CreateRecord(z.ID, map[string]any{"type": "TXT", "name": "found", "content": `"x"`, "ttl": 300})
	if err != nil {
		w.t.Fatal(err)
	}
	adopted := w.record(z, "found", "TXT", "x")
	w.create(adopted)
	w.settled(adopted)
	if got := meta.GetExternalName(adopted); got != found.ID {
		w.t.Errorf("adopted %q, want %q", got, found.ID)
	}
	r := w.record(z, "www", "A", "192.0.2.1")
	// A Record has no connection details, so the provider must not create a Secret.
	r.Spec.WriteConnectionSecretToReference = &xpv2.LocalSecretReference{Name: "connection"}
	w.create(r)
	w.settled(r)
	edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
	w.settled(r)
	for range 2 {
		if _, err := w.sim.PatchRecord(z.ID, meta.GetExternalName(r), map[string]any{"content": "203.0.113.1"}); err != nil {
			w.t.Fatal(err)
		}
		w.content(z, r, "192.0.2.2")
		w.settled(r)
	}
	w.eventually(func() error {
		l := &corev1.EventList{}
		if err := w.kube.List(w.t.Context(), l, client.InNamespace(tenant)); err != nil {
			return err
		}
		if !slices.ContainsFunc(l.Items, func(e corev1.Event) bool { return e.Reason == "DriftDetected" && e.Count > 1 }) {
			return fmt.Errorf("no event of drift is counted twice among %d", len(l.Items))
		}
		return nil
	})
	w.delete(adopted)
	w.gone(adopted)
	if err := w.kube.Get(w.t.Context(), client.ObjectKey{Namespace: tenant, Name: "connection"}, &corev1.Secret{}); !kerrors.IsNotFound(err) {
		w.t.Errorf("reading the connection Secret gives %v, want that there is none", err)
	}
	return r
}

func (w *world) record(z simulator.Zone, name, typ, content string) *dnsv1alpha1.Record {
	r := &dnsv1alpha1.Record{ObjectMeta: in(tenant, name), Spec: dnsv1alpha1.RecordSpec{ForProvider: dnsv1alpha1.RecordParameters{
		ZoneID: ptr.To(z.ID), Name: ptr.To(name), Type: ptr.To(typ), Content: ptr.To(content),
	}}}
	r.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: "ProviderConfig", Name: "default"}
	return r
}

// rotation replaces the token, revokes the old one, and waits until the provider uses the new one.
func (w *world) rotation(secret *corev1.Secret, account string, z simulator.Zone, r *dnsv1alpha1.Record) {
	w.t.Helper()
	old := secret.StringData["token"]
	edit(w, secret, func(s *corev1.Secret) { s.StringData = map[string]string{"token": w.token(account)} })
	w.sim.RevokeToken(old)
	edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.3") })
	w.content(z, r, "192.0.2.3")
	w.settled(r)
}

// change makes r use another provider config.
func (w *world) change(r *dnsv1alpha1.Record, to *cfv1alpha1.ClusterProviderConfig) {
	w.t.Helper()
	edit(w, r, func(r *dnsv1alpha1.Record) {
		r.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: "ClusterProviderConfig", Name: to.Name}
	})
	w.eventually(func() error {
		if err := w.kube.Get(w.t.Context(), client.ObjectKeyFromObject(to), to); err != nil {
			return err
		}
		if to.Status.Users != 1 {
			return fmt.Errorf("%s has %d users", to.Name, to.Status.Users)
		}
		return nil
	})
	w.settled(r)
}

// leads waits until the provider has its lease. renewed waits until it has renewed the lease.
func (w *world) leads() {
	w.t.Helper()
	w.eventually(func() error {
		l := &coordinationv1.Lease{}
		if err := w.kube.Get(w.t.Context(), client.ObjectKey{Namespace: namespace, Name: lease}, l); err != nil {
			return err
		}
		if ptr.Deref(l.Spec.HolderIdentity, "") == "" {
			return fmt.Errorf("nobody leads: %+v", l.Spec)
		}
		return nil
	})
}

func (w *world) renewed() {
	w.t.Helper()
	l, key := &coordinationv1.Lease{}, client.ObjectKey{Namespace: namespace, Name: lease}
	if err := w.kube.Get(w.t.Context(), key, l); err != nil {
		w.t.Fatal(err)
	}
	was := l.Spec.RenewTime
	w.eventually(func() error {
		if err := w.kube.Get(w.t.Context(), key, l); err != nil || l.Spec.RenewTime.Equal(was) {
			return fmt.Errorf("the lease is not renewed (%w)", err)
		}
		return nil
	})
}

func (w *world) content(z simulator.Zone, r *dnsv1alpha1.Record, want string) {
	w.t.Helper()
	w.eventually(func() error {
		if live, ok := w.sim.Record(z.ID, meta.GetExternalName(r)); !ok || live.Content != want {
			return fmt.Errorf("the record is %+v (there: %t), want content %s", live, ok, want)
		}
		return nil
	})
}

func (w *world) verified(pc resource.ProviderConfig) {
	w.t.Helper()
	w.eventually(func() error {
		if err := w.kube.Get(w.t.Context(), client.ObjectKeyFromObject(pc), pc); err != nil {
			return err
		}
		if c := pc.GetCondition(xpv2.TypeReady); c.Status != corev1.ConditionTrue {
			return fmt.Errorf("%T is not verified: %+v", pc, c)
		}
		return nil
	})
}
