// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Parameters returns the parameters of paths and headers that spec has, by the document's names.
func Parameters(spec any) map[string]string {
	out := map[string]string{}
	v := reflect.Indirect(reflect.ValueOf(spec))
	for i := range v.NumField() {
		name, what, ok := wireTag(v.Type().Field(i))
		if f := reflect.Indirect(v.Field(i)); ok && (what == tagPath || what == tagHeader) && f.IsValid() && f.Kind() == reflect.String {
			out[name] = f.String()
		}
	}
	return out
}

// SetParameter sets the path parameter of that name in spec, a pointer to a struct of a generated type. "" removes it.
func SetParameter(spec any, parameter, value string) {
	v := reflect.ValueOf(spec).Elem()
	for i := range v.NumField() {
		name, what, ok := wireTag(v.Type().Field(i))
		f, set := v.Field(i), reflect.ValueOf(&value)
		if ok && name == parameter && what == tagPath && f.Type() == set.Type() {
			if value == "" {
				set = reflect.Zero(f.Type())
			}
			f.Set(set)
		}
	}
}

// A ParameterField is the field of a spec that holds a path parameter.
type ParameterField struct {
	// Name is the name of the field in the spec.
	Name string
	// Of is the kind whose external name is the parameter, such as "tunnel.Tunnel", "" if the field refers to none.
	Of string
}

// ParameterFields returns the fields of path parameters, by the names of the parameters. spec is a struct of a
// generated type, or a pointer to one.
func ParameterFields(spec any) map[string]ParameterField {
	out := map[string]ParameterField{}
	t := reflect.Indirect(reflect.ValueOf(spec)).Type()
	for i := range t.NumField() {
		name, what, ok := wireTag(t.Field(i))
		if !ok || what != tagPath {
			continue
		}
		field, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		of, _, _ := strings.Cut(t.Field(i).Tag.Get("ref"), ",")
		out[name] = ParameterField{Name: field, Of: of}
	}
	return out
}

// ZoneName returns the name of the zone in spec, a struct of a generated type or a pointer to one, "" if it has none.
func ZoneName(spec any) string {
	f := reflect.Indirect(reflect.ValueOf(spec)).FieldByName("ZoneName")
	if f = reflect.Indirect(f); f.Kind() != reflect.String {
		return ""
	}
	return f.String()
}

// Names returns the name in the spec for each path of a body. spec is a struct of a generated
// type, or a pointer to one.
func Names(spec any) map[string]string {
	out := map[string]string{}
	names(reflect.TypeOf(spec), "", "", out, 0)
	return out
}

// deepest bounds the depth to which types are followed.
const deepest = 12

// Of returns d with what the types of a spec add: paths that take the value of a Secret, which
// every answer masks, and objects that have exactly one member. spec is a struct of a generated
// type, or a pointer to one.
func (d Description) Of(spec any) Description {
	d.Fields = maps.Clone(d.Fields)
	if d.Fields == nil {
		d.Fields = map[string]Field{}
	}
	d.learn(reflect.TypeOf(spec), "", 0)
	return d
}

// learn adds what the type of the object at path says to the description's fields.
func (d Description) learn(t reflect.Type, path string, depth int) {
	t, suffix := element(t)
	if t.Kind() != reflect.Struct || depth > deepest {
		return
	}
	path += suffix
	for i := range t.NumField() {
		f := t.Field(i)
		wire, what, ok := wireTag(f)
		if !ok {
			continue
		}
		member := join(path, wire)
		if what == tagSecret || what == tagConfigMap {
			if !plainToo(t, wire) { // If the struct has both fields, the declared value decides.
				d.note(member, func(f *Field) { f.Concealed = true })
			}
			continue
		}
		if f.Tag.Get(tagOneOf) != "" {
			_, suffix := element(f.Type)
			d.note(member+suffix, func(f *Field) { f.OneOf = true })
		}
		if by := f.Tag.Get(tagBy); by != "" && path != "" && sends(t, by) {
			d.note(path, func(f *Field) { f.By = join(path, by) })
		}
		d.learn(f.Type, member, depth+1)
	}
}

// plainToo reports whether a struct has a field that takes the plain value.
func plainToo(t reflect.Type, name string) bool {
	return slices.ContainsFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool {
		wire, what, ok := wireTag(f)
		return ok && what == "" && wire == name
	})
}

// sends reports whether a struct has a field of that name on the wire. The member that decides
// about an object may be outside of it.
func sends(t reflect.Type, name string) bool {
	return slices.ContainsFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool {
		wire, _, ok := wireTag(f)
		return ok && wire == name
	})
}

func (d Description) note(path string, what func(*Field)) {
	f := d.Fields[path]
	what(&f)
	d.Fields[path] = f
}

// element returns the type inside pointers, lists and maps, and what the path needs for them.
func element(t reflect.Type) (reflect.Type, string) {
	suffix := ""
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		switch t.Kind() { //nolint:exhaustive // The condition above.
		case reflect.Slice:
			suffix += "[]"
		case reflect.Map:
			suffix += "{}"
		}
		t = t.Elem()
	}
	return t, suffix
}

func names(t reflect.Type, path, name string, out map[string]string, depth int) {
	t, suffix := element(t)
	if t.Kind() != reflect.Struct || depth > deepest {
		return
	}
	if path != "" {
		path, name = path+suffix+".", name+suffix+"."
	}
	for i := range t.NumField() {
		f := t.Field(i)
		wire, _, ok := wireTag(f)
		if !ok {
			continue
		}
		json, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		out[path+wire] = name + json
		names(f.Type, path+wire, name+json, out, depth+1)
	}
}

// CreateOnly returns the paths of a body that only a creation sends. spec is a struct of a
// generated type, or a pointer to one.
func CreateOnly(spec any) []string {
	var out []string
	createOnly(reflect.TypeOf(spec), "", &out)
	return out
}

func createOnly(t reflect.Type, path string, out *[]string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for i := range t.NumField() {
		wire, what, ok := wireTag(t.Field(i))
		switch {
		case !ok:
		case what == tagCreate, what == tagName:
			*out = append(*out, path+wire)
		default:
			createOnly(t.Field(i).Type, path+wire+".", out)
		}
	}
}
