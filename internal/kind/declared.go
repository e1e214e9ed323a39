// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"reflect"
	"slices"
)

// Declared returns what a user would declare of a live resource, so that nothing differs. It
// leaves out fields that only Cloudflare writes, values that no answer shows, and values that
// count as none. A resource with unknown secrets may need more than that to be managed.
func (d Description) Declared(live Document) Document {
	out := d.sendable(live)
	d.withoutPlainToo(out)
	for _, path := range d.ReadOnly { // A creation may have sent it.
		if v, ok := At(live, path); ok {
			Put(out, path, v)
		}
	}
	for path, f := range d.Fields {
		if v, ok := At(live, f.Answer); f.Answer != "" && ok {
			Put(out, path, f.plain(v))
		}
	}
	doc, _ := d.meant("", out).(Document)
	if d.Choice != nil {
		d.Choice.first(doc)
	}
	return doc
}

// meant returns a value at a path without members that are empty, or that have the value which
// Cloudflare takes if they are left out. It also leaves out elements of a list that no spec can
// have. false and 0 stay: leaving them out may have another meaning.
func (d Description) meant(general string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := Document{}
		for name, x := range v {
			f := d.field(join(general, name))
			x = d.meant(join(general, name), x)
			if x != nil && f.Required {
				out[name] = x // The spec needs it, even if it equals the default.
				continue
			}
			if (nothing(x) && f.absent(x) || f.Default != nil && f.equal(f.Default, x)) && !d.field(general).OneOf {
				continue
			}
			if text, ok := x.(string); ok && f.Canonical != nil {
				x = f.Canonical(text)
			}
			out[name] = x
		}
		return out
	case []any:
		out := make([]any, 0, len(v))
		for _, x := range v {
			if d.offered(general+"[]", x) {
				out = append(out, d.meant(general+"[]", x))
			}
		}
		return out
	}
	return v
}

// nothing reports whether a value is nil or empty.
func nothing(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// offered reports whether the spec offers all values of an element.
func (d Description) offered(general string, element any) bool {
	doc, _ := element.(map[string]any)
	for name, v := range doc {
		if text, ok := v.(string); ok && slices.Contains(d.field(join(general, name)).Without, text) {
			return false
		}
	}
	return true
}

// SetParameters sets the parameters of paths and headers for which spec has a field, by the
// document's names. spec is a pointer to a struct of a generated type.
func SetParameters(spec any, params map[string]string) {
	v := reflect.ValueOf(spec).Elem()
	for i := range v.NumField() {
		name, what, ok := wireTag(v.Type().Field(i))
		value := params[name]
		if !ok || what != tagPath && what != tagHeader || value == "" {
			continue
		}
		decodeValue(value, v.Field(i))
	}
}
