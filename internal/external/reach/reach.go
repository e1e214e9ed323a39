// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package reach says where the references and selectors of an object may lead.
package reach

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A Policy says where references may lead. The zero value keeps them in the namespace of their
// object.
type Policy struct {
	// Anywhere allows them to lead to every namespace.
	Anywhere bool
}

// An Outside is a reference or a selector that names another namespace than its object's.
type Outside struct {
	// Field is the path of the reference or the selector, as users write it. Namespace is the
	// namespace that it names.
	Field, Namespace string
}

// An OutsideError says that an object has a reference or a selector that leads out of its namespace.
type OutsideError struct {
	Outside

	// From is the namespace of the object.
	From string
}

func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s names the namespace %s, and references stay within their own, which is %s: refer to an object there, "+
		"or remove the reference and set the field that it fills in", e.Field, e.Namespace, e.From)
}

// Unseen says that the provider does not look at the external resource while the object has the
// reference.
func (*OutsideError) Unseen() {}

// Check returns an *OutsideError for an object with a reference that leads where it may not lead.
func (p Policy) Check(o client.Object) error {
	if p.Anywhere {
		return nil
	}
	if all := Outsides(o, o.GetNamespace()); len(all) > 0 {
		return &OutsideError{Outside: all[0], From: o.GetNamespace()}
	}
	return nil
}

// Within returns a reader for the references of objects in a namespace. It finds nothing in other
// namespaces, unless references may lead anywhere.
func (p Policy) Within(r client.Reader, namespace string) client.Reader {
	if p.Anywhere {
		return r
	}
	return within{Reader: r, namespace: namespace}
}

type within struct {
	client.Reader

	namespace string
}

// Get returns an object of the namespace, and NotFound for any other.
func (w within) Get(ctx context.Context, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
	if key.Namespace != w.namespace {
		return kerrors.NewNotFound(schema.GroupResource{}, key.String())
	}
	return w.Reader.Get(ctx, key, o, opts...)
}

// List lists objects of the namespace, and nothing of any other.
func (w within) List(ctx context.Context, l client.ObjectList, opts ...client.ListOption) error {
	if (&client.ListOptions{}).ApplyOptions(opts).Namespace != w.namespace {
		return nil
	}
	return w.Reader.List(ctx, l, opts...)
}

// Outsides returns the references and selectors in the spec of an object of any kind that name
// another namespace than the given one. They are in the order of the fields.
func Outsides(o client.Object, namespace string) []Outside {
	v := reflect.Indirect(reflect.ValueOf(o))
	if v.Kind() != reflect.Struct || !v.FieldByName("Spec").IsValid() {
		return nil
	}
	return outsides(v.FieldByName("Spec"), "spec", namespace)
}

// outsides returns the references and selectors within v, a part of an object, that name another
// namespace.
func outsides(v reflect.Value, path, namespace string) []Outside {
	switch v.Kind() { //nolint:exhaustive // Nothing else has references in it.
	case reflect.Pointer, reflect.Interface:
		return outsides(v.Elem(), path, namespace)
	case reflect.Slice, reflect.Array:
		return elements(v, path, namespace)
	case reflect.Map:
		return values(v, path, namespace)
	case reflect.Struct:
		if named, refers := named(v); refers {
			if named == "" || named == namespace {
				return nil
			}
			return []Outside{{Field: path, Namespace: named}}
		}
		return fields(v, path, namespace)
	}
	return nil
}

// named returns the namespace that v names, and reports whether v is a reference or a selector.
func named(v reflect.Value) (namespace string, refers bool) {
	t := v.Type()
	if t != reflect.TypeFor[xpv2.NamespacedReference]() && t != reflect.TypeFor[xpv2.NamespacedSelector]() {
		return "", false
	}
	return v.FieldByName("Namespace").String(), true
}

func fields(v reflect.Value, path, namespace string) []Outside {
	var out []Outside
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		at := path
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			at += "." + name
		}
		out = append(out, outsides(v.Field(i), at, namespace)...)
	}
	return out
}

func elements(v reflect.Value, path, namespace string) []Outside {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return nil // The content of a file can be large.
	}
	var out []Outside
	for i := range v.Len() {
		out = append(out, outsides(v.Index(i), fmt.Sprintf("%s[%d]", path, i), namespace)...)
	}
	return out
}

func values(v reflect.Value, path, namespace string) []Outside {
	keys := slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	var out []Outside
	for _, key := range keys {
		out = append(out, outsides(v.MapIndex(key), path+"."+key.String(), namespace)...)
	}
	return out
}
