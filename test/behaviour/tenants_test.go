// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// two returns two tenants. They have namespaces, accounts, zones and tokens of their own,
// and configs and Secrets of the same names.
func two(t *testing.T) (a, b *world) {
	t.Helper()
	return newWorld(t), newWorld(t)
}

// strangers returns the requests about the zone of the world with other tokens than its
// own.
func (w *world) strangers() []simulator.LoggedRequest {
	own := fingerprintOf(w.token)
	return slices.DeleteFunc(w.sim.RequestsAbout(w.zone.ID), func(q simulator.LoggedRequest) bool { return q.TokenFingerprint == own })
}

// TestTenantsUseTheirOwnTokens has configs, Secrets and Records of the same names in two
// namespaces. Each Record is served with the token of its own namespace only.
func TestTenantsUseTheirOwnTokens(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		a, b := two(t)
		named := func(r *dnsv1alpha1.Record) { r.GenerateName, r.Name = "", "www" }
		ra, rb := a.made("www", "A", "192.0.2.1", named), b.made("www", "A", "192.0.2.2", named)
		a.dashboardEdit(a.live("A").ID, map[string]any{"content": "192.0.2.66"})
		a.event(ra, "DriftReverted", "192.0.2.66")
		b.delete(rb)
		b.gone(rb)
		a.sweepsWith(a.token, 2)
		for _, w := range []*world{a, b} {
			if foreign := w.strangers(); len(foreign) > 0 {
				t.Errorf("the zone of %s was asked for with tokens of others: %v", w.ns, foreign)
			}
			verifications := 0
			for _, q := range w.callsWith(w.token) {
				switch {
				case strings.HasSuffix(q.Path, "/tokens/verify"):
					verifications++
				case strings.HasSuffix(q.Path, "/logs/audit") && strings.Contains(q.Query, w.zone.ID):
				case !strings.Contains(q.Path, w.zone.ID):
					t.Errorf("the token of %s was used for %s %s", w.ns, q.Method, q.Path)
				}
			}
			if verifications == 0 {
				t.Errorf("the token of %s was never verified", w.ns)
			}
		}
	})
}

// TestNoFieldLeadsToAnotherNamespace tries every way to refer to a Secret or config of
// another namespace, or to another API.
func TestNoFieldLeadsToAnotherNamespace(t *testing.T) {
	t.Parallel()
	onReal(t)
	a, b := two(t)
	object := func(group, kind string, spec map[string]any) *unstructured.Unstructured {
		u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": group + "/v1alpha1", "kind": kind, "spec": spec}}
		u.SetNamespace(a.ns)
		u.SetGenerateName("x-")
		return u
	}
	config := func(credentials, more map[string]any) *unstructured.Unstructured {
		spec := map[string]any{"credentials": credentials}
		for k, v := range more {
			spec[k] = v
		}
		return object("cloudflare.m.crossplane.io", "ProviderConfig", spec)
	}
	secretRef := func(more map[string]any) map[string]any {
		ref := map[string]any{"name": "cloudflare", "key": "token"}
		for k, v := range more {
			ref[k] = v
		}
		return map[string]any{"secretRef": ref}
	}
	record := func(ref map[string]any) *unstructured.Unstructured {
		return object("dns.cloudflare.m.crossplane.io", "Record", map[string]any{
			"providerConfigRef": ref,
			"forProvider":       map[string]any{"zoneId": b.zone.ID, "name": "www", "type": "A", "content": "192.0.2.1"},
		})
	}
	cases := map[string]struct {
		reason string
		object *unstructured.Unstructured
		field  []string
	}{
		"SecretNamespace": {"there is no such field", config(secretRef(map[string]any{"namespace": b.ns}), nil), []string{"spec", "credentials", "secretRef", "namespace"}},
		"Namespace":       {"nor beside it", config(secretRef(nil), map[string]any{"namespace": b.ns}), []string{"spec", "namespace"}},
		"URL":             {"where the API is belongs to the process", config(secretRef(nil), map[string]any{"apiUrl": "https://evil.example"}), []string{"spec", "apiUrl"}},
		"Endpoint":        {"under whatever name", config(map[string]any{"secretRef": map[string]any{"name": "cloudflare", "key": "token"}, "endpoint": "https://evil.example"}, nil), []string{"spec", "credentials", "endpoint"}},
		"RefNamespace":    {"a Record's config is of its namespace", record(map[string]any{"kind": "ProviderConfig", "name": "theirs", "namespace": b.ns}), []string{"spec", "providerConfigRef", "namespace"}},
		"ConnectionElsewhere": {"nothing is written to another namespace", func() *unstructured.Unstructured {
			u := record(map[string]any{"kind": "ProviderConfig", "name": "default"})
			_ = unstructured.SetNestedField(u.Object, b.ns, "spec", "writeConnectionSecretToRef", "namespace")
			_ = unstructured.SetNestedField(u.Object, "x", "spec", "writeConnectionSecretToRef", "name")
			return u
		}(), []string{"spec", "writeConnectionSecretToRef", "namespace"}},
	}
	b.create(b.providerConfig("theirs", "cloudflare", "token"))
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			strict := client.WithFieldValidation(a.kube, metav1.FieldValidationStrict)
			if err := strict.Create(t.Context(), tc.object.DeepCopy()); !kerrors.IsBadRequest(err) || !strings.Contains(err.Error(), "unknown field") {
				t.Errorf("%s: asked to be strict, the API server says %v", tc.reason, err)
			}
			if err := a.kube.Create(t.Context(), tc.object); err != nil {
				t.Fatal(err)
			}
			if v, found, _ := unstructured.NestedFieldNoCopy(tc.object.Object, tc.field...); found {
				t.Errorf("%s: %v was kept: %v", tc.reason, tc.field, v)
			}
		})
	}
	// The Record named a config that exists only in the other namespace.
	stray := &dnsv1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Name: cases["RefNamespace"].object.GetName(), Namespace: a.ns}}
	refused(a, stray, "ProviderConfig theirs", "namespace "+a.ns)
	if foreign := b.callsWith(b.token); slices.ContainsFunc(foreign, simulator.LoggedRequest.Writes) {
		t.Errorf("the token of the other namespace was used: %v", foreign)
	}
	b.noRecords()
}

// TestOddNamesLeadNowhere has names that would be paths if the provider joined them.
func TestOddNamesLeadNowhere(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		a, b := two(t)
		for _, name := range []string{b.ns + "/cloudflare", "../" + b.ns + "/cloudflare", "..%2F" + b.ns + "%2Fcloudflare"} {
			pc := a.providerConfig("odd", name, "token")
			pc.Name, pc.GenerateName = "", "odd-"
			a.create(pc)
			verified(a, pc, corev1.ConditionFalse, "Secret "+a.ns+"/")
		}
	})
}

// TestARecordOfAnotherTenant has a tenant who knows all IDs of a record of another
// tenant.
func TestARecordOfAnotherTenant(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		a, b := two(t)
		theirs := b.made("www", "A", "192.0.2.1")
		id := b.live("A").ID
		inTheirZone := parameters(func(p *dnsv1alpha1.RecordParameters) { p.ZoneID = ptr.To(b.zone.ID) })
		cases := map[string]struct {
			reason string
			record *dnsv1alpha1.Record
			says   []string
		}{
			"ByID":     {"their zone and their record", a.record("www."+b.zone.Name, "A", "192.0.2.9", inTheirZone, externalName(id)), []string{"9109", "lacks a permission"}},
			"ByKey":    {"their zone and what is in it", a.record("www."+b.zone.Name, "A", "192.0.2.1", inTheirZone), []string{"9109", "lacks a permission"}},
			"TakeOver": {"their zone, to take over what is there", a.record("www."+b.zone.Name, "A", "192.0.2.9", inTheirZone, adoption(dnsv1alpha1.AdoptNameAndType)), []string{"9109", "lacks a permission"}},
			"Observe":  {"only to look", a.record("www."+b.zone.Name, "A", "192.0.2.1", inTheirZone, policies(xpv2.ManagementActionObserve), externalName(id)), []string{"9109"}},
			"ZoneName": {"their zone by its name", a.record("www", "A", "192.0.2.9", parameters(func(p *dnsv1alpha1.RecordParameters) { p.ZoneID, p.ZoneName = nil, ptr.To(b.zone.Name) })), []string{"no zone", "that this credential can see"}},
			"ZoneReference": {"their Zone object", a.record("www."+b.zone.Name, "A", "192.0.2.9", parameters(func(p *dnsv1alpha1.RecordParameters) {
				p.ZoneID, p.ZoneIDRef = nil, &xpv2.NamespacedReference{Name: "zone", Namespace: b.ns}
			})), []string{"spec.forProvider.zoneIdRef names the namespace " + b.ns}},
		}
		z := b.zoneObject("zone", b.zone.Name)
		z.Labels = map[string]string{"tier": "prod"}
		b.create(z)
		settled(b, z)
		writes := b.writes()
		for _, tc := range cases {
			a.create(tc.record)
			refused(a, tc.record, tc.says...)
			if c := tc.record.GetCondition(xpv2.TypeSynced); strings.Contains(c.Message, theirs.Name) || strings.Contains(c.Message, "192.0.2.1 ") {
				t.Errorf("%s: the condition tells of the other's objects: %s", tc.reason, c.Message)
			}
			a.delete(tc.record)
			a.gone(tc.record)
		}
		settled(b, theirs)
		if n := b.writes(); n != writes {
			t.Errorf("there were %d writes to the other's zone", n-writes)
		}
		for _, q := range b.strangers() {
			if q.Status != 403 {
				t.Errorf("a stranger was answered %s", q)
			}
		}
		a.noRecords()
		if got := b.live("A"); got.ID != id || got.Content != "192.0.2.1" {
			t.Errorf("the other's record is %+v", got)
		}
	})
}

// TestAnotherTenantsRecordIDInOnesOwnZone names a record that exists in another zone. The
// own zone does not have it.
func TestAnotherTenantsRecordIDInOnesOwnZone(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		a, b := two(t)
		theirs := b.made("www", "A", "192.0.2.1")
		id := b.live("A").ID
		r := a.record("www", "A", "192.0.2.9", externalName(id))
		a.create(r)
		settled(a, r)
		if got := meta.GetExternalName(r); got == id || got != a.live("A").ID {
			t.Errorf("the external name is %s, want that of its own new record", got)
		}
		settled(b, theirs)
		if got := b.live("A"); got.ID != id || got.Content != "192.0.2.1" {
			t.Errorf("the other's record is %+v", got)
		}
	})
}

// TestZoneSelectorsStayHome shows that a selector finds Zones of its own namespace only.
// A selector that names another namespace is refused.
func TestZoneSelectorsStayHome(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		a, b := two(t)
		z := b.zoneObject("zone", b.zone.Name)
		z.Labels = map[string]string{"tier": "prod-" + b.ns}
		b.create(z)
		settled(b, z)
		selects := func(namespace string) recordOption {
			return parameters(func(p *dnsv1alpha1.RecordParameters) {
				p.ZoneID, p.ZoneIDSelector = nil, &xpv2.NamespacedSelector{MatchLabels: z.Labels, Namespace: namespace}
			})
		}
		home := a.record("www", "A", "192.0.2.1", selects(""))
		a.create(home)
		refused(a, home, "no resources matched selector")

		away := a.record("www."+b.zone.Name, "A", "192.0.2.1", selects(b.ns))
		a.create(away)
		refused(a, away, "spec.forProvider.zoneIdSelector names the namespace "+b.ns)
		if got := ptr.Deref(away.Spec.ForProvider.ZoneID, ""); got != "" {
			t.Errorf("the spec has the ID %q of the other's zone", got)
		}
		if raw := fmt.Sprintf("%+v", away.Status); strings.Contains(raw, b.zone.Name+" ") || away.Status.AtProvider.ZoneID != "" {
			t.Errorf("the status tells of the other's zone: %s", raw)
		}
		b.noRecords()
	})
}

// TestClaimsAcrossTenants has two tenants share a zone, each with a token of its own. The
// second object that claims a record reports which one was first.
func TestClaimsAcrossTenants(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		a, b := two(t)
		first := b.made("www", "A", "192.0.2.1")
		shared := a.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Zone: b.zone.ID, Permission: simulator.DNSWrite}, {Zone: b.zone.ID, Permission: simulator.ZoneRead}}})
		a.rotate(shared)
		r := a.record("www", "A", "192.0.2.1", parameters(func(p *dnsv1alpha1.RecordParameters) { p.ZoneID = ptr.To(b.zone.ID) }))
		a.create(r)
		refused(a, r, "already managed by "+b.ns+"/"+first.Name)
		a.delete(r)
		a.gone(r)
		settled(b, first)
		b.live("A")
	})
}

// TestClusterConfigServesAllNamespaces has two namespaces use one token through a
// ClusterProviderConfig. Neither of them can read or name its Secret.
func TestClusterConfigServesAllNamespaces(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		a, b := two(t)
		system := newWorld(t)
		pc := &cfv1alpha1.ClusterProviderConfig{
			ObjectMeta: metav1.ObjectMeta{Name: "shared-" + system.ns},
			Spec: cfv1alpha1.ClusterProviderConfigSpec{Credentials: cfv1alpha1.ClusterCredentials{
				SecretRef: cfv1alpha1.SecretKeySelector{LocalSecretKeySelector: cfv1alpha1.LocalSecretKeySelector{Name: "cloudflare", Key: "token"}, Namespace: system.ns},
			}},
		}
		system.create(pc)
		t.Cleanup(func() { _ = system.kube.Delete(t.Context(), pc) })
		use := func(r *dnsv1alpha1.Record) {
			r.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: "ClusterProviderConfig", Name: pc.Name}
			r.Spec.ForProvider.ZoneID = ptr.To(system.zone.ID)
		}
		ra, rb := a.made("a", "A", "192.0.2.1", use), b.made("b", "AAAA", "2001:db8::1", use)
		if foreign := system.strangers(); len(foreign) > 0 {
			t.Errorf("the shared zone was asked for with tokens of others: %v", foreign)
		}
		for _, w := range []*world{a, b} {
			if used := slices.DeleteFunc(w.callsWith(w.token), func(q simulator.LoggedRequest) bool { return strings.HasSuffix(q.Path, "/verify") }); len(used) > 0 {
				t.Errorf("the token of %s was used: %v", w.ns, used)
			}
		}
		// A config of the same name in their own namespace is another config, and has no
		// such Secret.
		own := a.providerConfig(pc.Name, "absent", "token")
		a.create(own)
		stray := a.record("x", "A", "192.0.2.3", func(r *dnsv1alpha1.Record) { r.Spec.ProviderConfigReference.Name = pc.Name })
		a.create(stray)
		refused(a, stray, "ProviderConfig "+a.ns+"/"+pc.Name, "Secret "+a.ns+"/absent")
		for w, r := range map[*world]*dnsv1alpha1.Record{a: ra, b: rb} {
			w.delete(r)
			w.gone(r)
		}
		system.noRecords()
	})
}

// TestNothingOfATenantNamesTheAPI has annotations, labels and Secrets that look like an
// address to send a token to.
func TestNothingOfATenantNamesTheAPI(t *testing.T) {
	t.Parallel()
	onReal(t)
	w := newWorld(t)
	var strayed atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strayed.Add(1) }))
	t.Cleanup(server.Close)
	evil := server.URL
	hints := map[string]string{"cloudflare-api-url": "x", "crossplane.io/paused": "false"}
	for _, k := range []string{"url", "baseUrl", "endpoint", "CLOUDFLARE_API_URL", "cloudflare.m.crossplane.io/api-url", "CLOUDFLARE_BASE_URL"} {
		hints[k] = evil
	}
	data := map[string]string{"token": fmt.Sprintf(`{"apiToken":%q,"baseUrl":%q,"url":%q,"endpoint":%q,"apiUrl":%q}`, w.token, evil, evil, evil, evil)}
	for _, k := range []string{"url", "baseUrl", "endpoint", "CLOUDFLARE_API_URL", "HTTPS_PROXY"} {
		data[k] = evil
	}
	w.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "hints", Namespace: w.ns, Annotations: hints}, StringData: data})
	pc := w.providerConfig("hints", "hints", "token")
	pc.Annotations = hints
	w.create(pc)
	verified(w, pc, corev1.ConditionTrue, "")
	r := w.made("www", "A", "192.0.2.1", func(r *dnsv1alpha1.Record) {
		r.Annotations, r.Spec.ProviderConfigReference.Name = hints, "hints"
	})
	w.delete(r)
	w.gone(r)
	if n := strayed.Load(); n > 0 {
		t.Errorf("a tenant's server was called %d times", n)
	}
}
