// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// An attempt is something that A does to get at what is B's.
type attempt struct {
	reason string
	// objects are what A creates. A deletes them afterwards.
	objects []*unstructured.Unstructured
	// waiting are objects that A has created before, as A changes them now.
	waiting []*unstructured.Unstructured
	// paused are objects that A has created before, and that were paused until now.
	paused []*unstructured.Unstructured
	// notes are annotations that A puts on an object once more before its deletion, by the object's name.
	notes map[string]map[string]string
	// status is what A gives the objects as their status. No role allows that: see docs/adr/0049.
	status any
	// takes has what the API takes for the same, by what is sent.
	takes map[string]string
	// restarts is that the provider is started again after A has created the objects, and remembers nothing.
	restarts bool
}

// attempts are all that A tries, in this order.
func (x *tenants) attempts() []attempt {
	x.T.Helper()
	return slices.Concat(x.observations(), x.adoptions(), x.names(), x.forgeries(), x.otherPaths(), x.references(), x.rivals(), x.restarts())
}

// strangers are what A tries with a resource of B's that no object has any more, with objects that may take over nothing. What
// a singleton is follows from its spec, and is there without an object.
func (x *tenants) strangers() []attempt {
	x.T.Helper()
	if x.d.Shape == kind.Singleton {
		return nil
	}
	named := attempt{reason: "it has its external name"}
	for _, actions := range ways() {
		u := x.named(x.id, actions...)
		if x.it.other(u) || x.adopts() {
			x.set(u, "Never", "adoptionPolicy")
			named.objects = append(named.objects, u)
		}
	}
	out := append(x.notesOfB(), named)
	for i := range out {
		out[i].reason = "nobody has it, and " + out[i].reason
	}
	return out
}

// adopts reports whether objects of the kind say what they may take over. Others take over by the ID what is as declared.
func (x *tenants) adopts() bool { return x.spec["adoptionPolicy"] != nil }

// tries has A make an attempt, and delete what it has created.
func (x *tenants) tries(a attempt) {
	x.T.Helper()
	x.calls = len(x.requests())
	if a.takes != nil {
		x.wire.interrupt(func(r *http.Request) { respell(r, a.takes) })
		defer x.wire.interrupt(func(*http.Request) {})
	}
	restart := func(do func()) { do() }
	if a.restarts {
		restart = x.whileDown
	}
	var there []*unstructured.Unstructured
	restart(func() { there = append(x.createsAll(a), x.changes(a)...) })
	x.during(looks)
	x.unharmed(a.reason + ", while A's objects are there")
	for _, u := range there {
		x.wasTried(a, u)
		if again := a.notes[u.GetName()]; again != nil {
			x.patch(u, false, withAnnotations(plain(again).(map[string]any))) //nolint:forcetypeassert // It is a map.
		}
		x.Delete(u)
	}
	x.during(goes)
	for _, u := range there {
		x.abandons(u)
	}
	x.unharmed(a.reason + ", after A has deleted its objects")
}

const (
	// looks is how long A's objects are there: sweeps, and what is done again after a failure.
	looks = 3 * interval
	// goes is how long A waits for its deletions.
	goes = 2 * interval
)

// wasTried fails where the provider has not looked at an object of A's.
func (x *tenants) wasTried(a attempt, u *unstructured.Unstructured) {
	x.T.Helper()
	if err := x.Get(u); err != nil {
		x.T.Fatal(err)
	}
	conditions, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	if !slices.ContainsFunc(conditions, func(c any) bool { return c.(map[string]any)["type"] == string(xpv2.TypeSynced) }) { //nolint:forcetypeassert // It is a condition.
		x.T.Errorf("%s: the provider has not tried %s %s: %v", a.reason, u.GetKind(), u.GetName(), conditions)
	}
}

// createsAll creates A's objects. One that the API server refuses is none, and an attempt has one at least.
func (x *tenants) createsAll(a attempt) []*unstructured.Unstructured {
	x.T.Helper()
	var out []*unstructured.Unstructured
	for _, u := range a.objects {
		if a.status != nil {
			meta.AddAnnotations(u, map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
		}
		err := x.kube.Create(x.T.Context(), u)
		if kerrors.IsInvalid(err) {
			continue
		}
		if err != nil {
			x.T.Fatalf("%s: %v", a.reason, err)
		}
		if a.status != nil {
			x.patch(u, true, map[string]any{"status": a.status})
			x.patch(u, false, withAnnotations(map[string]any{meta.AnnotationKeyReconciliationPaused: nil}))
		}
		out = append(out, u)
	}
	if len(out) == 0 && len(a.objects) > 0 {
		x.T.Fatalf("%s: the API server refuses all %d objects", a.reason, len(a.objects))
	}
	return out
}

// changes has A change objects that it has created before.
func (x *tenants) changes(a attempt) []*unstructured.Unstructured {
	x.T.Helper()
	for _, u := range a.waiting {
		body := withAnnotations(map[string]any{meta.AnnotationKeyExternalName: x.id, meta.AnnotationKeyReconciliationPaused: nil})
		body["metadata"].(map[string]any)["finalizers"] = x.notes.finalizers //nolint:forcetypeassert // It is one.
		x.patch(u, false, body)
	}
	for _, u := range a.paused {
		x.patch(u, false, withAnnotations(map[string]any{meta.AnnotationKeyReconciliationPaused: nil}))
	}
	return slices.Concat(a.waiting, a.paused)
}

// withAnnotations is the patch that sets annotations, or removes those that are nil.
func withAnnotations(annotations map[string]any) map[string]any {
	return map[string]any{"metadata": map[string]any{"annotations": annotations}}
}

// patch changes an object of A's, or its status.
func (x *tenants) patch(u *unstructured.Unstructured, status bool, body map[string]any) {
	x.T.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		x.T.Fatal(err)
	}
	patch := client.RawPatch(types.MergePatchType, raw)
	if status {
		err = x.kube.Status().Patch(x.T.Context(), u, patch)
	} else {
		err = x.kube.Patch(x.T.Context(), u, patch)
	}
	if err != nil {
		x.T.Fatal(err)
	}
}

// abandons has A's object go past its finalizers, where its deletion does not end.
func (x *tenants) abandons(u *unstructured.Unstructured) {
	x.T.Helper()
	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
	if err := client.IgnoreNotFound(x.kube.Patch(x.T.Context(), u, patch)); err != nil {
		x.T.Fatal(err)
	}
}

// whileDown has something happen while no provider runs.
func (x *tenants) whileDown(do func()) {
	x.T.Helper()
	x.kill()
	do()
	x.start()
	x.during(looks)
}

// respell has the simulator see the names that it knows.
func respell(r *http.Request, takes map[string]string) {
	segments := strings.Split(r.URL.Path, "/")
	for i, segment := range segments {
		segments[i] = cmp.Or(takes[segment], segment)
	}
	r.URL.Path, r.URL.RawPath = strings.Join(segments, "/"), ""
}

// manifestOfA declares what B's object does, with a connection secret. Its policies are those actions.
func (x *tenants) manifestOfA(actions ...xpv2.ManagementAction) *unstructured.Unstructured {
	x.T.Helper()
	x.n++
	u := x.untyped(x.object)
	fresh(u, x.a, fmt.Sprint("a-", x.n))
	u.Object["spec"] = runtime.DeepCopyJSON(x.spec)
	var policies []any
	for _, action := range actions {
		policies = append(policies, string(action))
	}
	x.set(u, policies, "managementPolicies")
	x.set(u, u.GetName(), "writeConnectionSecretToRef", "name")
	x.set(u, string(xpv2.DeletionDelete), "deletionPolicy")
	return u
}

// named is manifestOfA with the name of B's resource.
func (x *tenants) named(name string, actions ...xpv2.ManagementAction) *unstructured.Unstructured {
	x.T.Helper()
	u := x.manifestOfA(actions...)
	x.setName(u, name)
	return u
}

// Policies of A's objects.
func ways() [][]xpv2.ManagementAction {
	return [][]xpv2.ManagementAction{
		{xpv2.ManagementActionAll},
		{xpv2.ManagementActionObserve, xpv2.ManagementActionDelete},
		{xpv2.ManagementActionObserve, xpv2.ManagementActionUpdate},
	}
}

// observations are by what B's object declares, and by the ID.
func (x *tenants) observations() []attempt {
	x.T.Helper()
	return []attempt{{reason: "it observes by the name, and by the ID", objects: []*unstructured.Unstructured{
		x.manifestOfA(xpv2.ManagementActionObserve), x.named(x.id, xpv2.ManagementActionObserve),
	}}}
}

// adoptions are under each policy.
func (x *tenants) adoptions() []attempt {
	x.T.Helper()
	a := attempt{reason: "it adopts"}
	for _, policy := range []string{"Identical", "NameAndType", "Never"} {
		for _, u := range x.both(func() *unstructured.Unstructured { return x.manifestOfA(xpv2.ManagementActionAll) }) {
			x.set(u, policy, "adoptionPolicy")
			a.objects = append(a.objects, u)
		}
	}
	return []attempt{a}
}

// both are an object that declares what B's does, and, where there is one, an object that declares something else.
func (x *tenants) both(manifest func() *unstructured.Unstructured) []*unstructured.Unstructured {
	same, differs := manifest(), manifest()
	if x.it.other(differs) {
		return []*unstructured.Unstructured{same, differs}
	}
	return []*unstructured.Unstructured{same}
}

// names are objects with B's external name, that declare the same or something else.
func (x *tenants) names() []attempt {
	x.T.Helper()
	a := attempt{reason: "it has B's external name"}
	for _, actions := range ways() {
		a.objects = append(a.objects, x.both(func() *unstructured.Unstructured { return x.named(x.id, actions...) })...)
	}
	return []attempt{a}
}

// forgeries are objects with what the provider has noted on B's, and with B's status.
func (x *tenants) forgeries() []attempt {
	x.T.Helper()
	status := attempt{reason: "it has B's status", status: x.notes.status}
	for _, actions := range ways()[:2] {
		status.objects = append(status.objects, x.named(x.id, actions...))
	}
	return append(x.notesOfB(), status)
}

// notesOfB are objects with all annotations of B's as they were at each moment, with each alone, and with everything at once.
func (x *tenants) notesOfB() []attempt {
	x.T.Helper()
	var out []attempt
	for i, actions := range ways()[:2] {
		a := attempt{reason: fmt.Sprintf("it has B's annotations, labels and finalizers, %v", actions), notes: map[string]map[string]string{}}
		last := map[string]string{}
		for j, m := range x.notes.moments {
			if j%2 == i || j == len(x.notes.moments)-1 { // Each moment once, the last one under both policies.
				a.objects = append(a.objects, x.forged(m, a.notes, actions))
			}
		}
		for _, key := range slices.Sorted(maps.Keys(x.notes.values)) {
			values := x.notes.values[key]
			last[key] = values[len(values)-1]
			if !isNote(key) {
				values = values[len(values)-1:]
			}
			for _, v := range values {
				if i > 0 || isNote(key) {
					a.objects = append(a.objects, x.forged(map[string]string{key: v}, a.notes, actions))
				}
			}
		}
		u := x.forged(last, a.notes, actions)
		u.SetLabels(x.notes.labels)
		u.SetFinalizers(x.notes.finalizers)
		a.objects = append(a.objects, u)
		out = append(out, a)
	}
	return out
}

// forged is an object with those annotations, which it gets once more before its deletion.
func (x *tenants) forged(annotations map[string]string, again map[string]map[string]string, actions []xpv2.ManagementAction) *unstructured.Unstructured {
	x.T.Helper()
	u := x.manifestOfA(actions...)
	if !x.it.other(u) && !x.adopts() { // It may take over by its ID what is as declared.
		annotations = maps.Clone(annotations)
		delete(annotations, meta.AnnotationKeyExternalName)
	}
	x.set(u, "Never", "adoptionPolicy")
	meta.AddAnnotations(u, annotations)
	again[u.GetName()] = annotations
	return u
}

// restarts are what A does while the provider is down: with what it had before B's object was there, too.
func (x *tenants) restarts() []attempt {
	x.T.Helper()
	a := attempt{reason: "the provider starts again", restarts: true, notes: map[string]map[string]string{}}
	for _, actions := range ways() {
		u := x.forged(x.notes.moments[len(x.notes.moments)-1], a.notes, actions)
		x.setName(u, x.id)
		u.SetFinalizers(x.notes.finalizers)
		a.objects = append(a.objects, u)
	}
	a.waiting = x.waits
	return []attempt{a}
}

// waitsFor creates objects of A that are older than B's and wait.
func (x *tenants) waitsFor() {
	x.T.Helper()
	x.spec = x.withoutReferences()
	for _, actions := range ways() {
		u := x.manifestOfA(actions...)
		meta.AddAnnotations(u, map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
		x.Objects.Create(u)
		x.waits = append(x.waits, u)
	}
	for _, r := range rivalsOf(x.d.Name) {
		x.early = append(x.early, x.rival(r, true)...)
	}
	for _, u := range x.early {
		x.Objects.Create(u)
	}
}
