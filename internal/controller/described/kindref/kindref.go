// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package kindref resolves the references of described kinds. Which field refers to which
// kind stands in the tags of the generated types, so that groups whose kinds refer to each
// other need not import each other.
package kindref

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/reference"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// tagRef of a field names the kind whose external name the field takes, such as
// "tunnel.Tunnel". The field's own name with Ref and Selector after it, or, for a list,
// with Refs and Selector in the place of its last "s", are the fields of the reference. After the
// kind, ",required" says that one of the three has to be set.
const tagRef = "ref"

// A Target makes objects of a kind that references lead to.
type Target struct {
	New     func() resource.Managed
	NewList func() resource.ManagedList
}

// Targets are kinds by their group and name, as tags name them.
type Targets map[string]Target

// Resolve fills in what the references in spec, a pointer to a struct of a generated type
// of mg, lead to. A value that is set already stays, unless a reference asks to be resolved
// each time. Its error names the field that cannot be resolved, or that needs a value.
func (t Targets) Resolve(ctx context.Context, c client.Reader, mg resource.Managed, spec any) error {
	w := walk{targets: t, r: reference.NewAPINamespacedResolver(c, mg), namespace: mg.GetNamespace()}
	return w.into(ctx, reflect.ValueOf(spec), "spec.forProvider")
}

var errUnset = errors.New("the value is empty: set it, or a reference or selector that it is read from")

type walk struct {
	targets   Targets
	r         *reference.APINamespacedResolver
	namespace string
}

// into resolves what is within v.
func (w walk) into(ctx context.Context, v reflect.Value, path string) error {
	switch v.Kind() { //nolint:exhaustive // Nothing else has references in it.
	case reflect.Pointer:
		if !v.IsNil() {
			return w.into(ctx, v.Elem(), path)
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := w.into(ctx, v.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		return w.names(ctx, v, path)
	case reflect.Struct:
		return w.fields(ctx, v, path)
	}
	return nil
}

// names resolves what is within the values of a map.
func (w walk) names(ctx context.Context, v reflect.Value, path string) error {
	keys := slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, key := range keys {
		value := reflect.New(v.Type().Elem()).Elem() // What is in a map cannot be set.
		value.Set(v.MapIndex(key))
		if err := w.into(ctx, value, path+"."+key.String()); err != nil {
			return err
		}
		v.SetMapIndex(key, value)
	}
	return nil
}

func (w walk) fields(ctx context.Context, v reflect.Value, path string) error {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		at := path + "." + name
		tag, refers := f.Tag.Lookup(tagRef)
		if !refers {
			if err := w.into(ctx, v.Field(i), at); err != nil {
				return err // It names the field.
			}
			continue
		}
		of, need, _ := strings.Cut(tag, ",")
		if err := w.reference(ctx, v, f, of); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		if need == "required" && empty(v.Field(i)) {
			return fmt.Errorf("%s: %w", at, errUnset)
		}
	}
	return nil
}

// reference resolves the reference of the field f of v.
func (w walk) reference(ctx context.Context, v reflect.Value, f reflect.StructField, of string) error {
	if f.Type.Kind() == reflect.Slice {
		return w.several(ctx, v, f.Name, of)
	}
	return w.one(ctx, v, f.Name, of)
}

// empty reports whether a text or a list of texts has no value.
func empty(v reflect.Value) bool {
	v = reflect.Indirect(v)
	return !v.IsValid() || v.Len() == 0
}

// one resolves the reference of one field of v.
func (w walk) one(ctx context.Context, v reflect.Value, name, of string) error {
	ref, _ := v.FieldByName(name + "Ref").Interface().(*xpv2.NamespacedReference)
	selector, _ := v.FieldByName(name + "Selector").Interface().(*xpv2.NamespacedSelector)
	value, _ := v.FieldByName(name).Interface().(*string)
	to, err := w.target(of)
	if err != nil || ref == nil && selector == nil {
		return err
	}
	out, err := w.r.Resolve(ctx, reference.NamespacedResolutionRequest{
		CurrentValue: reference.FromPtrValue(value), Extract: reference.ExternalName(),
		Namespace: w.namespace, Reference: ref, Selector: selector, To: to,
	})
	if err != nil {
		return err
	}
	v.FieldByName(name).Set(reflect.ValueOf(reference.ToPtrValue(out.ResolvedValue)))
	v.FieldByName(name + "Ref").Set(reflect.ValueOf(out.ResolvedReference))
	return nil
}

// several resolves the references of a list.
func (w walk) several(ctx context.Context, v reflect.Value, name, of string) error {
	stem := strings.TrimSuffix(name, "s")
	refs, _ := v.FieldByName(stem + "Refs").Interface().([]xpv2.NamespacedReference)
	selector, _ := v.FieldByName(stem + "Selector").Interface().(*xpv2.NamespacedSelector)
	values, _ := v.FieldByName(name).Interface().([]string)
	to, err := w.target(of)
	if err != nil || len(refs) == 0 && selector == nil {
		return err
	}
	out, err := w.r.ResolveMultiple(ctx, reference.MultiNamespacedResolutionRequest{
		CurrentValues: values, Extract: reference.ExternalName(),
		Namespace: w.namespace, References: refs, Selector: selector, To: to,
	})
	if err != nil {
		return err
	}
	v.FieldByName(name).Set(reflect.ValueOf(out.ResolvedValues))
	v.FieldByName(stem + "Refs").Set(reflect.ValueOf(out.ResolvedReferences))
	return nil
}

func (w walk) target(of string) (reference.To, error) {
	t, ok := w.targets[of]
	if !ok {
		return reference.To{}, fmt.Errorf("nothing is known of the kind %s", of)
	}
	return reference.To{Managed: t.New(), List: t.NewList()}, nil
}
