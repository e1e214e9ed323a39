// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package kindref resolves the references of described kinds. The tags of the generated types say which field refers
// to which kind, so that groups whose kinds refer to each other need not import each other.
package kindref

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reference"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// tagRef of a field names the kind whose external name the field takes, such as "tunnel.Tunnel". The fields of the
// reference have the name of the field and Ref or Selector after it. For a list, Refs or Selector replaces the last
// "s" of the name. After the kind, ",required" says that one of the three has to be set.
const tagRef = "ref"

// A Target creates objects of a kind that references lead to.
type Target struct {
	New     func() resource.Managed
	NewList func() resource.ManagedList
}

// Targets are kinds by their group and name, as tags name them.
type Targets map[string]Target

// Resolve sets the fields in spec to what their references lead to. spec is a pointer to a struct of a generated type
// of mg. A value that is set already stays, unless a reference asks to be resolved each time. The error names the
// field that cannot be resolved, or that needs a value.
func (t Targets) Resolve(ctx context.Context, c client.Reader, mg resource.Managed, spec any) error {
	w := walk{targets: t, c: c, r: reference.NewAPINamespacedResolver(c, mg), namespace: mg.GetNamespace()}
	w.each = walk.resolved
	return w.into(ctx, reflect.ValueOf(spec), "spec.forProvider")
}

// An Outdated is a value that a reference led to before. It stays unless the resource that it names is gone.
type Outdated struct {
	// Of is the kind, Field is the field as users write it, and Value is its value.
	Of, Field, Value string
	// Now is what the reference leads to now, and To is the object that the reference names.
	Now string
	To  resource.Managed

	empty func()
}

// Empty empties the field, so that Resolve fills it with what its reference leads to now. An immutable field cannot
// change from one value to another in one write. In a list, the other value replaces the value at once.
func (o Outdated) Empty() { o.empty() }

// Outdated returns the values in spec, a pointer to a struct of a generated type of mg, that differ from what their
// references lead to now. It omits references that lead to nothing, because their object is gone or has no resource
// yet. A selector selects again if the object that it has selected is gone.
func (t Targets) Outdated(ctx context.Context, c client.Reader, mg resource.Managed, spec any) ([]Outdated, error) {
	var out []Outdated
	w := walk{targets: t, c: c, r: reference.NewAPINamespacedResolver(c, mg), namespace: mg.GetNamespace()}
	w.each = func(w walk, ctx context.Context, v reflect.Value, f reflect.StructField, of, at, _ string) error {
		found, err := w.outdated(ctx, v, f, of, at)
		out = append(out, found...)
		return err
	}
	err := w.into(ctx, reflect.ValueOf(spec), "spec.forProvider")
	return out, err
}

var errUnset = errors.New("the value is empty: set it, or a reference or selector that it is read from")

type walk struct {
	targets   Targets
	c         client.Reader
	r         *reference.APINamespacedResolver
	namespace string
	// each is called with each field f of a struct v that refers to a kind. Its error names the field.
	each func(w walk, ctx context.Context, v reflect.Value, f reflect.StructField, of, at, need string) error
	// store puts v back to where it was copied from. It is nil if v is no copy.
	store func()
}

// stored returns a function that calls change and then stores what it changed.
func (w walk) stored(change func()) func() {
	return func() {
		change()
		if w.store != nil {
			w.store()
		}
	}
}

// into calls w.each for the references within v.
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

// names calls w.each for the references within the values of a map.
func (w walk) names(ctx context.Context, v reflect.Value, path string) error {
	keys := slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, key := range keys {
		value := reflect.New(v.Type().Elem()).Elem() // What is in a map cannot be set.
		value.Set(v.MapIndex(key))
		within := w
		within.store = w.stored(func() { v.SetMapIndex(key, value) })
		if err := within.into(ctx, value, path+"."+key.String()); err != nil {
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
		if err := w.each(w, ctx, v, f, of, at, need); err != nil {
			return err
		}
	}
	return nil
}

// resolved resolves the reference of the field f of v.
func (w walk) resolved(ctx context.Context, v reflect.Value, f reflect.StructField, of, at, need string) error {
	if err := w.reference(ctx, v, f, of); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	if need == "required" && empty(v.FieldByIndex(f.Index)) {
		return fmt.Errorf("%s: %w", at, errUnset)
	}
	return nil
}

// outdated returns the values of the field f of v that differ from what its references lead to now.
func (w walk) outdated(ctx context.Context, v reflect.Value, f reflect.StructField, of, at string) ([]Outdated, error) {
	if f.Type.Kind() == reflect.Slice {
		return w.outdatedOfSeveral(ctx, v, f, of, at)
	}
	ref, _ := v.FieldByName(f.Name + "Ref").Interface().(*xpv2.NamespacedReference)
	selector, _ := v.FieldByName(f.Name + "Selector").Interface().(*xpv2.NamespacedSelector)
	value, _ := v.FieldByIndex(f.Index).Interface().(*string)
	if ref == nil || value == nil || *value == "" {
		return nil, nil // Nothing was resolved yet.
	}
	to, err := w.object(ctx, *ref, of)
	if kerrors.IsNotFound(err) && selector != nil {
		to, err = w.selected(ctx, selector, of)
	}
	if kerrors.IsNotFound(err) || errors.Is(err, errUnselected) {
		return nil, nil // The reference leads to nothing now.
	}
	if err != nil {
		return nil, err
	}
	out := Outdated{Of: of, Field: at, Value: *value, To: to}
	return out.unlessSame(w, func(string) {
		v.FieldByIndex(f.Index).SetZero()
		if ref.Name != to.GetName() {
			v.FieldByName(f.Name + "Ref").SetZero() // The selector selects again.
		}
	}), nil
}

var errUnselected = errors.New("nothing is selected")

// Refers reports whether the field of that name in spec, a pointer to a struct of a generated type, has a reference or a
// selector.
func Refers(spec any, field string) bool {
	v := reflect.ValueOf(spec).Elem()
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if (name == field+"Ref" || name == field+"Selector") && !v.Field(i).IsZero() {
			return true
		}
	}
	return false
}

// unlessSame returns o with the present external name of its object. It returns nothing if that is the same or empty.
func (o Outdated) unlessSame(w walk, empty func(now string)) []Outdated {
	o.Now = meta.GetExternalName(o.To)
	if o.Now == "" || o.Now == o.Value {
		return nil
	}
	o.empty = w.stored(func() { empty(o.Now) })
	return []Outdated{o}
}

// outdatedOfSeveral is outdated for a list: each value belongs to the reference of its position.
func (w walk) outdatedOfSeveral(ctx context.Context, v reflect.Value, f reflect.StructField, of, at string) ([]Outdated, error) {
	refs, _ := v.FieldByName(strings.TrimSuffix(f.Name, "s") + "Refs").Interface().([]xpv2.NamespacedReference)
	values, _ := v.FieldByIndex(f.Index).Interface().([]string)
	if len(refs) != len(values) {
		return nil, nil
	}
	var out []Outdated
	for i, ref := range refs {
		to, err := w.object(ctx, ref, of)
		if err != nil && !kerrors.IsNotFound(err) {
			return nil, err
		}
		if err == nil {
			one := Outdated{Of: of, Field: fmt.Sprintf("%s[%d]", at, i), Value: values[i], To: to}
			out = append(out, one.unlessSame(w, func(now string) { values[i] = now })...)
		}
	}
	return out, nil
}

// object returns the object that a reference names.
func (w walk) object(ctx context.Context, ref xpv2.NamespacedReference, of string) (resource.Managed, error) {
	to, err := w.target(of)
	if err != nil {
		return nil, err
	}
	at := client.ObjectKey{Namespace: cmp.Or(ref.Namespace, w.namespace), Name: ref.Name}
	return to.Managed, w.c.Get(ctx, at, to.Managed)
}

// selected returns what a selector selects now. The error is errUnselected if it selects nothing.
func (w walk) selected(ctx context.Context, selector *xpv2.NamespacedSelector, of string) (resource.Managed, error) {
	to, err := w.target(of)
	if err != nil {
		return nil, err
	}
	found, err := w.r.Resolve(ctx, reference.NamespacedResolutionRequest{
		Extract: reference.ExternalName(), Namespace: w.namespace, Selector: selector, To: to,
	})
	if err != nil || found.ResolvedReference == nil {
		return nil, errUnselected
	}
	return w.object(ctx, *found.ResolvedReference, of)
}

// reference resolves the reference of the field f of v.
func (w walk) reference(ctx context.Context, v reflect.Value, f reflect.StructField, of string) error {
	if f.Type.Kind() == reflect.Slice {
		return w.several(ctx, v, f.Name, of)
	}
	return w.one(ctx, v, f.Name, of)
}

// empty reports whether a string or a list of strings has no value.
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
