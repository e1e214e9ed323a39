// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apis_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
)

// withoutWire are the types of fields of a forProvider that go nowhere: they lead to the
// value of the field before them.
var withoutWire = []string{"*v2.NamespacedReference", "[]v2.NamespacedReference", "*v2.NamespacedSelector"}

// TestDescribedFieldsAreData looks at the Go types of described kinds: each field goes
// into a request's body, path or header under a name of its own, or is a reference. A value, a
// Secret and a ConfigMap that it can come from share a name.
func TestDescribedFieldsAreData(t *testing.T) {
	s := runtime.NewScheme()
	if err := apis.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, crd := range crds(t) {
		o, ok := object(t, s, crd, crd.Spec.Names.Kind).(describedObject)
		if !ok {
			continue
		}
		seen++
		data(t, crd.Spec.Names.Kind, reflect.TypeOf(o.GetForProvider()).Elem())
	}
	if seen == 0 {
		t.Error("there is no described kind")
	}
}

func data(t *testing.T, path string, typ reflect.Type) {
	t.Helper()
	wires := map[string]bool{}
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("wire"), ",")
		here := path + "." + f.Name
		switch {
		case name == "" && (f.Name == "ZoneName" || slices.Contains(withoutWire, f.Type.String())):
			continue
		case name == "":
			t.Errorf("%s has no name on the wire, and its type is %s", here, f.Type)
		case wires[name+from(options)]:
			t.Errorf("%s has the name %s, which another field has", here, name)
		case !slices.Contains([]string{"", "create", "path", "header", "secret", "configmap", "name"}, options):
			t.Errorf("%s has the option %q", here, options)
		}
		wires[name+from(options)] = true
		for ft := f.Type; ; ft = ft.Elem() {
			if k := ft.Kind(); k == reflect.Struct && strings.Contains(ft.Name(), strings.Split(path, ".")[0]) {
				data(t, here, ft)
			} else if k == reflect.Pointer || k == reflect.Slice || k == reflect.Map {
				continue
			}
			break
		}
	}
}

// from says where the value of a field with that option comes from, "" for the spec itself.
func from(option string) string {
	if option == "secret" || option == "configmap" {
		return "," + option
	}
	return ""
}
