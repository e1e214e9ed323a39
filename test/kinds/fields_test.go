// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// fieldUpdated shows that the update of each declared value changes only that value at
// Cloudflare, except timestamps, versions and fields that Cloudflare alone writes.
func fieldUpdated(w *world) { updatesFields(w, w.apply()) }

func updatesFields(w *world, mg described.Object) {
	w.T.Helper()
	id := meta.GetExternalName(mg)
	names := kind.Names(mg.GetForProvider())
	leaves := w.updatable()
	if len(leaves) == 0 {
		w.T.Fatal("the example declares nothing that an update can change")
	}
	for _, l := range leaves {
		before := w.flat(id)
		schema := w.schemaOf(l.general)
		w.edit(kind.Difference{Path: l.path}.Name(names), func(v any) any { return other(v, schema) })
		w.Settled(mg)
		after := w.flat(id)
		at := w.stored(l)
		if _, shown := before[at]; shown && same(before[at], after[at]) {
			w.T.Errorf("the update of %s changed nothing: it is %v", l.path, after[at])
		}
		for _, path := range differing(before, after) {
			if path != at && !isStamp(path) && !w.live(path, at) {
				w.T.Errorf("the update of %s changed %s from %v to %v", l.path, path, before[path], after[path])
			}
		}
	}
}

// updatable returns the values that an update can change one by one.
func (w *world) updatable() []leaf {
	w.T.Helper()
	return slices.DeleteFunc(w.leaves(), func(l leaf) bool {
		// Another value would mean another resource, or one with other members.
		return w.d.Fields[strings.TrimSuffix(l.general, "[]")].Ref != "" || decides(w.d, l.general) || paired(w.d, l.general)
	})
}

// paired reports whether a value can change only together with another value: the addresses of a
// Spectrum application depend on the type of its DNS record.
func paired(d kind.Description, general string) bool {
	return d.Name == "SpectrumApplication" && general == "dns.type"
}

// live reports whether Cloudflare alone writes the value at path. The value is one of the
// resource itself, or is beside the updated value.
func (w *world) live(path, updated string) bool {
	if other := w.chosen(path); other != "" && w.chosen(updated) != "" && other != w.chosen(updated) {
		return true // An answer has the same value in another form.
	}
	top, _, nested := strings.Cut(path, ".")
	beside, _, _ := strings.Cut(updated, ".")
	return (!nested || top == beside || slices.Contains(w.d.ReadOnly, top)) &&
		slices.ContainsFunc(w.d.ReadOnly, leaf{path, every.ReplaceAllString(path, "[]")}.in)
}

// chosen returns the alternative member that contains the value at path. It returns "" if the
// value is in none.
func (w *world) chosen(path string) string {
	if w.d.Choice == nil {
		return ""
	}
	for _, member := range w.d.Choice.Members {
		if (leaf{general: every.ReplaceAllString(path, "[]")}).in(member) {
			return member
		}
	}
	return ""
}

// decides reports whether the field at path determines the other members of an object.
func decides(d kind.Description, path string) bool {
	for _, f := range d.Fields {
		if f.By == path {
			return true
		}
	}
	return false
}

// flat returns the values of the resource by their paths, in the form in which the simulator
// stores them. For a singleton it returns those of the answer.
func (w *world) flat(id string) map[string]any {
	w.T.Helper()
	doc := w.answer(id)
	if w.d.Shape != kind.Singleton {
		doc = parsed(w.raw(id))
	}
	var all []leaf
	collect(doc, "", "", &all)
	out := map[string]any{}
	for _, l := range all {
		change(doc, l.path, func(v any) any {
			out[l.path] = v
			return v
		})
	}
	return out
}

// differing returns the paths whose values differ.
func differing(a, b map[string]any) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(path string) bool { return same(a[path], b[path]) })
}

// isStamp reports whether a value says when or how often a resource changed.
func isStamp(path string) bool {
	name := path[strings.LastIndex(path, ".")+1:]
	return strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "_on") || name == "version" || name == "last_updated"
}

// edit changes the field of that name in spec.forProvider of the object of the example.
func (w *world) edit(name string, to func(any) any) {
	w.T.Helper()
	u := w.untyped(w.example)
	harness.Edit(w.Objects, u, func(u *unstructured.Unstructured) { change(u.Object, "spec.forProvider."+name, to) })
}

// untyped converts an object to the form of its manifest.
func (w *world) untyped(o client.Object) *unstructured.Unstructured {
	w.T.Helper()
	gvks, _, err := w.kube.Scheme().ObjectKinds(o)
	if err != nil {
		w.T.Fatal(err)
	}
	raw, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		w.T.Fatal(err)
	}
	u := &unstructured.Unstructured{Object: raw}
	u.SetGroupVersionKind(gvks[0])
	return u
}

// declare sets the field of that name in spec.forProvider of the example, before its creation.
func (w *world) declare(name string, v any) {
	w.T.Helper()
	u := w.untyped(w.example)
	if strings.ContainsAny(name, "[{") { // The element exists.
		change(u.Object, "spec.forProvider."+name, func(any) any { return v })
	} else if err := unstructured.SetNestedField(u.Object, v, append([]string{"spec", "forProvider"}, strings.Split(name, ".")...)...); err != nil {
		w.T.Fatal(err)
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, w.example); err != nil {
		w.T.Fatal(err)
	}
}

// immutableRefused shows that the API server refuses a change of each immutable field, and its
// message says what to do.
func immutableRefused(w *world) {
	schema := w.forProvider()
	if has(schema, "accountId") && !has(schema, "zoneId") {
		w.declare("accountId", w.account.ID)
	}
	w.apply() // Fields that references set are immutable, too.
	shown := 0
	for name, s := range schema.Properties {
		if !slices.ContainsFunc(s.XValidations, func(r apiextensionsv1.ValidationRule) bool { return strings.Contains(r.Message, "is immutable") }) {
			continue
		}
		u := w.untyped(w.example)
		if err := w.kube.Get(w.T.Context(), client.ObjectKeyFromObject(u), u); err != nil {
			w.T.Fatal(err)
		}
		was, declared, _ := unstructured.NestedFieldNoCopy(u.Object, "spec", "forProvider", name)
		if !declared || len(s.Enum) == 1 { // A field with one allowed value has no other value.
			continue
		}
		shown++
		patch, err := json.Marshal(map[string]any{"spec": map[string]any{"forProvider": map[string]any{name: other(was, s)}}})
		if err != nil {
			w.T.Fatal(err)
		}
		err = w.kube.Patch(w.T.Context(), u, client.RawPatch(types.MergePatchType, patch), client.DryRunAll)
		if says := name + " is immutable: to keep the live resource, set spec.deletionPolicy to Orphan first; then delete this object and create another"; err == nil || !strings.Contains(err.Error(), says) {
			w.T.Errorf("a change of %s from %v to another value: got %v, want %q", name, was, err, says)
		}
	}
	if shown == 0 {
		w.T.Errorf("the example declares no field that is immutable")
	}
}

func has(s apiextensionsv1.JSONSchemaProps, name string) bool {
	_, ok := s.Properties[name]
	return ok
}
