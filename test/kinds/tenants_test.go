// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestTwoTenants has two namespaces use one credential, for each kind. B owns the example. A tries to adopt, change or
// delete its resource, or to learn its secrets, in every way: see attempts. After each attempt, the resource, the
// Secrets and the object of B are as before, and the object is settled. No object in the namespace of A, no event and
// no line of the log has ever shown a secret of B.
func TestTwoTenants(t *testing.T) {
	if shared != nil {
		t.Log("each world has an API server of its own, in memory: it shows all forms that an object has had")
		return
	}
	described := map[string]kind.Description{"Record": {Name: "Record"}, "Zone": {Name: "Zone"}}
	for _, d := range kinds.All() {
		described[d.Name] = d
	}
	for _, name := range slices.Sorted(maps.Keys(described)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T) { newTenants(t, described[name]).show() }, append(kindsOf(t, name), rivalKinds(name)...)...)
		})
	}
}

// sharedConfig is the ClusterProviderConfig that both tenants use.
const sharedConfig = "shared"

// tenants are two namespaces that share a credential. The world is that of B.
type tenants struct {
	*world

	// a is the namespace of A.
	a string
	// it is the part that depends on the kind.
	it subject
	// object is the object of B, and id its external name.
	object resource.Managed
	id     string
	// rehearsed is the external name of the object of the rehearsal.
	rehearsed string
	// spec is the spec of the object of B without references to objects. It has the IDs that they resolve to.
	spec map[string]any
	// notes are the notes of the objects of B in their life.
	notes notes
	// mark is the state of B.
	mark mark
	// calls is the number of calls of the provider before the attempt. n is the number of manifests of A.
	calls, n int
	// keys are private keys that both tenants have.
	keys []string
	// gone is true if B has deleted its object and left the resource.
	gone bool
	// waits are objects of A that are older than that of B, and paused.
	waits []*unstructured.Unstructured
	// early are such objects of other kinds.
	early []*unstructured.Unstructured
}

// A mark is the complete state of B.
type mark struct {
	// Live is the resource at Cloudflare. Around has all other resources.
	Live   any
	Around map[string]any
	// Object is the object of B. Secrets are the Secrets of its namespace.
	Object  map[string]any
	Secrets map[string]map[string][]byte
}

// newTenants creates the two namespaces, and the objects that the example refers to in that of B.
func newTenants(t *testing.T, d kind.Description) *tenants {
	t.Helper()
	w := emptyWorld(t, d)
	t.Cleanup(w.cleanUp)
	t.Cleanup(w.logIfFailed)
	x := &tenants{world: w, a: w.namespace("a-")}
	system := w.namespace("system-")
	w.Objects.Create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "cloudflare", Namespace: system}, StringData: map[string]string{"token": w.token}})
	w.Objects.Create(&cfv1alpha1.ClusterProviderConfig{
		ObjectMeta: metav1.ObjectMeta{Name: sharedConfig},
		Spec: cfv1alpha1.ClusterProviderConfigSpec{
			Credentials: cfv1alpha1.ClusterCredentials{SecretRef: cfv1alpha1.SecretKeySelector{
				Namespace: system, LocalSecretKeySelector: cfv1alpha1.LocalSecretKeySelector{Name: "cloudflare", Key: "token"},
			}},
			CommonSpec: cfv1alpha1.CommonSpec{AccountID: ptr.To(w.account.ID)},
		},
	})
	x.it = subjectOf(x)
	x.declaresMore()
	for _, o := range w.before {
		if mg, ok := o.(resource.ModernManaged); ok {
			mg.SetProviderConfigReference(&xpv2.ProviderConfigReference{Kind: cfv1alpha1.ClusterProviderConfigKind, Name: sharedConfig})
		}
		switch o := o.(type) {
		case *corev1.Secret:
			x.shareInput(o)
		case *corev1.ConfigMap:
			x.Objects.Create(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: o.Name, Namespace: x.a}, Data: o.Data, BinaryData: o.BinaryData})
		}
	}
	w.prepare()
	return x
}

// namespace creates another namespace.
func (w *world) namespace(prefix string) string {
	w.T.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: prefix}}
	w.Objects.Create(ns)
	return ns.Name
}

// show leads the life of the object of B, and has A make all attempts.
func (x *tenants) show() {
	x.T.Helper()
	x.rehearses()
	x.begins()
	known := x.secretsOfB()
	for _, a := range x.attempts() {
		x.tries(a)
	}
	x.letsGo()
	for _, a := range x.strangers() {
		x.tries(a)
	}
	x.hasToldNoneOf(known)
}

// begins creates the object of B, leads it through its life, and marks the state of B.
func (x *tenants) begins() {
	x.T.Helper()
	x.lives(x.manifestOfB())
	x.during(quiet)
	x.Settled(x.object)
	x.id = meta.GetExternalName(x.object)
	x.spec = x.withoutReferences()
	x.learn(&x.notes)
	x.mark = x.marks()
	if len(x.notes.moments) < 2 {
		x.T.Fatalf("the annotations %v of a normal life are too few", x.notes.moments)
	}
}

// letsGo has B delete its object and leave the resource. From then on no object manages the resource.
func (x *tenants) letsGo() {
	x.T.Helper()
	u := x.untyped(x.object)
	harness.Edit(x.Objects, u, func(u *unstructured.Unstructured) { x.set(u, string(xpv2.DeletionOrphan), "deletionPolicy") })
	x.Delete(x.object)
	x.Gone(x.object, func() string { return harness.Conditions(x.object) })
	x.gone = true
	x.mark = x.marks()
}

// marks returns the current state of B.
func (x *tenants) marks() mark {
	x.T.Helper()
	m := mark{Live: plain(x.it.live(x.id)), Around: x.around(), Secrets: map[string]map[string][]byte{}}
	if !x.gone {
		if err := x.Get(x.object); err != nil {
			x.T.Fatal(err)
		}
		m.Object = x.untyped(x.object).Object
		for _, at := range [][]string{{"metadata", "managedFields"}, {"metadata", "resourceVersion"}} {
			unstructured.RemoveNestedField(m.Object, at...)
		}
		m.Object["status"] = withoutTimes(m.Object["status"])
	}
	all := &corev1.SecretList{}
	if err := x.kube.List(x.T.Context(), all, client.InNamespace(x.ns)); err != nil {
		x.T.Fatal(err)
	}
	for _, s := range all.Items {
		m.Secrets[s.Name] = s.Data
	}
	return m
}

// withoutTimes removes the transition times of conditions.
func withoutTimes(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			if !volatile(name) {
				out[name] = withoutTimes(member)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = withoutTimes(v[i])
		}
		return out
	}
	return v
}

// volatile reports whether a member depends on the time of the look instead of on the state.
func volatile(name string) bool { return name == "lastTransitionTime" }

// plain returns a value in the form of JSON.
func plain(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(err)
	}
	return out
}

// around returns all other resources at Cloudflare, except documents to which A may add, and counters of resources.
func (x *tenants) around() map[string]any {
	x.T.Helper()
	out := map[string]any{}
	for at, doc := range x.sim.AllResources() {
		if !x.it.shares(at) {
			out[at] = plain(doc)
		}
	}
	for _, r := range x.sim.Records(x.zone.ID) {
		out["record "+r.ID] = plain(r)
	}
	settings, err := x.sim.Settings(x.zone.ID)
	if err != nil {
		x.T.Fatal(err)
	}
	out["settings"] = plain(settings)
	return out
}

// unharmed fails if the state of B has changed.
func (x *tenants) unharmed(when string) {
	x.T.Helper()
	if !x.gone {
		x.Settled(x.object)
	}
	now := x.marks()
	for at, was := range x.mark.Around {
		if diff := cmp.Diff(was, now.Around[at]); diff != "" {
			x.T.Errorf("%s: %s changed:\n%s", when, at, diff)
		}
	}
	for what, values := range map[string][2]any{
		"resource": {x.mark.Live, now.Live}, "object": {x.mark.Object, now.Object}, "Secrets": {x.mark.Secrets, now.Secrets},
	} {
		if diff := cmp.Diff(values[0], values[1]); diff != "" {
			x.T.Errorf("%s: B's %s changed:\n%s", when, what, diff)
		}
	}
	for _, r := range x.requests()[x.calls:] {
		if r.Writes() && r.Status < http.StatusBadRequest && x.isAbout(r) {
			x.T.Errorf("%s: a call changes B's resource: %s %s %s", when, r, r.Path, r.RequestBody)
		}
	}
	if x.T.Failed() {
		x.T.Fatalf("%s: B is not unharmed", when)
	}
}

// isAbout reports whether a call is about the resource of B: its ID is in the path, or in the body, like that of a
// group of writes.
func (x *tenants) isAbout(r simulator.LoggedRequest) bool {
	if at := x.it.at(x.id); at != "" && (r.Path == at || strings.HasPrefix(r.Path, at+"/")) {
		return true
	}
	return x.d.Shape != kind.Fragment && len(x.id) >= 16 && strings.Contains(r.Path+" "+r.RequestBody, x.id)
}

// A subject is the part that depends on the kind.
type subject struct {
	// prepared changes the manifest of each object of B. rehearse changes that of the rehearsal.
	prepared, rehearse func(u *unstructured.Unstructured)
	// begun does what a person has to do once an object of B exists.
	begun func()
	// live returns the resource of an ID at Cloudflare. at returns its path, or "" for a part of a document.
	live func(id string) any
	at   func(id string) string
	// shares reports whether the document at a path is one to which A may add, or a counter of resources.
	shares func(at string) bool
	// creation returns the method and the path of the call that creates the resource.
	creation func() (method, path string)
	// drifts changes the resource as another client. edits changes the object as B.
	drifts, edits func()
	// other makes a manifest declare something else. It reports whether that is possible.
	other func(u *unstructured.Unstructured) bool
}
