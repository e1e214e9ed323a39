// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"slices"
	"strings"
)

// part returns the path of the list that holds the fragments.
func (d Description) part() string { return strings.TrimSuffix(d.Part, "[]") }

// Holds reports whether a document can hold elements. The path to their list must lead through objects or null, and the
// list must have objects only. A document that is written as a whole must have the first member of that path. Otherwise
// the answer is of another form, and a document that is built from it would lack the elements of other owners.
func (d Description) Holds(document Document) bool {
	first, rest, _ := strings.Cut(d.part(), ".")
	v, has := document[first]
	if !has && first != "" {
		return d.Create != ""
	}
	for rest != "" && v != nil {
		doc, ok := object(v)
		if !ok {
			return false
		}
		first, rest, _ = strings.Cut(rest, ".")
		v = doc[first]
	}
	list, ok := v.([]any)
	return v == nil || ok && !slices.ContainsFunc(list, func(e any) bool { _, is := object(e); return !is })
}

// Elements returns the elements of a document, of this provider and of other owners.
func (d Description) Elements(document Document) []Document {
	v, _ := At(document, d.part())
	list, _ := v.([]any)
	var out []Document
	for _, e := range list {
		if doc, ok := object(e); ok {
			out = append(out, doc)
		}
	}
	return out
}

// FragmentKey returns the key of an element in its document: the values at Natural in canonical
// form, separated by blanks. It is "" for an element without such values, such as the last one.
func (d Description) FragmentKey(element Document) string {
	var parts []string
	for _, path := range d.Natural {
		v := Text(element, path)
		if canonical := d.field(path).Canonical; canonical != nil {
			v = canonical(v)
		}
		if v != "" {
			parts = append(parts, v)
		}
	}
	return strings.Join(parts, " ")
}

// Element returns a live element with the declared values put over it, as it is sent. Without a
// live element, it returns the declared one.
func (d Description) Element(want, live Document) Document {
	out := d.kept(want, live)
	if out == nil {
		out = Document{}
	}
	for name, w := range want {
		out[name] = d.overlay(name, w, out[name])
	}
	return out
}

// With returns a copy of a document with an element. The element replaces the one with its key. A
// new element is inserted at the place that Before requires, or else at the end, but in front of
// Last. All other elements stay as they are.
func (d Description) With(document, element Document) Document {
	key := d.FragmentKey(element)
	elements := d.Elements(document)
	at := slices.IndexFunc(elements, func(e Document) bool { return d.FragmentKey(e) == key })
	if at >= 0 {
		elements = slices.Clone(elements)
		elements[at] = element
		return d.with(document, elements)
	}
	end := len(elements)
	if d.Last != nil {
		if end == 0 || d.FragmentKey(elements[end-1]) != "" {
			elements = append(elements, d.Last)
		} else {
			end--
		}
	}
	if d.Before != nil {
		if i := slices.IndexFunc(elements[:end], func(e Document) bool { return d.Before(element, e) }); i >= 0 {
			end = i
		}
	}
	return d.with(document, slices.Insert(elements, end, element))
}

// Removed returns a copy of a document without the element of that key, and nil for a document that does not exist.
func (d Description) Removed(document Document, key string) Document {
	if document == nil {
		return nil
	}
	return d.with(document, slices.DeleteFunc(d.Elements(document), func(e Document) bool { return d.FragmentKey(e) == key }))
}

func (d Description) with(document Document, elements []Document) Document {
	out, _ := clone(document).(Document)
	if out == nil {
		out = Document{}
	}
	list := make([]any, len(elements))
	for i, e := range elements {
		list[i] = e
	}
	Put(out, d.part(), list)
	return out
}
