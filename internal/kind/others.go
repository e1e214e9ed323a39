// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"maps"
	"slices"
)

// UnmanagedElements are elements of a set that may belong to other owners. If they are not declared, they do
// not differ, and an update leaves them as they are. The set must have a Key.
type UnmanagedElements struct {
	// Are reports whether an element of an answer is one of them.
	Are func(element Document) bool
	// Keep holds the members of an update's body that make the API keep all of them.
	Keep Document
	// As returns an element that makes the API keep one of them.
	As func(element Document) Document
}

func (o *UnmanagedElements) are(element any) bool {
	m, ok := object(element)
	return ok && o.Are(m)
}

// keepOthers adds to body what makes the API keep the elements of other owners.
func (d Description) keepOthers(body Document) {
	for _, f := range d.Fields {
		if f.Others != nil {
			keep, _ := clone(f.Others.Keep).(Document)
			maps.Copy(body, keep)
		}
	}
}

// OthersAt returns the keys of the elements of the set at path that may belong to other owners,
// and that want does not declare.
func (d Description) OthersAt(path string, want, live Document) []string {
	f := d.field(path)
	if f.Others == nil {
		return nil
	}
	declared, _ := At(want, path)
	var out []string
	v, _ := At(live, path)
	for _, e := range values(v) {
		key := f.keyOf(e)
		mine := slices.ContainsFunc(values(declared), func(w any) bool { return f.keyOf(w) == key })
		if f.Others.are(e) && !mine {
			out = append(out, key)
		}
	}
	return out
}

// Drop changes the body of an update so that the API removes the elements of the set at path that
// have these keys. The body lists each of the other elements that may belong to other owners, so
// that the API keeps them.
func (d Description) Drop(body, want, live Document, path string, keys []string) {
	f := d.field(path)
	for name := range f.Others.Keep {
		delete(body, name)
	}
	others := d.OthersAt(path, want, live)
	v, _ := At(body, path)
	list := slices.Clone(values(v))
	had, _ := At(live, path)
	for _, e := range values(had) {
		key := f.keyOf(e)
		if m, ok := object(e); ok && slices.Contains(others, key) && !slices.Contains(keys, key) {
			list = append(list, f.Others.As(m))
		}
	}
	Put(body, path, list)
}
