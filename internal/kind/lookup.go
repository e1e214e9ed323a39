// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"fmt"
	"slices"
	"strings"
)

// A Lookup says how the spec may name an object by something other than its ID. It belongs to the
// Field of that object, whose member "id" takes the ID.
type Lookup struct {
	// Operation lists all resources that can be named, and Noun is their name in messages.
	Operation, Noun string
	// By are members of the spec that stand for the ID. The first one is the name. The others
	// tell resources with the same name apart.
	By []Selector
}

// A Selector is a member of the spec that selects elements of a list.
type Selector struct {
	// Member is its name in the spec, and Doc its text.
	Member, Doc string
	// Row is the path of the value in an element of the list. It is a string, or a list of
	// strings of which one must be the value.
	Row string
}

// lookupID is the member that holds the ID, in the spec and in a list.
const lookupID = "id"

// A LookupError says that a name does not lead to exactly one ID.
type LookupError struct {
	Noun string
	// Given are the values of the selectors, as text.
	Given string
	// Near are similar names. Choices are values that tell the resources with the name apart.
	Near, Choices []string
}

func (e *LookupError) Error() string {
	switch {
	case len(e.Choices) > 0:
		return fmt.Sprintf("more than one %s has %s: set one of %s as well", e.Noun, e.Given, strings.Join(e.Choices, ", "))
	case len(e.Near) > 0:
		return fmt.Sprintf("there is no %s with %s: the nearest names are %s", e.Noun, e.Given, strings.Join(e.Near, ", "))
	}
	return fmt.Sprintf("there is no %s with %s", e.Noun, e.Given)
}

// An IDOrNameError says that an object has both an ID and a name, or neither.
type IDOrNameError struct{ Noun, Member string }

func (e *IDOrNameError) Error() string {
	return fmt.Sprintf("a %s needs either id or %s, and not both", e.Noun, e.Member)
}

// Lookups returns the lookups that want needs, by path.
func (d Description) Lookups(want Document) map[string]Lookup {
	out := map[string]Lookup{}
	for path, f := range d.Fields {
		if f.Lookup == nil {
			continue
		}
		each(want, path, func(at Document) {
			if slices.ContainsFunc(f.Lookup.By, func(s Selector) bool { return at[s.Member] != nil }) || at[lookupID] == nil {
				out[path] = *f.Lookup
			}
		})
	}
	return out
}

// Resolve replaces the name by the ID in each object at path in want. rows are the elements of the list that l names.
func (l Lookup) Resolve(want Document, path string, rows []any) error {
	var failed error
	each(want, path, func(at Document) {
		if failed == nil {
			failed = l.resolve(at, rows)
		}
	})
	return failed
}

func (l Lookup) resolve(at Document, rows []any) error {
	name := Text(at, l.By[0].Member)
	if (name == "") == (Text(at, lookupID) == "") {
		return &IDOrNameError{Noun: l.Noun, Member: l.By[0].Member}
	}
	if name == "" {
		return nil
	}
	fit := slices.DeleteFunc(slices.Clone(rows), func(row any) bool { return !l.fits(at, row) })
	ids := map[string]bool{}
	for _, row := range fit {
		ids[Text(row, lookupID)] = true
	}
	if len(ids) != 1 || ids[""] {
		return l.explain(at, name, rows, fit)
	}
	for _, s := range l.By {
		delete(at, s.Member)
	}
	at[lookupID] = Text(fit[0], lookupID)
	return nil
}

// fits reports whether an element of the list has all values of the selectors in at.
func (l Lookup) fits(at Document, row any) bool {
	for _, s := range l.By {
		if v := Text(at, s.Member); v != "" && !slices.Contains(texts(row, s.Row), v) {
			return false
		}
	}
	return true
}

func (l Lookup) explain(at Document, name string, rows, fit []any) error {
	var given []string
	for _, s := range l.By {
		if v := Text(at, s.Member); v != "" {
			given = append(given, fmt.Sprintf("%s %q", s.Member, v))
		}
	}
	e := &LookupError{Noun: l.Noun, Given: strings.Join(given, " and ")}
	if len(fit) > 0 {
		for _, s := range l.By[1:] {
			for _, row := range fit {
				for _, v := range texts(row, s.Row) {
					e.Choices = append(e.Choices, fmt.Sprintf("%s %q", s.Member, v))
				}
			}
		}
		slices.Sort(e.Choices)
		e.Choices = slices.Compact(e.Choices)
		return e
	}
	var all []string
	for _, row := range rows {
		all = append(all, texts(row, l.By[0].Row)...)
	}
	for _, near := range nearest(name, all) {
		e.Near = append(e.Near, fmt.Sprintf("%q", near))
	}
	return e
}

// texts returns the string at path, or the strings of the list there.
func texts(row any, path string) []string {
	if v := Text(row, path); v != "" {
		return []string{v}
	}
	v, _ := At(row, path)
	list, _ := v.([]any)
	var out []string
	for _, x := range list {
		if s, ok := x.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// each calls f for every object at path in doc.
func each(doc any, path string, f func(Document)) {
	if path == "" {
		if m, ok := object(doc); ok {
			f(m)
		}
		return
	}
	name, rest, _ := strings.Cut(path, ".")
	m, ok := object(doc)
	if !ok {
		return
	}
	bare := strings.TrimSuffix(strings.TrimSuffix(name, "[]"), "{}")
	if bare == name {
		each(m[name], rest, f)
		return
	}
	for _, v := range values(m[bare]) {
		each(v, rest, f)
	}
}
