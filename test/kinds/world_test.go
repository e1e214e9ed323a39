// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// patience covers two back-offs in a row on a busy machine.
const patience = 3 * time.Minute

// zoneSuffix ends the name of the zone of a world.
const zoneSuffix = ".example"

// group is the part of an API group after its first label.
const group = ".cloudflare.m.crossplane.io"

// A world is the share of one test: a namespace with a ProviderConfig, an account with an active
// zone, and the example of one kind with the objects that it refers to.
type world struct {
	*suite
	harness.Objects

	d       kind.Description
	ns      string
	account simulator.Account
	zone    simulator.Zone
	// token is the credential of the provider. reader is that of a test that reads values, if
	// there is one: its calls do not count as calls of the provider.
	token, reader string
	// before are the objects of the example before that of the kind. example is the object of
	// the kind.
	before  []client.Object
	made    []client.Object
	example described.Object
	// manifest is that object in the form of the example.
	manifest *unstructured.Unstructured
	// rows are the lists by which the names of the example were resolved, by operation.
	rows map[string][]any
}

func newWorld(t *testing.T, d kind.Description) *world {
	t.Helper()
	w := buildWorld(t, d)
	t.Cleanup(w.cleanUp)
	t.Cleanup(w.logIfFailed)
	return w
}

// buildWorld is newWorld for a test that does its own cleanup.
func buildWorld(t *testing.T, d kind.Description) *world {
	t.Helper()
	w := emptyWorld(t, d)
	w.readExample()
	return w
}

// emptyWorld returns a world without the example.
func emptyWorld(t *testing.T, d kind.Description) *world {
	t.Helper()
	s := suiteOf(t)
	w := &world{suite: s, Objects: harness.Objects{T: t, Kube: s.kube, Patience: patience}, d: d}
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "k-"}}
	if err := w.kube.Create(t.Context(), ns); err != nil {
		t.Fatalf("cannot create a namespace: %v", err)
	}
	w.ns = ns.Name
	w.account = w.sim.AddAccount(w.ns)
	z, err := w.sim.AddZone(w.account.ID, w.ns+zoneSuffix, simulator.ZoneOptions{Plan: simulator.PlanEnterprise})
	if err != nil {
		t.Fatalf("cannot add a zone: %v", err)
	}
	w.zone = z
	everything := simulator.TokenOptions{Grants: []simulator.Grant{{Account: w.account.ID, Permission: simulator.Everything}}}
	w.token = w.sim.AddToken(everything)
	// cleanUp skips these: the deletion of a config needs a list of each kind, and
	// test/lifecycle tests it.
	w.Objects.Create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "cloudflare", Namespace: w.ns}, StringData: map[string]string{"token": w.token}})
	w.Objects.Create(&cfv1alpha1.ProviderConfig{
		ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: w.ns},
		Spec: cfv1alpha1.ProviderConfigSpec{
			Credentials: cfv1alpha1.Credentials{SecretRef: cfv1alpha1.LocalSecretKeySelector{Name: "cloudflare", Key: "token"}},
			CommonSpec:  cfv1alpha1.CommonSpec{AccountID: ptr.To(w.account.ID)},
		},
	})
	return w
}

// client returns a client for calls that are not those of the provider.
func (w *world) client() *http.Client { return &http.Client{Transport: w.transport} }

// logIfFailed logs the output and the calls of the provider for this world if the test failed.
func (w *world) logIfFailed() {
	if !w.T.Failed() {
		return
	}
	const last = 15
	var said, calls []string
	for _, line := range w.logs.all() {
		if strings.Contains(line, w.ns) {
			said = append(said, line)
		}
	}
	for _, r := range w.requests() {
		calls = append(calls, r.String())
	}
	said, calls = said[max(0, len(said)-last):], calls[max(0, len(calls)-2*last):]
	w.T.Logf("the provider's log and calls:\n%s", strings.Join(slices.Concat(said, calls), "\n"))
}

// Create creates an object and records it for cleanUp.
func (w *world) Create(o client.Object) {
	w.T.Helper()
	w.Objects.Create(o)
	if made, ok := o.DeepCopyObject().(client.Object); ok {
		w.made = append(w.made, made)
	}
}

// prepare creates the objects that the example refers to, and waits until they are settled.
func (w *world) prepare() {
	w.T.Helper()
	for _, o := range w.before {
		w.Create(o)
		if mg, ok := o.(resource.Managed); ok {
			w.Settled(mg)
		}
	}
}

// apply creates the example, and waits until it is settled.
func (w *world) apply() described.Object {
	w.T.Helper()
	w.prepare()
	w.Create(w.example)
	w.Settled(w.example)
	return w.example
}

// want returns what the example declares, in the form in which it is sent.
func (w *world) want() kind.Document {
	w.T.Helper()
	doc, err := kind.Encode(w.example.GetForProvider())
	if err != nil {
		w.T.Fatal(err)
	}
	return w.resolved(doc)
}

// collection returns the path of the collection of the resource of the example. For a singleton
// it returns the path of the resource, and for a fragment that of the document.
func (w *world) collection() string {
	w.T.Helper()
	s := w.d.Create
	switch {
	case w.d.Shape != kind.Collection && w.d.Bulk == "":
		s = w.d.Read
	case w.createsBelow():
		s = w.d.List
	}
	op, ok := kind.ParseOperation(s)
	if !ok {
		w.T.Fatalf("kind %s creates nothing", w.d.Name)
	}
	path, err := op.Expand(w.params())
	if err != nil {
		w.T.Fatal(err)
	}
	return path
}

// created returns the path of the call that creates the resource, for a fault.
func (w *world) created() string {
	w.T.Helper()
	switch {
	case w.d.Make != nil: // The document does not exist yet.
		op, _ := kind.ParseOperation(w.d.Make.Operation)
		path, err := op.Expand(w.params())
		if err != nil {
			w.T.Fatal(err)
		}
		return path
	case w.createsBelow():
		return w.collection() + "/*"
	}
	return w.collection()
}

// createsBelow reports whether the path of a creation continues after that of the collection,
// with the name of the new resource or a word.
func (w *world) createsBelow() bool {
	return strings.Count(w.d.Create, "/") > strings.Count(w.d.List, "/") && w.d.List != ""
}

func (w *world) params() map[string]string {
	params := kind.Parameters(w.example.GetForProvider())
	params["account_id"] = w.account.ID
	if w.d.Scope == kind.Zone || w.d.Scope == kind.Either && w.zoned() {
		params["zone_id"] = w.zone.ID // It is needed before the reference is resolved, too.
	}
	for name, f := range w.d.Fields {
		if params[name] == "" && f.Ref != "" {
			params[name] = w.idOf(f.Ref)
		}
	}
	params["accounts_or_zones"], params["account_or_zone_id"] = "accounts", w.account.ID
	if params["zone_id"] != "" {
		params["accounts_or_zones"], params["account_or_zone_id"] = "zones", params["zone_id"]
	}
	return params
}

// zoned reports whether the example is in a zone.
func (w *world) zoned() bool {
	return slices.ContainsFunc(w.before, func(o client.Object) bool { _, ok := o.(*zonev1alpha1.Zone); return ok })
}

// idOf returns the external name of the object of a kind that the example refers to.
func (w *world) idOf(ref string) string {
	for _, o := range w.before {
		mg, ok := o.(described.Object)
		if ok && strings.HasSuffix(fmt.Sprintf("%T", mg), "."+ref[strings.LastIndex(ref, ".")+1:]) {
			return meta.GetExternalName(mg)
		}
	}
	return ""
}

// item returns the path of the resource of that ID.
func (w *world) item(id string) string {
	w.T.Helper()
	switch {
	case w.d.Shape == kind.Singleton:
		return w.collection()
	case w.d.Bulk != "": // The given ID is the key of the fragment.
		id = w.listed(id)
	}
	return w.collection() + "/" + id
}

// raw returns what the simulator stores for the resource of that ID.
func (w *world) raw(id string) map[string]any {
	w.T.Helper()
	if w.d.Shape == kind.Fragment && w.d.Bulk == "" {
		return w.answer(id)
	}
	doc, err := w.sim.Resource(w.item(id))
	if err != nil {
		w.T.Fatalf("there is no %s %s: %v", w.d.Noun, id, err)
	}
	return doc
}

// count returns the number of resources in this world, without those that existed before.
func (w *world) count() int {
	n := 0
	if w.d.Shape == kind.Fragment && w.d.Bulk == "" {
		for _, e := range w.d.Elements(w.document()) {
			if w.d.FragmentKey(e) != "" {
				n++
			}
		}
		return n
	}
	for _, doc := range w.sim.Resources(w.collection()) {
		// Some collections are not below an account or a zone.
		ours := strings.Contains(w.collection(), w.account.ID) || strings.Contains(w.collection(), w.zone.ID) || strings.Contains(fmt.Sprint(doc), w.zone.Name)
		if ours && doc["deleted_at"] == nil && doc["revoked_at"] == nil {
			n++
		}
	}
	return n - w.sim.Seeded(w.collection())
}

// is waits until there are n resources. It does not wait for a singleton, as there is always
// one.
func (w *world) is(n int) {
	w.T.Helper()
	if w.d.Shape == kind.Singleton {
		return
	}
	w.Eventually(func() error {
		if got := w.count(); got != n {
			return fmt.Errorf("there are %d resources of kind %s, want %d", got, w.d.Name, n)
		}
		return nil
	})
}

// cleanUp deletes all objects of this test: an object that is left would be observed in every
// interval.
func (w *world) cleanUp() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	values, err := w.secrets(ctx)
	if err != nil {
		w.T.Errorf("cannot read the secrets: %v", err)
	}
	w.hidden.add(values...)
	// In this order, no object gets a finalizer again.
	for _, o := range slices.Backward(w.made) {
		_ = w.kube.Delete(ctx, o)
		if _, ok := o.(resource.Managed); ok {
			_ = w.kube.Patch(ctx, o, client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`)))
		}
	}
	if err := w.kube.Delete(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.ns}}); err != nil && !kerrors.IsNotFound(err) {
		w.T.Errorf("cannot delete the namespace: %v", err)
	}
}
