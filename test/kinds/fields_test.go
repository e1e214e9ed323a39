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

// fieldUpdated: the update of each declared value changes that value at Cloudflare, and no
// other one but stamps, versions and what Cloudflare alone writes.
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

// updatable are the values that an update can change one by one.
func (w *world) updatable() []leaf {
	w.T.Helper()
	return slices.DeleteFunc(w.leaves(), func(l leaf) bool {
		// Another value is another resource, or one that has other members.
		return w.d.Fields[strings.TrimSuffix(l.general, "[]")].Ref != "" || decides(w.d, l.general) || paired(w.d, l.general)
	})
}

// paired reports whether a value can change only together with one elsewhere: the addresses of a
// Spectrum application are others for each type of its DNS record.
func paired(d kind.Description, general string) bool {
	return d.Name == "SpectrumApplication" && general == "dns.type"
}

// live reports whether Cloudflare alone writes the value at path: one of the resource itself, or
// one beside a value that was updated.
func (w *world) live(path, updated string) bool {
	if other := w.chosen(path); other != "" && w.chosen(updated) != "" && other != w.chosen(updated) {
		return true // An answer says the same in other words.
	}
	top, _, nested := strings.Cut(path, ".")
	beside, _, _ := strings.Cut(updated, ".")
	return (!nested || top == beside || slices.Contains(w.d.ReadOnly, top)) &&
		slices.ContainsFunc(w.d.ReadOnly, leaf{path, every.ReplaceAllString(path, "[]")}.in)
}

// chosen is the member that the value at path is in, of those of which a resource has one; "" for
// all else.
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

// decides reports whether another value of the field at path makes other members of an object.
func decides(d kind.Description, path string) bool {
	for _, f := range d.Fields {
		if f.By == path {
			return true
		}
	}
	return false
}

// flat are the values of the resource, by their paths, as they are stored where the
// simulator stores them.
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

// differing are the paths whose values are not the same.
func differing(a, b map[string]any) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(path string) bool { return same(a[path], b[path]) })
}

// isStamp reports whether a value says when a resource changed, or how often.
func isStamp(path string) bool {
	name := path[strings.LastIndex(path, ".")+1:]
	return strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "_on") || name == "version" || name == "last_updated"
}

// edit changes the field of that name in spec.forProvider of the example's object.
func (w *world) edit(name string, to func(any) any) {
	w.T.Helper()
	u := w.untyped(w.example)
	harness.Edit(w.Objects, u, func(u *unstructured.Unstructured) { change(u.Object, "spec.forProvider."+name, to) })
}

// untyped is an object as its manifest has it.
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

// declare sets the field of that name in spec.forProvider of the example, before it is
// created.
func (w *world) declare(name string, v any) {
	w.T.Helper()
	u := w.untyped(w.example)
	if strings.ContainsAny(name, "[{") { // Of an element that is there.
		change(u.Object, "spec.forProvider."+name, func(any) any { return v })
	} else if err := unstructured.SetNestedField(u.Object, v, append([]string{"spec", "forProvider"}, strings.Split(name, ".")...)...); err != nil {
		w.T.Fatal(err)
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, w.example); err != nil {
		w.T.Fatal(err)
	}
}

// immutableRefused: the API server refuses the change of each field that cannot be changed,
// and says what to do.
func immutableRefused(w *world) {
	schema := w.forProvider()
	if has(schema, "accountId") && !has(schema, "zoneId") {
		w.declare("accountId", w.account.ID)
	}
	w.apply() // The fields that references fill in are immutable, too.
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
		if !declared || len(s.Enum) == 1 { // Of the only value there is no other one.
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
