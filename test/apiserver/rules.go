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

// rules are what the objects of a resource have to keep. Objects are JSON documents, which the methods
// change in place.
type rules interface {
	// decoded brings what a client sent into the form in which it is stored.
	decoded(obj map[string]any) error
	// create prepares what a client creates, and says what is wrong with it.
	create(ctx context.Context, obj map[string]any) field.ErrorList
	// update does so with what takes the place of old.
	update(ctx context.Context, obj, old map[string]any) field.ErrorList
	// updateStatus does so with a new status.
	updateStatus(ctx context.Context, obj, old map[string]any) field.ErrorList
}

// customRules are those of a CustomResourceDefinition.
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

// listErrors are those of lists that are sets or maps, unless the object had some before.
func (r *customRules) listErrors(obj, old map[string]any) field.ErrorList {
	errs := listtype.ValidateListSetsAndMaps(nil, r.schema, obj)
	if len(errs) > 0 && len(listtype.ValidateListSetsAndMaps(nil, r.schema, old)) > 0 {
		return nil
	}
	return errs
}

// ruled are the errors of the validation rules. They are not evaluated where a value is of another type
// than the schema has.
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

// builtinRules are those of a kind that the API server has itself: its objects are as its Go type has them.
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

// fill makes obj the document of a typed object.
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

// writeStringData moves what is to be encoded to where it is encoded.
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

// setOrDelete makes a value of obj what it is in old.
func setOrDelete(obj map[string]any, name string, old map[string]any) {
	delete(obj, name)
	if v, ok := old[name]; ok {
		obj[name] = v
	}
}

// metadata of an object, which has it.
func metadata(obj map[string]any) map[string]any {
	m, ok := obj["metadata"].(map[string]any)
	if !ok {
		m = map[string]any{}
		obj["metadata"] = m
	}
	return m
}
