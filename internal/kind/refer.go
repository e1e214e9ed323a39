// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"reflect"
	"strings"
)

// zoneKind is the kind that the parameter zone_id names.
const zoneKind = "zone.Zone"

// Refer replaces IDs by references. name returns the name of the object of a kind, such as
// "tunnel.Tunnel", and an ID, or "" if there is none. A list of IDs becomes references only if
// all of them are known. spec is a pointer to a struct of a generated type.
func (d Description) Refer(spec any, name func(kind, id string) string) {
	d.referIn(reflect.ValueOf(spec).Elem(), "", name)
}

func (d Description) referIn(v reflect.Value, general string, name func(kind, id string) string) {
	for i := range v.NumField() {
		wire, what, ok := wireTag(v.Type().Field(i))
		if !ok || what == tagSecret || what == tagConfigMap {
			continue
		}
		path := join(general, wire)
		if ref := d.refersTo(path); ref != "" {
			replace(v, i, func(id string) string { return name(ref, id) })
			continue
		}
		d.referWithin(v.Field(i), path, name)
	}
}

// referWithin replaces IDs in the structs that a value holds.
func (d Description) referWithin(v reflect.Value, path string, name func(kind, id string) string) {
	switch v = reflect.Indirect(v); {
	case !v.IsValid() || encodesItself(v):
	case v.Kind() == reflect.Struct:
		d.referIn(v, path, name)
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			d.referWithin(v.Index(i), path+"[]", name)
		}
	case v.Kind() == reflect.Map:
		for key, value := range byName(v) {
			in := reflect.New(v.Type().Elem()).Elem() // A value in a map cannot be set.
			in.Set(value)
			d.referWithin(in, path+"{}", name)
			v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), in)
		}
	}
}

// refersTo returns the kind that the value at a path names, "" for none.
func (d Description) refersTo(path string) string {
	switch ref := d.Fields[path].Ref; {
	case path == "zone_id":
		return zoneKind
	case ref == "" || strings.Contains(ref, "."):
		return ref
	default:
		return d.Group + "." + ref
	}
}

// ZoneField returns the path of the zone ID in a body of a kind that is not in a zone, "" if it has none.
func (d Description) ZoneField() string {
	if d.Scope.InZone() {
		return ""
	}
	if d.Hosted != nil {
		return d.Hosted.Zone
	}
	for path := range d.Fields {
		if d.refersTo(path) == zoneKind {
			return path
		}
	}
	return ""
}

// replace clears the field at i of a struct, and sets the reference beside it.
func replace(v reflect.Value, i int, name func(id string) string) {
	field, called := v.Field(i), v.Type().Field(i).Name
	one := v.FieldByName(called + "Ref")
	many := v.FieldByName(strings.TrimSuffix(called, "s") + "Refs")
	switch {
	case field.Kind() != reflect.Pointer && field.Kind() != reflect.Slice || field.IsNil():
	case one.IsValid() && field.Kind() == reflect.Pointer && field.Elem().Kind() == reflect.String:
		if to := name(field.Elem().String()); to != "" {
			one.Set(reflect.New(one.Type().Elem()))
			one.Elem().FieldByName("Name").SetString(to)
			field.SetZero()
		}
	case many.IsValid() && field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.String:
		out := reflect.MakeSlice(many.Type(), field.Len(), field.Len())
		for j := range field.Len() {
			to := name(field.Index(j).String())
			if to == "" {
				return
			}
			out.Index(j).FieldByName("Name").SetString(to)
		}
		many.Set(out)
		field.SetZero()
	}
}
