// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
)

// readExample reads the example of the kind, and those of the kinds that it refers to.
// Their zone is replaced by the zone of this world.
func (w *world) readExample() {
	w.T.Helper()
	all, err := examples(w.zone.Name, w.ns).Of(w.d.Name)
	if err != nil {
		w.T.Fatal(err)
	}
	for _, o := range all {
		typed := w.typed(o)
		if mg, ok := typed.(described.Object); ok && o.GetKind() == w.d.Name {
			w.example, w.manifest = mg, o
			continue
		}
		w.before = append(w.before, typed)
	}
	if w.example == nil {
		w.T.Fatalf("no example of kind %s", w.d.Name)
	}
}

// typed converts an object to its Go type.
func (w *world) typed(u *unstructured.Unstructured) client.Object {
	w.T.Helper()
	o, err := w.kube.Scheme().New(u.GroupVersionKind())
	if err != nil {
		w.T.Fatal(err)
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(u.Object, o, true); err != nil {
		w.T.Fatalf("the example of %s: %v", u.GetKind(), err)
	}
	out, ok := o.(client.Object)
	if !ok {
		w.T.Fatalf("%T is no object", o)
	}
	return out
}

// lost returns the values that were written and are now missing or different.
func lost(written, now any, path string) []string {
	var out []string
	switch w := written.(type) {
	case map[string]any:
		has, _ := now.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(w)) {
			out = append(out, lost(w[name], has[name], path+"."+name)...)
		}
		return out
	case []any:
		if has, ok := now.([]any); ok && len(has) == len(w) {
			for i := range w {
				out = append(out, lost(w[i], has[i], fmt.Sprintf("%s[%d]", path, i))...)
			}
			return out
		}
	}
	if cmp.Equal(written, now) {
		return nil
	}
	return []string{fmt.Sprintf("%s is %v and was %v", path, now, written)}
}
