// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// becomesReady shows that the example becomes Ready, and Cloudflare has what it declares.
// The values that its user wrote in the spec do not change.
func becomesReady(w *world) {
	written := w.manifest.DeepCopy()
	if err := w.kube.Create(w.T.Context(), written, client.DryRunAll); err != nil {
		w.T.Fatal(err)
	}
	mg := w.apply()
	now := w.manifest.DeepCopy()
	if err := w.Get(now); err != nil {
		w.T.Fatal(err)
	}
	if diff := lost(written.Object["spec"], now.Object["spec"], "spec"); len(diff) > 0 {
		w.T.Errorf("the spec is not as it was written: %s", strings.Join(diff, ", "))
	}
	w.is(1)
	if err := w.asDeclared(meta.GetExternalName(mg)); err != nil {
		w.T.Error(err)
	}
	if said := w.events(mg, "NormalizedByCloudflare"); len(said) > 0 {
		w.T.Errorf("Cloudflare is said to hold what was not sent: %q", said)
	}
	if name := mg.GetConnectionSecretName(); name != "" {
		s := &corev1.Secret{}
		w.Eventually(func() error { return w.kube.Get(w.T.Context(), client.ObjectKey{Namespace: w.ns, Name: name}, s) })
		for _, d := range w.d.Details {
			if len(s.Data[d.Key]) == 0 {
				w.T.Errorf("the connection secret has no %s", d.Key)
			}
		}
	}
}

// steadyIsSilent shows that a resource that matches its object causes lists and no other
// calls.
func steadyIsSilent(w *world) {
	mg := w.apply()
	settled := len(w.requests())
	w.lists(int(2*settle/interval) + 2) // A list that is trusted may show more than the answer to the creation did.
	if err := w.Get(mg); err != nil {
		w.T.Fatal(err)
	}
	before := mg.DeepCopyObject()
	version := mg.GetResourceVersion()
	fetched := w.fetches()
	w.lists(4)
	for _, r := range w.requests()[settled:] {
		if r.Method != http.MethodGet {
			w.T.Errorf("something was written: %s", r)
		}
	}
	if n := w.fetches() - fetched; n > 0 {
		w.T.Errorf("what the connection secret has was fetched again %d times", n)
	}
	if err := w.Get(mg); err != nil {
		w.T.Fatal(err)
	}
	if mg.GetResourceVersion() != version {
		w.T.Errorf("the object was written to:\n%s", cmp.Diff(before, mg))
	}
}

// foreignChangeReverted shows that a change of each declared value by another client is
// found, named and reverted.
func foreignChangeReverted(w *world) { revertsChanges(w, w.apply(), w.leaves()) }

// revertsChanges shows that for the given values.
func revertsChanges(w *world, mg described.Object, leaves []leaf) {
	w.T.Helper()
	if len(leaves) == 0 {
		w.T.Fatal("the example declares nothing that somebody else can change")
	}
	id := meta.GetExternalName(mg)
	for _, leaf := range leaves {
		before := len(w.logs.all())
		name := w.tamper(id, leaf)
		w.Eventually(func() error {
			if err := w.asDeclared(id); err != nil {
				return fmt.Errorf("the change of %s is not reverted: %w: %s", leaf.path, err, harness.Conditions(mg))
			}
			return nil
		})
		w.Eventually(func() error { return w.event(mg, "DriftDetected", name) })
		w.Eventually(func() error { return w.loggedDrift(before, mg, id, name) })
	}
	w.Settled(mg)
}

// loggedDrift returns nil if a line of the log reports the drift of a field, with the
// parent of the resource. It ignores the first skip lines.
func (w *world) loggedDrift(skip int, mg described.Object, id, field string) error {
	parent := mg.GetSync().Parent
	differs := regexp.MustCompile(`\{"field"="[^"]*` + regexp.QuoteMeta(field))
	for _, line := range w.logs.all()[skip:] {
		if strings.Contains(line, `"msg"="DriftDetected"`) && strings.Contains(line, fmt.Sprintf(`"uid"=%q "id"=%q "parent"=%q`, mg.GetUID(), id, parent)) &&
			differs.MatchString(line) {
			return nil
		}
	}
	return fmt.Errorf("no line says that %s of %s at %q drifted", field, mg.GetName(), parent)
}

// undeclaredIsLeft shows that an undeclared member keeps the value that another client
// sets. An update keeps it byte for byte, even if the document of the API does not have it.
func undeclaredIsLeft(w *world) {
	mg := w.apply()
	id := meta.GetExternalName(mg)
	future := map[string]any{"level": json.Number("1.50"), "list": []any{"x"}}
	want := w.want() // An edit must not call the simulator.
	w.editStored(id, func(doc map[string]any) { body(doc, want)["x_future"] = future })
	w.lists(3)
	leaves := w.leaves()
	if len(leaves) > 0 { // The revert of a change is an update.
		w.tamper(id, leaves[0])
		w.Eventually(func() error { return w.asDeclared(id) })
	}
	if got := body(w.raw(id), want)["x_future"]; !same(got, future) {
		w.T.Errorf("what nobody declares is %v after an update, and was %v", got, future)
	}
}

// body returns the object of a document to which an update may add: the member that holds
// all declared values, if there is one.
func body(doc map[string]any, want kind.Document) map[string]any {
	for name, v := range want {
		inner, ok := doc[name].(map[string]any)
		if _, whole := v.(map[string]any); ok && whole && len(want) == 1 {
			return inner
		}
	}
	return doc
}

// adopted shows that a resource of the same natural key is adopted, with an event.
func adopted(w *world) {
	w.prepare()
	w.Create(w.example)
	w.Settled(w.example)
	id := meta.GetExternalName(w.example)
	second := copyOf(w.example, "second")
	orphan(w, w.example)
	w.Create(second)
	w.Settled(second)
	if got := meta.GetExternalName(second); got != id {
		w.T.Errorf("the second object has %s, want %s", got, id)
	}
	w.is(1)
	w.Eventually(func() error { return w.event(second, "AdoptedExternalResource", id) })
}

// twoClaimants shows that a second object for the same resource is refused, and its
// condition names the first.
func twoClaimants(w *world) {
	first := w.apply()
	second := copyOf(first, "second")
	meta.SetExternalName(second, meta.GetExternalName(first))
	w.Create(second)
	w.Says(second, xpv2.TypeSynced, first.GetName())
	w.Delete(second)
	w.Gone(second, func() string { return harness.Conditions(second) })
	w.is(1)
}

// onlyObserved shows that an object that only observes changes nothing.
func onlyObserved(w *world) { changesNothing(w, w.apply()) }

// changesNothing makes a second object observe the resource of the first one.
func changesNothing(w *world, first described.Object) {
	w.T.Helper()
	second := copyOf(first, "observer")
	second.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionObserve})
	meta.SetExternalName(second, meta.GetExternalName(first))
	from := w.writes()
	w.Create(second)
	w.Settled(second)
	w.Delete(second)
	w.Gone(second, func() string { return harness.Conditions(second) })
	if n := w.writes() - from; n > 0 {
		w.T.Errorf("an object that only observes wrote %d times", n)
	}
	w.is(1)
}

// orphaned shows that a deletion with the deletionPolicy Orphan leaves the resource.
func orphaned(w *world) {
	orphan(w, w.apply())
	w.is(1)
}

// lostAnswer shows that a creation whose answer is lost creates one resource.
func lostAnswer(w *world) {
	w.prepare()
	fault := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultResetAfter, Method: w.creates(), Path: w.created(), Token: w.token})
	w.Create(w.example)
	w.Settled(w.example)
	if _, on := w.sim.Faults()[fault]; on {
		w.T.Errorf("the fault did not happen")
	}
	w.is(1)
}

// goneOutside shows that a resource that another client deleted is created again, with its
// connection secret.
func goneOutside(w *world) {
	mg := w.apply()
	id := meta.GetExternalName(mg)
	w.editStored(id, nil)
	w.Eventually(func() error {
		if err := w.Get(mg); err != nil {
			return err
		}
		if now := meta.GetExternalName(mg); now == id && w.count() == 0 {
			return fmt.Errorf("it is not back: %s", harness.Conditions(mg))
		}
		return nil
	})
	w.Settled(mg)
	w.is(1)
	w.publishesLive(mg)
}

// deleted shows that the deletion of the object ends, and leaves nothing.
func deleted(w *world) { leavesNothing(w, w.apply()) }

func leavesNothing(w *world, mg described.Object) {
	w.T.Helper()
	w.Delete(mg)
	w.Gone(mg, func() string { return harness.Conditions(mg) })
	w.is(0)
	if len(w.d.Unset) > 0 {
		if left := w.answer(""); left != nil {
			w.T.Errorf("the %s is still set: %v", w.d.Noun, left)
		}
	}
}

// orphan deletes an object and leaves its resource.
func orphan(w *world, mg described.Object) {
	w.T.Helper()
	harness.Edit(w.Objects, client.Object(mg), func(o client.Object) { setDeletionPolicy(w, o, xpv2.DeletionOrphan) })
	w.Delete(mg)
	w.Gone(mg, func() string { return harness.Conditions(mg) })
}

// copyOf returns an object that declares the same under another name.
func copyOf(mg described.Object, name string) described.Object {
	out, ok := mg.DeepCopyObject().(described.Object)
	if !ok {
		panic(fmt.Sprintf("%T cannot be copied", mg))
	}
	out.SetName(name)
	out.SetUID("")
	out.SetResourceVersion("")
	out.SetFinalizers(nil)
	out.SetAnnotations(nil)
	out.SetCreationTimestamp(metav1.Time{})
	giveSecret(out, mg.GetConnectionSecretName(), name)
	return out
}

// giveSecret sets a connection secret of its own for a copy, if the original has one.
func giveSecret(mg described.Object, original, name string) {
	mg.SetWriteConnectionSecretToReference(nil)
	if original != "" {
		mg.SetWriteConnectionSecretToReference(&xpv2.LocalSecretReference{Name: name})
	}
}

// requests returns the requests of the provider for this world.
func (w *world) requests() []simulator.LoggedRequest {
	return w.sim.RequestsWith(w.token)
}

// writes counts the write requests of this world.
func (w *world) writes() int { return w.asked(simulator.LoggedRequest.Writes) }

// sent counts the requests of this world with that method.
func (w *world) sent(method string) int {
	return w.asked(func(r simulator.LoggedRequest) bool { return r.Method == method })
}

// asked counts the requests of this world for which such returns true.
func (w *world) asked(such func(simulator.LoggedRequest) bool) int {
	n := 0
	for _, r := range w.requests() {
		if such(r) {
			n++
		}
	}
	return n
}

// lists waits until the provider has read the collection n more times.
func (w *world) lists(n int) {
	w.T.Helper()
	from := w.reads()
	w.Eventually(func() error {
		if got := w.reads() - from; got < n {
			return fmt.Errorf("the collection was read %d times, want %d", got, n)
		}
		return nil
	})
}

func (w *world) reads() int {
	w.T.Helper()
	collection, list := w.collection(), w.collection()
	if op, ok := kind.ParseOperation(w.d.List); ok && w.d.Shape == kind.Collection {
		var err error
		if list, err = op.Expand(w.params()); err != nil {
			w.T.Fatal(err)
		}
	}
	return w.asked(func(r simulator.LoggedRequest) bool {
		return r.Method == http.MethodGet && (strings.HasPrefix(r.Path, collection) || strings.HasPrefix(r.Path, list))
	})
}
