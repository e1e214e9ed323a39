// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// A KeyField is a field of the spec that names a key of a Secret or a ConfigMap.
type KeyField struct {
	// Path is the path in the body for the value, and Name is the name of the field in the spec. List
	// elements have their positions in brackets. In Path, map values have their names in braces.
	Path, Name string
	// Value is the reference, of a generated type.
	Value any
}

// KeyFields returns the references to keys of Secrets and ConfigMaps that spec sets.
func KeyFields(spec any) []KeyField {
	var out []KeyField
	keyFields(reflect.Indirect(reflect.ValueOf(spec)), "", "", &out)
	return out
}

// SpecWithout returns a copy of spec, a pointer to a struct of a generated type, without the
// field of that name on the wire.
func SpecWithout(spec any, wire string) any {
	from := reflect.ValueOf(spec).Elem()
	out := reflect.New(from.Type())
	out.Elem().Set(from)
	for i := range from.NumField() {
		if name, _, ok := wireTag(from.Type().Field(i)); ok && name == wire {
			out.Elem().Field(i).SetZero()
		}
	}
	return out.Interface()
}

// SpecPlace returns a copy of spec, a pointer to a struct of a generated type, with only the fields that say
// where its resource is: parameters of paths and headers, a name that is the identity, references, and the fields
// of these wire names.
func SpecPlace(spec any, wires ...string) any {
	from := reflect.ValueOf(spec).Elem()
	out := reflect.New(from.Type())
	for i := range from.NumField() {
		name, what, ok := wireTag(from.Type().Field(i))
		if !ok || what == tagPath || what == tagHeader || what == tagName || slices.Contains(wires, name) {
			out.Elem().Field(i).Set(from.Field(i))
		}
	}
	return out.Interface()
}

func keyFields(v reflect.Value, path, name string, out *[]KeyField) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		wire, what, ok := wireTag(f)
		if !ok {
			continue
		}
		json, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		x := reflect.Indirect(v.Field(i))
		switch {
		case !x.IsValid():
		case what == tagSecret || what == tagConfigMap:
			if !x.IsZero() {
				*out = append(*out, KeyField{Path: path + wire, Name: name + json, Value: x.Interface()})
			}
		default:
			within(x, path+wire, name+json, out)
		}
	}
}

// within collects the references in a member of an object, or in the elements of a list or a map.
func within(x reflect.Value, path, name string, out *[]KeyField) {
	switch {
	case encodesItself(x):
	case x.Kind() == reflect.Struct:
		keyFields(x, path+".", name+".", out)
	case x.Kind() == reflect.Slice:
		for i := range x.Len() {
			if e := reflect.Indirect(x.Index(i)); e.Kind() == reflect.Struct && !encodesItself(e) {
				at := fmt.Sprintf("[%d].", i)
				keyFields(e, path+at, name+at, out)
			}
		}
	case x.Kind() == reflect.Map:
		all := byName(x)
		for _, key := range slices.Sorted(maps.Keys(all)) {
			if e := reflect.Indirect(all[key]); e.Kind() == reflect.Struct && !encodesItself(e) {
				keyFields(e, path+"{"+key+"}.", name+"."+key+".", out)
			}
		}
	}
}

// byName returns the values of a map by their names.
func byName(v reflect.Value) map[string]reflect.Value {
	out := map[string]reflect.Value{}
	for it := v.MapRange(); it.Next(); {
		out[it.Key().String()] = it.Value()
	}
	return out
}

// Keyed returns a path in which the elements of sets have their keys in the place of their
// positions in doc. It stays the same if the positions change.
func (d Description) Keyed(path string, doc Document) string {
	var general, out string
	var at any = doc
	for part := range strings.SplitSeq(path, ".") {
		bare, i, indexed := indexOf(part)
		m, _ := object(at)
		at = m[bare]
		general = join(general, bare)
		if !indexed {
			out = join(out, bare)
			continue
		}
		list, _ := at.([]any)
		if i >= len(list) {
			return path
		}
		at = list[i]
		if key := d.field(general).keyOf(at); key != "" {
			part = fmt.Sprintf("%s[%s]", bare, key)
		}
		general, out = general+"[]", join(out, part)
	}
	return out
}
