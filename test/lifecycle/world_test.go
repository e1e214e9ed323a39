// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const (
	// patience is long: the namespace controller looks again after 5, 10, 15 seconds.
	patience = 180 * time.Second
)

// A world is the share of one test: a namespace with a ProviderConfig and its Secret,
// and an account with an active zone. The zone has one record that no object manages.
type world struct {
	*suite
	harness.Objects

	t       *testing.T
	ns      string
	account simulator.Account
	zone    simulator.Zone
	token   string
	foreign simulator.Record
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{suite: shared, Objects: harness.Objects{T: t, Kube: shared.kube, Patience: patience}, t: t}
	w.ns = w.namespace()
	w.account = w.sim.AddAccount(w.ns)
	var err error
	if w.zone, err = w.sim.AddZone(w.account.ID, w.ns+".example", simulator.ZoneOptions{Plan: simulator.PlanPro}); err != nil {
		t.Fatal(err)
	}
	w.foreign, err = w.sim.CreateRecord(w.zone.ID, map[string]any{"type": "TXT", "name": "@", "content": `"not ours"`, "ttl": 300})
	if err != nil {
		t.Fatal(err)
	}
	var grants []simulator.Grant
	for _, p := range []simulator.Permission{simulator.ZoneRead, simulator.ZoneWrite, simulator.DNSWrite} {
		grants = append(grants, simulator.Grant{Account: w.account.ID, Permission: p})
	}
	w.token = w.sim.AddToken(simulator.TokenOptions{Grants: grants})
	w.create(w.secret(w.ns))
	w.create(w.config())
	return w
}

// namespace creates a namespace.
func (w *world) namespace() string {
	w.t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "l-"}}
	w.create(ns)
	return ns.Name
}

func (w *world) namespaceObject() *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.ns}}
}

func (w *world) secret(namespace string) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "cloudflare", Namespace: namespace},
		StringData: map[string]string{"token": w.token},
	}
}

func (w *world) config() *cfv1alpha1.ProviderConfig {
	return &cfv1alpha1.ProviderConfig{
		ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: w.ns},
		Spec: cfv1alpha1.ProviderConfigSpec{
			Credentials: cfv1alpha1.Credentials{SecretRef: cfv1alpha1.LocalSecretKeySelector{Name: "cloudflare", Key: "token"}},
			CommonSpec:  cfv1alpha1.CommonSpec{AccountID: ptr.To(w.account.ID)},
		},
	}
}

// clusterConfig returns a config for all namespaces, with a Secret in that namespace.
func (w *world) clusterConfig(secretNamespace string) *cfv1alpha1.ClusterProviderConfig {
	return &cfv1alpha1.ClusterProviderConfig{
		ObjectMeta: metav1.ObjectMeta{Name: "of-" + w.ns},
		Spec: cfv1alpha1.ClusterProviderConfigSpec{Credentials: cfv1alpha1.ClusterCredentials{SecretRef: cfv1alpha1.SecretKeySelector{
			LocalSecretKeySelector: cfv1alpha1.LocalSecretKeySelector{Name: "cloudflare", Key: "token"}, Namespace: secretNamespace,
		}}},
	}
}

func (w *world) configRef() *xpv2.ProviderConfigReference {
	return &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ProviderConfigKind, Name: "default"}
}

type recordOption func(*dnsv1alpha1.Record)

func orphan(r *dnsv1alpha1.Record) { r.Spec.DeletionPolicy = xpv2.DeletionOrphan }

func policies(p ...xpv2.ManagementAction) recordOption {
	return func(r *dnsv1alpha1.Record) { r.Spec.ManagementPolicies = p }
}

// record returns a Record for an A record in the zone of the world. It does not
// create the object.
func (w *world) record(name string, opts ...recordOption) *dnsv1alpha1.Record {
	r := &dnsv1alpha1.Record{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.ns},
		Spec: dnsv1alpha1.RecordSpec{ForProvider: dnsv1alpha1.RecordParameters{
			ZoneID: ptr.To(w.zone.ID), Name: ptr.To(name), Type: ptr.To("A"), Content: ptr.To("192.0.2.1"),
		}},
	}
	r.Spec.ProviderConfigReference = w.configRef()
	for _, f := range opts {
		f(r)
	}
	return r
}

// records creates n Records.
func (w *world) records(n int, opts ...recordOption) []*dnsv1alpha1.Record {
	w.t.Helper()
	var out []*dnsv1alpha1.Record
	for i := range n {
		r := w.record(fmt.Sprintf("r%03d", i), opts...)
		w.create(r)
		out = append(out, r)
	}
	return out
}

// made creates a Record and waits until it is settled.
func (w *world) made(name string, opts ...recordOption) *dnsv1alpha1.Record {
	w.t.Helper()
	r := w.record(name, opts...)
	w.create(r)
	w.settled(r)
	return r
}

// zoneObject returns a Zone that adopts the zone of the world. It does not create the
// object.
func (w *world) zoneObject() *zonev1alpha1.Zone {
	z := &zonev1alpha1.Zone{
		ObjectMeta: metav1.ObjectMeta{Name: "zone", Namespace: w.ns},
		Spec:       zonev1alpha1.ZoneSpec{ForProvider: zonev1alpha1.ZoneParameters{Name: ptr.To(w.zone.Name)}},
	}
	z.Spec.ProviderConfigReference = w.configRef()
	return z
}

func (w *world) create(o client.Object) {
	w.t.Helper()
	w.Create(o)
}

func (w *world) delete(o client.Object, opts ...client.DeleteOption) {
	w.t.Helper()
	w.Delete(o, opts...)
}

func (w *world) get(o client.Object) error { return w.Get(o) }

// patch applies a merge patch, as kubectl sends it.
func (w *world) patch(o client.Object, patch string) {
	w.t.Helper()
	if err := w.kube.Patch(w.t.Context(), o, client.RawPatch(types.MergePatchType, []byte(patch))); err != nil {
		w.t.Fatalf("cannot patch %T %s: %v", o, o.GetName(), err)
	}
}

func (w *world) eventually(f func() error) {
	w.t.Helper()
	w.Eventually(f)
}

// settled waits until managed resources are Ready, Synced and UpToDate.
func (w *world) settled(mgs ...resource.Managed) {
	w.t.Helper()
	for _, mg := range mgs {
		w.Settled(mg)
	}
}

// says waits until a condition of an object is False and its message contains all
// texts. The message must not show the token. It returns the message.
func (w *world) says(o conditioned, c xpv2.ConditionType, texts ...string) string {
	w.t.Helper()
	m := w.Says(o, c, texts...).Message
	if strings.Contains(m, w.token) {
		w.t.Errorf("the condition shows the token: %s", m)
	}
	w.t.Logf("%s of %s: %s", c, o.GetName(), m)
	return m
}

type conditioned = harness.Conditioned

func conditions(o resource.Conditioned) string { return harness.Conditions(o) }

// gone waits until objects do not exist.
func (w *world) gone(os ...client.Object) {
	w.t.Helper()
	for _, o := range os {
		w.Gone(o, func() string { return w.blockers(o) })
	}
}

// blockers returns why an object may still exist.
func (w *world) blockers(o client.Object) string {
	if c, ok := o.(resource.Conditioned); ok {
		return conditions(c)
	}
	ns, ok := o.(*corev1.Namespace)
	if !ok {
		return ""
	}
	var b strings.Builder
	for _, c := range ns.Status.Conditions {
		fmt.Fprintf(&b, "%s=%s %q; ", c.Type, c.Status, c.Message)
	}
	for _, mg := range w.left() {
		fmt.Fprintf(&b, "\n%T %s: %s", mg, mg.GetName(), conditions(mg))
	}
	return b.String()
}

// left returns the managed resources in the namespace of the world.
func (w *world) left() []resource.Managed {
	w.t.Helper()
	var out []resource.Managed
	for _, l := range []resource.ManagedList{&dnsv1alpha1.RecordList{}, &zonev1alpha1.ZoneList{}} {
		if err := w.kube.List(w.t.Context(), l, client.InNamespace(w.ns)); err != nil {
			w.t.Fatal(err)
		}
		out = append(out, l.GetItems()...)
	}
	return out
}

// live returns the live A records in the zone of the world. It checks that the
// foreign record is unchanged.
func (w *world) live() []simulator.Record {
	w.t.Helper()
	if got, ok := w.sim.Record(w.zone.ID, w.foreign.ID); !ok || got.Content != w.foreign.Content {
		w.t.Errorf("somebody else's record is %+v (%t), it was %+v", got, ok, w.foreign)
	}
	return slices.DeleteFunc(w.sim.Records(w.zone.ID), func(r simulator.Record) bool { return r.Type != "A" })
}

func (w *world) count(want int) {
	w.t.Helper()
	if got := w.live(); len(got) != want {
		w.t.Errorf("there are %d live records, want %d: %+v", len(got), want, got)
	}
}

func (w *world) zoneExists() bool {
	return slices.ContainsFunc(w.sim.Zones(), func(z simulator.Zone) bool { return z.ID == w.zone.ID })
}
