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

// An attempt is a way in which tenant A tries to reach the resources of tenant B.
type attempt struct {
	reason string
	// objects are the objects that A creates, and deletes afterwards.
	objects []*unstructured.Unstructured
	// waiting are older objects of A, which A changes now.
	waiting []*unstructured.Unstructured
	// paused are older objects of A, which were paused until now.
	paused []*unstructured.Unstructured
	// notes are annotations that A sets on an object again before its deletion, by the name of the object.
	notes map[string]map[string]string
	// status is the status that A writes to the objects. No role allows that: see docs/adr/0049.
	status any
	// takes maps spellings in requests to the names that the API takes for the same.
	takes map[string]string
	// restarts is true if the provider is restarted after A has created the objects, and has no memory of them.
	restarts bool
}

// attempts returns all attempts of A, in this order.
func (x *tenants) attempts() []attempt {
	x.T.Helper()
	return slices.Concat(x.observations(), x.adoptions(), x.names(), x.forgeries(), x.otherPaths(), x.references(), x.rivals(), x.restarts())
}

// strangers returns attempts at a resource of B that no object has any more, by objects that may not adopt. There are
// none for a singleton: it follows from the spec, and exists without an object.
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

// adopts reports whether objects of the kind have an adoption policy. Objects of other kinds adopt a resource by its ID
// if it is as declared.
func (x *tenants) adopts() bool { return x.spec["adoptionPolicy"] != nil }

// tries has A make an attempt and delete the objects that it has created.
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
	// looks is how long the objects of A exist: it covers sweeps and the attempts after a failure.
	looks = 3 * interval
	// goes is how long A waits for its deletions.
	goes = 2 * interval
)

// wasTried fails if the provider has not reconciled an object of A.
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

// createsAll creates the objects of A. It skips those that the API server refuses, but needs at least one.
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

// changes has A change objects that it created before.
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

// withAnnotations returns the patch that sets annotations, or removes those whose value is nil.
func withAnnotations(annotations map[string]any) map[string]any {
	return map[string]any{"metadata": map[string]any{"annotations": annotations}}
}

// patch changes an object of A, or its status.
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

// abandons removes the finalizers of an object of A if its deletion has not ended.
func (x *tenants) abandons(u *unstructured.Unstructured) {
	x.T.Helper()
	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
	if err := client.IgnoreNotFound(x.kube.Patch(x.T.Context(), u, patch)); err != nil {
		x.T.Fatal(err)
	}
}

// whileDown calls do while no provider runs.
func (x *tenants) whileDown(do func()) {
	x.T.Helper()
	x.kill()
	do()
	x.start()
	x.during(looks)
}

// respell replaces the spellings in a request by the names that the simulator knows.
func respell(r *http.Request, takes map[string]string) {
	segments := strings.Split(r.URL.Path, "/")
	for i, segment := range segments {
		segments[i] = cmp.Or(takes[segment], segment)
	}
	r.URL.Path, r.URL.RawPath = strings.Join(segments, "/"), ""
}

// manifestOfA returns an object that declares the same as that of B, with a connection secret. Its management policies
// are those actions.
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

// named returns manifestOfA with the external name of the resource of B.
func (x *tenants) named(name string, actions ...xpv2.ManagementAction) *unstructured.Unstructured {
	x.T.Helper()
	u := x.manifestOfA(actions...)
	x.setName(u, name)
	return u
}

// ways returns the management policies of the objects of A.
func ways() [][]xpv2.ManagementAction {
	return [][]xpv2.ManagementAction{
		{xpv2.ManagementActionAll},
		{xpv2.ManagementActionObserve, xpv2.ManagementActionDelete},
		{xpv2.ManagementActionObserve, xpv2.ManagementActionUpdate},
	}
}

// observations observe by the values that the object of B declares, and by the ID.
func (x *tenants) observations() []attempt {
	x.T.Helper()
	return []attempt{{reason: "it observes by the name, and by the ID", objects: []*unstructured.Unstructured{
		x.manifestOfA(xpv2.ManagementActionObserve), x.named(x.id, xpv2.ManagementActionObserve),
	}}}
}

// adoptions try to adopt under each policy.
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

// both returns an object that declares the same as that of B and, if possible, one that declares something else.
func (x *tenants) both(manifest func() *unstructured.Unstructured) []*unstructured.Unstructured {
	same, differs := manifest(), manifest()
	if x.it.other(differs) {
		return []*unstructured.Unstructured{same, differs}
	}
	return []*unstructured.Unstructured{same}
}

// names returns objects with the external name of B, which declare the same or something else.
func (x *tenants) names() []attempt {
	x.T.Helper()
	a := attempt{reason: "it has B's external name"}
	for _, actions := range ways() {
		a.objects = append(a.objects, x.both(func() *unstructured.Unstructured { return x.named(x.id, actions...) })...)
	}
	return []attempt{a}
}

// forgeries returns objects with the annotations of the provider on the object of B, and with its status.
func (x *tenants) forgeries() []attempt {
	x.T.Helper()
	status := attempt{reason: "it has B's status", status: x.notes.status}
	for _, actions := range ways()[:2] {
		status.objects = append(status.objects, x.named(x.id, actions...))
	}
	return append(x.notesOfB(), status)
}

// notesOfB returns objects with all annotations of B at each moment, with each annotation alone, and with all at once.
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

// forged returns an object with those annotations. It gets them again before its deletion.
func (x *tenants) forged(annotations map[string]string, again map[string]map[string]string, actions []xpv2.ManagementAction) *unstructured.Unstructured {
	x.T.Helper()
	u := x.manifestOfA(actions...)
	if !x.it.other(u) && !x.adopts() { // It may adopt, by its ID, a resource that is as declared.
		annotations = maps.Clone(annotations)
		delete(annotations, meta.AnnotationKeyExternalName)
	}
	x.set(u, "Never", "adoptionPolicy")
	meta.AddAnnotations(u, annotations)
	again[u.GetName()] = annotations
	return u
}

// restarts returns attempts while the provider is down, with new objects and with those from before the object of B.
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

// waitsFor creates paused objects of A that are older than that of B.
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
