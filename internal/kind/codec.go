// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// The struct tag of generated types: the name of the field at Cloudflare, and after a comma its
// role if it is not a field of the body.
const (
	tagWire = "wire"
	// tagPath marks a parameter of the path, tagHeader one of a request header, tagSecret a
	// reference to a Secret, tagConfigMap one to a ConfigMap, tagCreate a field that only a
	// creation sends, and tagName the identity of a resource that the user names.
	tagPath      = "path"
	tagHeader    = "header"
	tagSecret    = "secret"
	tagConfigMap = "configmap"
	tagCreate    = "create"
	tagName      = "name"
)

// Tags beside it. tagOneOf marks a field whose objects have exactly one member. tagBy marks a
// field that exists for some values of the member that the tag names.
const (
	tagOneOf = "oneof"
	tagBy    = "by"
)

// wireTag reads the tag of a field. ok is false if the field is never sent.
func wireTag(f reflect.StructField) (name, what string, ok bool) {
	tag, ok := f.Tag.Lookup(tagWire)
	name, what, _ = strings.Cut(tag, ",")
	return name, what, ok && name != ""
}

// Encode returns the body that spec declares, a struct of a generated type or a pointer to one. It leaves
// out fields that spec does not set, parameters of the path, and references to Secrets and ConfigMaps.
func Encode(spec any) (Document, error) {
	v, err := encodeValue(reflect.ValueOf(spec))
	if err != nil {
		return nil, err
	}
	doc, ok := v.(Document)
	if !ok {
		return nil, fmt.Errorf("%T is not a struct", spec)
	}
	return doc, nil
}

// encodeValue returns nil for a value that is not declared.
func encodeValue(v reflect.Value) (any, error) {
	switch v.Kind() { //nolint:exhaustive // All others are leaves.
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil, nil
		}
		if !encodesItself(v) {
			return encodeValue(v.Elem())
		}
	case reflect.Struct:
		if !encodesItself(v) {
			return encodeStruct(v)
		}
	case reflect.Slice:
		if v.IsNil() {
			return nil, nil
		}
		if !encodesItself(v) {
			return encodeList(v)
		}
	case reflect.Map:
		if v.IsNil() {
			return nil, nil
		}
		return encodeMap(v)
	}
	return encodeLeaf(v)
}

// encodesItself reports whether v has a JSON form other than that of its fields.
func encodesItself(v reflect.Value) bool {
	t := v.Type()
	m := reflect.TypeFor[json.Marshaler]()
	return t.Implements(m) || t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(m)
}

func encodeStruct(v reflect.Value) (any, error) {
	out := Document{}
	for i := range v.NumField() {
		name, what, ok := wireTag(v.Type().Field(i))
		if !ok || what != "" && what != tagCreate && what != tagName {
			continue
		}
		x, err := encodeValue(v.Field(i))
		if err != nil {
			return nil, fmt.Errorf("cannot encode %s: %w", name, err)
		}
		if x != nil {
			out[name] = x
		}
	}
	return out, nil
}

func encodeList(v reflect.Value) (any, error) {
	out := make([]any, v.Len())
	for i := range out {
		x, err := encodeValue(v.Index(i))
		if err != nil {
			return nil, err
		}
		out[i] = x
	}
	return out, nil
}

func encodeMap(v reflect.Value) (any, error) {
	out := FreeFormMap{}
	for it := v.MapRange(); it.Next(); {
		x, err := encodeValue(it.Value())
		if err != nil {
			return nil, err
		}
		out[it.Key().String()] = x
	}
	return out, nil
}

func encodeLeaf(v reflect.Value) (any, error) {
	raw, err := json.Marshal(v.Interface())
	if err != nil {
		return nil, err
	}
	return Parse(raw)
}

// Parse reads a JSON value. Numbers stay as they are written.
func Parse(raw []byte) (any, error) {
	var out any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err := d.Decode(&out)
	return out, err
}

// Decode sets the fields of a generated type from an answer. It leaves out a value of another
// type than in the document: an unexpected value must not keep the object from being managed.
func Decode(doc Document, into any) {
	decodeStruct(doc, reflect.ValueOf(into).Elem())
}

func decodeStruct(doc map[string]any, v reflect.Value) {
	for i := range v.NumField() {
		name, _, ok := wireTag(v.Type().Field(i))
		if !ok {
			continue
		}
		if x, found := At(doc, name); found {
			decodeValue(x, v.Field(i))
		}
	}
}

func decodeValue(x any, v reflect.Value) {
	switch {
	case x == nil:
	case v.Kind() == reflect.Pointer:
		n := reflect.New(v.Type().Elem())
		decodeValue(x, n.Elem())
		if !n.Elem().IsZero() || isScalar(n.Elem()) {
			v.Set(n)
		}
	case v.Kind() == reflect.Struct && !encodesItself(v):
		if m, ok := object(x); ok {
			decodeStruct(m, v)
		}
	case v.Kind() == reflect.Slice && !encodesItself(v):
		if list, ok := x.([]any); ok {
			out := reflect.MakeSlice(v.Type(), len(list), len(list))
			for i := range list {
				decodeValue(list[i], out.Index(i))
			}
			v.Set(out)
		}
	case v.Kind() == reflect.Map:
		decodeMap(x, v)
	default:
		decodeLeaf(x, v)
	}
}

func isScalar(v reflect.Value) bool { return v.Kind() != reflect.Struct }

func decodeMap(x any, v reflect.Value) {
	m, ok := object(x)
	if !ok {
		return
	}
	out := reflect.MakeMap(v.Type())
	for k, x := range m {
		n := reflect.New(v.Type().Elem()).Elem()
		decodeValue(x, n)
		out.SetMapIndex(reflect.ValueOf(k).Convert(v.Type().Key()), n)
	}
	v.Set(out)
}

func decodeLeaf(x any, v reflect.Value) {
	raw, err := json.Marshal(x)
	if err != nil {
		return
	}
	n := reflect.New(v.Type())
	if json.Unmarshal(raw, n.Interface()) == nil {
		v.Set(n.Elem())
	}
}
