// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"slices"
	"strings"
)

// part is the path of the list that a Fragment is in.
func (d Description) part() string { return strings.TrimSuffix(d.Part, "[]") }

// Holds reports whether a document is one that elements can be in: what leads to their list is an object or null, the list
// has objects alone, and a document that is written as a whole has the member that all that begins with. From an answer
// that is another one, whoever merged an element into it would write a document without those of others.
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

// Elements are the elements of a document: fragments of ours and of others.
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

// FragmentKey tells an element from the others of its document: the values at Natural in
// their canonical form, with blanks in between. It is "" for one that has none, such as the
// last one.
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

// Element is a live element as it is sent with what is declared put over it. Without a
// live one it is what is declared.
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

// With puts an element into a document, in the place of the one of its key, or where
// Before has it, or as the last but for Last. All other elements stay as they are. The
// document is not changed: the result is another.
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

// Removed takes the element of that key out of a document, and leaves all others. Of a
// document that does not exist it makes none.
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
