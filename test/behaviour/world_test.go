// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const (
	// patience covers two back-offs in a row, which grow to a minute each: that of an object, and
	// that of a watch that was cut repeatedly.
	patience = 3 * time.Minute
	tick     = harness.Tick
)

// A world is the share of one test: a namespace with a ProviderConfig, and an account with an active
// zone.
type world struct {
	*suite
	harness.Objects

	t       *testing.T
	ns      string
	account simulator.Account
	zone    simulator.Zone
	token   string

	// happenings are the faults that misbehave added.
	happenings map[happening][]int
	// randomFaults is true if not every fault has to fire.
	randomFaults bool
}

// permissions returns the permissions that the provider needs.
func permissions() []simulator.Permission {
	return []simulator.Permission{simulator.ZoneRead, simulator.ZoneWrite, simulator.DNSWrite}
}

type worldOption func(*worldOptions)

type worldOptions struct {
	zone        simulator.ZoneOptions
	permissions []simulator.Permission
}

func onPlan(p simulator.Plan) worldOption { return func(o *worldOptions) { o.zone.Plan = p } }

func withZone(z simulator.ZoneOptions) worldOption { return func(o *worldOptions) { o.zone = z } }

func withPermissions(p ...simulator.Permission) worldOption {
	return func(o *worldOptions) { o.permissions = p }
}

func newWorld(t *testing.T, opts ...worldOption) *world {
	t.Helper()
	o := worldOptions{zone: simulator.ZoneOptions{Plan: simulator.PlanPro}, permissions: permissions()}
	for _, f := range opts {
		f(&o)
	}
	s := suiteOf(t)
	w := &world{suite: s, Objects: harness.Objects{T: t, Kube: s.kube, Patience: patience}, t: t}
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "t-"}}
	if err := w.kube.Create(t.Context(), ns); err != nil {
		t.Fatalf("cannot create a namespace: %v", err)
	}
	w.ns = ns.Name
	w.account = w.sim.AddAccount(w.ns)
	z, err := w.sim.AddZone(w.account.ID, w.ns+".example", o.zone)
	if err != nil {
		t.Fatalf("cannot add a zone: %v", err)
	}
	w.zone = z
	var grants []simulator.Grant
	for _, p := range o.permissions {
		grants = append(grants, simulator.Grant{Account: w.account.ID, Permission: p})
	}
	w.token = w.sim.AddToken(simulator.TokenOptions{Grants: grants})
	w.create(&corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "cloudflare", Namespace: w.ns},
		StringData: map[string]string{"token": w.token},
	})
	pc := w.providerConfig("default", "cloudflare", "token")
	w.create(pc)
	t.Cleanup(w.cleanUp)
	// Before that, the first reconcile of an object may report that there is no config.
	w.eventually(func() error {
		if err := w.kube.Get(t.Context(), client.ObjectKeyFromObject(pc), pc); err != nil {
			return err
		}
		if !meta.FinalizerExists(pc, connect.Finalizer) {
			return errors.New("the provider has not seen the ProviderConfig yet")
		}
		return nil
	})
	t.Cleanup(w.everyFaultFired)
	return w
}

func (w *world) providerConfig(name, secret, key string) *cfv1alpha1.ProviderConfig {
	return &cfv1alpha1.ProviderConfig{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.ns},
		Spec: cfv1alpha1.ProviderConfigSpec{
			Credentials: cfv1alpha1.Credentials{SecretRef: cfv1alpha1.LocalSecretKeySelector{Name: secret, Key: key}},
			CommonSpec:  cfv1alpha1.CommonSpec{AccountID: ptr.To(w.account.ID)},
		},
	}
}

// cleanUp orphans all objects that are left, so that this test does not disturb others.
func (w *world) cleanUp() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, l := range []resource.ManagedList{&dnsv1alpha1.RecordList{}, &zonev1alpha1.ZoneList{}} {
		if err := w.kube.List(ctx, l, client.InNamespace(w.ns)); err != nil {
			w.t.Errorf("cannot list what is left: %v", err)
		}
		for _, mg := range l.GetItems() {
			mg.SetFinalizers(nil)
			_ = w.kube.Update(ctx, mg)
			_ = w.kube.Delete(ctx, mg)
		}
	}
}

func (w *world) create(o client.Object) {
	w.t.Helper()
	w.Create(o)
}

// edit changes the object as the API server has it.
func edit[T client.Object](w *world, o T, f func(T)) {
	w.t.Helper()
	harness.Edit(w.Objects, o, f)
}

func (w *world) delete(o client.Object) {
	w.t.Helper()
	w.Delete(o)
}

func (w *world) get(o client.Object) error { return w.Get(o) }

func (w *world) eventually(f func() error) {
	w.t.Helper()
	w.Eventually(f)
}

// until reads the object until f returns nil for it.
func until[T client.Object](w *world, o T, f func(T) error) {
	w.t.Helper()
	harness.Until(w.Objects, o, f)
}

func (w *world) gone(o client.Object) {
	w.t.Helper()
	w.Gone(o, func() string { return conditions(o) })
}

func conditions(o client.Object) string { return harness.Conditions(o) }

// settled waits until a managed resource is Ready, Synced and UpToDate.
func settled[T resource.Managed](w *world, mg T) {
	w.t.Helper()
	w.Settled(mg)
}

// refused waits until Synced is False because of an error, and its message contains all texts. The
// message must not show the token.
func refused[T resource.Managed](w *world, mg T, texts ...string) {
	w.t.Helper()
	c := w.Says(mg, xpv2.TypeSynced, texts...)
	if strings.Contains(c.Message, w.token) {
		w.t.Errorf("the condition shows the token: %s", c.Message)
	}
	if c.Reason != xpv2.ReasonReconcileError {
		w.t.Errorf("Synced of %s is False because of %s, want %s", mg.GetName(), c.Reason, xpv2.ReasonReconcileError)
	}
}

type recordOption func(*dnsv1alpha1.Record)

// record returns a Record in the zone of the world. It does not create the object.
func (w *world) record(name, typ, content string, opts ...recordOption) *dnsv1alpha1.Record {
	r := &dnsv1alpha1.Record{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "r-", Namespace: w.ns},
		Spec: dnsv1alpha1.RecordSpec{ForProvider: dnsv1alpha1.RecordParameters{
			ZoneID: ptr.To(w.zone.ID), Name: ptr.To(name), Type: ptr.To(typ), Content: ptr.To(content),
		}},
	}
	r.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ProviderConfigKind, Name: "default"}
	for _, f := range opts {
		f(r)
	}
	return r
}

// made creates a Record and waits until it is settled.
func (w *world) made(name, typ, content string, opts ...recordOption) *dnsv1alpha1.Record {
	w.t.Helper()
	r := w.record(name, typ, content, opts...)
	w.create(r)
	settled(w, r)
	return r
}

func policies(p ...xpv2.ManagementAction) recordOption {
	return func(r *dnsv1alpha1.Record) { r.Spec.ManagementPolicies = p }
}

func externalName(id string) recordOption {
	return func(r *dnsv1alpha1.Record) { meta.SetExternalName(r, id) }
}

func adoption(p dnsv1alpha1.AdoptionPolicy) recordOption {
	return func(r *dnsv1alpha1.Record) { r.Spec.AdoptionPolicy = p }
}

func parameters(f func(*dnsv1alpha1.RecordParameters)) recordOption {
	return func(r *dnsv1alpha1.Record) { f(&r.Spec.ForProvider) }
}

// live returns the only live record of that type in the zone of the world.
func (w *world) live(typ string) simulator.Record {
	w.t.Helper()
	var found []simulator.Record
	for _, r := range w.sim.Records(w.zone.ID) {
		if r.Type == typ {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		w.t.Fatalf("there are %d live records of type %s, want 1: %+v", len(found), typ, found)
	}
	return found[0]
}

func (w *world) noRecords() {
	w.t.Helper()
	if rs := w.sim.Records(w.zone.ID); len(rs) > 0 {
		w.t.Errorf("there are live records, want none: %+v", rs)
	}
}

// dashboard creates a record outside the provider.
func (w *world) dashboard(body map[string]any) simulator.Record {
	w.t.Helper()
	r, err := w.sim.CreateRecord(w.zone.ID, body)
	if err != nil {
		w.t.Fatalf("cannot create a record in the dashboard: %v", err)
	}
	return r
}

func (w *world) dashboardEdit(id string, body map[string]any) {
	w.t.Helper()
	if _, err := w.sim.PatchRecord(w.zone.ID, id, body); err != nil {
		w.t.Fatalf("cannot change a record in the dashboard: %v", err)
	}
}

// writes counts the write requests about the zone of the world.
func (w *world) writes() int {
	n := 0
	for _, r := range w.sim.RequestsAbout(w.zone.ID) {
		if r.Writes() {
			n++
		}
	}
	return n
}

// noWrites expects that the token of the world never requested a change, and does not until its zone
// is listed again.
func (w *world) noWrites() {
	w.t.Helper()
	w.sweeps(2)
	for _, r := range w.sim.RequestsWith(w.token) {
		if r.Writes() {
			w.t.Errorf("Cloudflare was asked for a change: %s %s", r, r.RequestBody)
		}
	}
}

// event waits for an event about an object. If the API server does not get the event, the provider
// must have recorded it. The runtime writes events one by one, and on a busy machine its queue falls
// behind and drops events.
func (w *world) event(o client.Object, reason, text string) {
	w.t.Helper()
	err := harness.Poll(w.t.Context(), patience, func() error {
		for _, e := range w.eventsOf(o) {
			if e.Reason == reason && strings.Contains(e.Message, text) {
				return nil
			}
		}
		return fmt.Errorf("no event %s with %q about %s", reason, text, o.GetName())
	})
	switch {
	case err == nil:
	case w.bubble == nil && w.recorded(o, reason, text):
		w.lost.Add(1)
		w.t.Logf("the runtime has lost the event %s about %s that the provider recorded, or is behind", reason, o.GetName())
	default:
		w.t.Fatalf("%v, and the provider recorded none; it has %s", err, w.about(o))
	}
}

// about returns the events and the conditions of an object.
func (w *world) about(o client.Object) string {
	var all []string
	for _, e := range w.eventsOf(o) {
		all = append(all, fmt.Sprintf("%d %s %q", e.Count, e.Reason, e.Message))
	}
	_ = w.get(o)
	return fmt.Sprintf("%q and %s", all, conditions(o))
}

// recorded reports whether the recorder of the provider got an event about an object: the runtime
// logs each of them.
func (w *world) recorded(o client.Object, reason, text string) bool {
	quoted := strconv.Quote(text)
	return slices.ContainsFunc(w.logs.all(), func(line string) bool {
		return strings.Contains(line, string(o.GetUID())) && strings.Contains(line, `"reason"="`+reason+`"`) && strings.Contains(line, quoted[1:len(quoted)-1])
	})
}

// eventsOf returns the events about an object.
func (w *world) eventsOf(o client.Object) []corev1.Event {
	w.t.Helper()
	l := &corev1.EventList{}
	if err := w.kube.List(w.t.Context(), l, client.InNamespace(o.GetNamespace())); err != nil {
		w.t.Fatal(err)
	}
	return slices.DeleteFunc(l.Items, func(e corev1.Event) bool { return e.InvolvedObject.UID != o.GetUID() })
}
