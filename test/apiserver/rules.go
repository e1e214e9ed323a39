// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
)

// rules are the rules for the objects of a resource. Objects are JSON documents, which the methods change
// in place.
type rules interface {
	// decoded converts the object that a client sent into the form in which it is stored.
	decoded(obj map[string]any) error
	// create prepares an object for its creation, and returns its errors.
	create(ctx context.Context, obj map[string]any) field.ErrorList
	// update prepares an object that replaces old, and returns its errors.
	update(ctx context.Context, obj, old map[string]any) field.ErrorList
	// updateStatus prepares an object whose status replaces that of old, and returns its errors.
	updateStatus(ctx context.Context, obj, old map[string]any) field.ErrorList
}

// customRules are the rules of a CustomResourceDefinition.
type customRules struct {
	schema            *structuralschema.Structural
	whole, statusPart validation.SchemaValidator
	cel               *cel.Validator
	status            bool
}

var _ rules = (*customRules)(nil)

func (r *customRules) decoded(obj map[string]any) error {
	pruning.Prune(obj, r.schema, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(obj, r.schema)
	if err := objectmeta.Coerce(nil, obj, r.schema, false, false); err != nil {
		return err
	}
	defaulting.Default(obj, r.schema)
	return nil
}

func (r *customRules) create(ctx context.Context, obj map[string]any) field.ErrorList {
	if r.status {
		delete(obj, "status")
	}
	metadata(obj)["generation"] = int64(1)
	errs := validation.ValidateCustomResource(nil, obj, r.whole)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, r.schema, obj)...)
	return append(errs, r.ruled(ctx, errs, obj, nil)...)
}

func (r *customRules) update(ctx context.Context, obj, old map[string]any) field.ErrorList {
	if r.status {
		setOrDelete(obj, "status", old)
	}
	if !sameButMetadata(obj, old) {
		generation, _ := metadata(old)["generation"].(int64)
		metadata(obj)["generation"] = generation + 1
	}
	link := common.NewCorrelatedObject(obj, old, &model.Structural{Structural: r.schema})
	errs := validation.ValidateCustomResourceUpdate(nil, obj, old, r.whole, validation.WithRatcheting(link))
	errs = append(errs, r.listErrors(obj, old)...)
	return append(errs, r.ruled(ctx, errs, obj, old, cel.WithRatcheting(link))...)
}

func (r *customRules) updateStatus(ctx context.Context, obj, old map[string]any) field.ErrorList {
	status, ok := obj["status"]
	clear(obj)
	for k, v := range runtime.DeepCopyJSON(old) {
		obj[k] = v
	}
	delete(obj, "status")
	link := common.NewCorrelatedObject(obj, old, &model.Structural{Structural: r.schema})
	var errs field.ErrorList
	if ok {
		obj["status"] = status
		errs = validation.ValidateCustomResourceUpdate(field.NewPath("status"), status, old["status"], r.statusPart, validation.WithRatcheting(link.Key("status")))
	}
	errs = append(errs, r.listErrors(obj, old)...)
	return append(errs, r.ruled(ctx, errs, obj, old, cel.WithRatcheting(link))...)
}

// listErrors returns the errors of lists that are sets or maps. It returns none if the old object had such
// errors.
func (r *customRules) listErrors(obj, old map[string]any) field.ErrorList {
	errs := listtype.ValidateListSetsAndMaps(nil, r.schema, obj)
	if len(errs) > 0 && len(listtype.ValidateListSetsAndMaps(nil, r.schema, old)) > 0 {
		return nil
	}
	return errs
}

// ruled returns the errors of the validation rules. The rules are not evaluated if errs has one that makes
// their evaluation impossible, like a value of the wrong type.
func (r *customRules) ruled(ctx context.Context, errs field.ErrorList, obj, old map[string]any, opts ...cel.Option) field.ErrorList {
	if r.cel == nil {
		return nil
	}
	for _, err := range errs {
		switch err.Type {
		case field.ErrorTypeTypeInvalid, field.ErrorTypeRequired, field.ErrorTypeTooMany, field.ErrorTypeTooLong, field.ErrorTypeNotSupported:
			return field.ErrorList{field.Invalid(nil, nil, "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation")}
		}
	}
	var before any // A nil map is no old object.
	if old != nil {
		before = old
	}
	out, _ := r.cel.Validate(ctx, nil, r.schema, obj, before, celconfig.RuntimeCELCostBudget, opts...)
	return out
}

// builtinRules are the rules of a built-in kind. Its objects have the form of its Go type.
type builtinRules struct{ kind schema.GroupVersionKind }

var _ rules = builtinRules{}

func (r builtinRules) decoded(obj map[string]any) error {
	typed, err := r.typed(obj)
	if err != nil {
		return err
	}
	if s, ok := typed.(*corev1.Secret); ok {
		writeStringData(s)
	}
	return r.fill(obj, typed)
}

func (r builtinRules) typed(obj map[string]any) (runtime.Object, error) {
	typed, err := clientgoscheme.Scheme.New(r.kind)
	if err != nil {
		return nil, err
	}
	return typed, runtime.DefaultUnstructuredConverter.FromUnstructured(obj, typed)
}

// fill replaces the content of obj by the document of a typed object.
func (r builtinRules) fill(obj map[string]any, typed runtime.Object) error {
	out, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		return fmt.Errorf("cannot write a %s: %w", r.kind.Kind, err)
	}
	clear(obj)
	for k, v := range out {
		obj[k] = v
	}
	obj["apiVersion"], obj["kind"] = r.kind.GroupVersion().String(), r.kind.Kind
	return nil
}

func (builtinRules) create(context.Context, map[string]any) field.ErrorList { return nil }

func (builtinRules) update(context.Context, map[string]any, map[string]any) field.ErrorList {
	return nil
}

func (builtinRules) updateStatus(context.Context, map[string]any, map[string]any) field.ErrorList {
	return nil
}

// writeStringData moves stringData to data, as the API server does.
func writeStringData(s *corev1.Secret) {
	for k, v := range s.StringData {
		if s.Data == nil {
			s.Data = map[string][]byte{}
		}
		s.Data[k] = []byte(v)
	}
	s.StringData = nil
	if s.Type == "" {
		s.Type = corev1.SecretTypeOpaque
	}
}

func sameButMetadata(a, b map[string]any) bool {
	without := func(m map[string]any) map[string]any {
		out := make(map[string]any, len(m))
		for k, v := range m {
			if k != "metadata" {
				out[k] = v
			}
		}
		return out
	}
	return equality.Semantic.DeepEqual(without(a), without(b))
}

// setOrDelete sets a value of obj to the value of old. It deletes the value if old has none.
func setOrDelete(obj map[string]any, name string, old map[string]any) {
	delete(obj, name)
	if v, ok := old[name]; ok {
		obj[name] = v
	}
}

// metadata returns the metadata of an object, and adds it if there is none.
func metadata(obj map[string]any) map[string]any {
	m, ok := obj["metadata"].(map[string]any)
	if !ok {
		m = map[string]any{}
		obj["metadata"] = m
	}
	return m
}
