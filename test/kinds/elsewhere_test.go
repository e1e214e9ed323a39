// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/reach"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// refersElsewhere shows that a reference to another namespace is refused. The provider sends nothing because of it,
// and the object gets no value of the object that it names. A resource that existed before is unchanged, and its
// object can be deleted.
func refersElsewhere(w *world) {
	w.prepare()
	victim := w.secondNamespace()
	const stolen = "11111111222222223333333344444444"
	for _, o := range w.before {
		if mg, ok := o.(resource.Managed); ok {
			w.Create(inNamespace(mg, victim, stolen))
		}
	}
	refer(reflect.ValueOf(w.example.GetForProvider()), victim)
	if len(reach.Outsides(w.example, w.ns)) == 0 {
		w.T.Logf("the example of %s has no reference", w.d.Name)
		return
	}
	from := w.writes()
	w.Create(w.example)
	field := reach.Outsides(w.example, w.ns)[0].Field
	refusal := func() { w.Says(w.example, xpv2.TypeSynced, field+" names the namespace "+victim) }
	refusal()
	w.during(2 * interval)
	w.untouched(from, stolen)

	harness.Edit(w.Objects, w.example, func(mg described.Object) { refer(reflect.ValueOf(mg.GetForProvider()), w.ns) })
	w.Settled(w.example)
	id := meta.GetExternalName(w.example)
	harness.Edit(w.Objects, w.example, func(mg described.Object) { refer(reflect.ValueOf(mg.GetForProvider()), victim) })
	from = w.writes()
	refusal()
	w.during(2 * interval)
	w.untouched(from, stolen)
	if now := meta.GetExternalName(w.example); now != id {
		w.T.Errorf("the object had the resource %q, and has %q", id, now)
	}
	leavesNothing(w, w.example)
}

// untouched fails if there were more writes than first, or if the object has a value of another namespace.
func (w *world) untouched(first int, stolen string) {
	w.T.Helper()
	if n := w.writes() - first; n > 0 {
		w.T.Errorf("there were %d writes", n)
	}
	if err := w.Get(w.example); err != nil {
		w.T.Fatal(err)
	}
	raw, err := json.Marshal(w.example)
	if err != nil {
		w.T.Fatal(err)
	}
	if strings.Contains(string(raw), stolen) {
		w.T.Errorf("the object has what another namespace has: %s", raw)
	}
}

// inNamespace returns an object of the same name in another namespace. It is paused, so the provider does not observe
// its resource.
func inNamespace(mg resource.Managed, namespace, id string) client.Object {
	out, ok := mg.DeepCopyObject().(resource.Managed)
	if !ok {
		panic("an object cannot be copied")
	}
	out.SetNamespace(namespace)
	out.SetUID("")
	out.SetResourceVersion("")
	out.SetFinalizers(nil)
	out.SetAnnotations(map[string]string{meta.AnnotationKeyExternalName: id, meta.AnnotationKeyReconciliationPaused: "true"})
	return out
}

// refer makes each reference and selector within v name a namespace.
func refer(v reflect.Value, namespace string) {
	switch v.Kind() { //nolint:exhaustive // Nothing else has references in it.
	case reflect.Pointer:
		if !v.IsNil() {
			refer(v.Elem(), namespace)
		}
	case reflect.Slice:
		for i := range v.Len() {
			refer(v.Index(i), namespace)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			one := reflect.New(v.Type().Elem()).Elem()
			one.Set(v.MapIndex(key))
			refer(one, namespace)
			v.SetMapIndex(key, one)
		}
	case reflect.Struct:
		if t := v.Type(); t == reflect.TypeFor[xpv2.NamespacedReference]() || t == reflect.TypeFor[xpv2.NamespacedSelector]() {
			v.FieldByName("Namespace").SetString(namespace)
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				refer(v.Field(i), namespace)
			}
		}
	}
}
