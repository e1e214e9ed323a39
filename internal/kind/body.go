// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"maps"
	"slices"
	"strings"
)

// CreateBody returns what a creation sends: everything that is declared.
func (d Description) CreateBody(want Document) Document {
	body, _ := clone(want).(Document)
	return body
}

// Sent returns the body in the form that a call sends: as it is, or as the value of its member Bare.
func (d Description) Sent(body Document) any {
	if d.Bare == "" {
		return body
	}
	return body[d.Bare]
}

// UpdateBody returns what an update sends to make live what is declared. It is empty if nothing has
// to be sent. want must not have fields that only a creation sends. What live has and want does not
// declare is kept, in the way of the description's Mode. Concealed values are never sent back.
func (d Description) UpdateBody(want, live Document) Document {
	body := Document{}
	switch d.Mode {
	case Replace:
		body = d.CreateBody(want)
		d.clear(body, body)
		d.keepOthers(body)
	case MergePatch:
		body = d.mergePatch(want, live)
	case DeclaredOnly:
		now := d.kept(want, live)
		for name := range d.changed(want, live) {
			if f := d.field(name); f.On != "" || f.Alone != "" {
				continue
			}
			body[name] = d.overlay(name, want[name], now[name])
		}
		d.clear(body, want)
	default:
		body = d.kept(want, live)
		for name, w := range want {
			body[name] = d.overlay(name, w, body[name])
		}
		d.clear(body, want)
		d.keepOthers(body)
	}
	d.wrap(body)
	return body
}

// wrap replaces plain values by the objects that an update takes.
func (d Description) wrap(body Document) {
	for path, f := range d.Fields {
		v, ok := At(body, path)
		if !f.Wrapped || !ok {
			continue
		}
		out := []any{}
		for _, plain := range values(v) {
			out = append(out, Document{f.Expanded: plain})
		}
		Put(body, path, out)
	}
}

// kept returns the part of an answer that may stay when want is put over it. It leaves out the
// members that the chosen member excludes, and objects whose variant changes.
func (d Description) kept(want, live Document) Document {
	out := d.sendable(live)
	if d.Choice != nil {
		d.Choice.only(want, out)
	}
	return d.keeps("", want, out)
}

// keeps returns a copy of a live object at the path general without the objects whose variant
// changes: want declares another value for the text that decides about their members.
func (d Description) keeps(general string, want, live Document) Document {
	out, _ := clone(live).(Document)
	for path, f := range d.Fields {
		of, ok := below(general, path)
		by, decides := below(general, f.By)
		if !ok || !decides || by == "" {
			continue
		}
		now, declared := At(want, by)
		if was, _ := At(live, by); !declared || d.field(f.By).equal(now, was) {
			continue
		}
		if of == "" {
			return Document{}
		}
		Without(out, of)
	}
	return out
}

// below returns path relative to the object at general. It returns false if path does not lead
// there, or has a list or a map in between.
func below(general, path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, general)
	if !ok || general != "" && rest != "" && rest[0] != '.' {
		return "", false
	}
	rest = strings.TrimPrefix(rest, ".")
	return rest, !strings.ContainsAny(rest, "[{")
}

// sendable returns a copy of an answer in the form that may be sent back.
func (d Description) sendable(live Document) Document {
	body, _ := clone(live).(Document)
	for _, path := range d.ReadOnly {
		Without(body, path)
	}
	for path, f := range d.Fields {
		if f.Concealed || f.WriteOnly {
			Without(body, path)
		}
		if f.Answer != "" {
			Without(body, f.Answer)
		}
		if v, ok := At(body, path); ok && f.Entitled && f.equal(f.Default, v) {
			Without(body, path)
		}
		if v, ok := At(body, path); ok && f.Others != nil {
			Put(body, path, slices.DeleteFunc(values(v), f.Others.are))
		}
		if v, ok := At(body, path); ok && f.Expanded != "" {
			Put(body, path, f.plain(v))
		}
		if f.Reference {
			each(body, path, func(at Document) {
				maps.DeleteFunc(at, func(name string, _ any) bool { return !slices.Contains(f.Members, name) })
			})
		}
	}
	return body
}

// changed returns the members of the body in which something differs.
func (d Description) changed(want, live Document) map[string]bool {
	out := map[string]bool{}
	for _, diff := range d.Differences(want, live) {
		out[first(diff.Path)] = true
	}
	for path, f := range d.Fields {
		if (f.WriteOnly || f.Concealed) && has(want, path) {
			out[first(path)] = true
		}
	}
	return out
}

// first returns the member of the body that a path leads into.
func first(path string) string {
	if i := strings.IndexAny(path, ".[{"); i >= 0 {
		return path[:i]
	}
	return path
}

// overlay puts a declared value over a live one. It keeps the members of an object that are not
// declared, and the elements of a list as overlayList does.
func (d Description) overlay(general string, want, live any) any {
	f := d.field(general)
	switch w := want.(type) {
	case map[string]any:
		l, ok := object(live)
		if !ok || f.Expanded != "" {
			return clone(w)
		}
		now := d.keeps(general, w, l)
		out := now
		if f.OneOf && len(w) > 0 || in(d.exacts(), general) {
			out = Document{}
		}
		maps.DeleteFunc(out, func(name string, _ any) bool { return d.field(join(general, name)).Ordinal })
		for name, x := range w {
			out[name] = d.overlay(join(general, name), x, now[name])
		}
		return out
	case []any:
		l, _ := live.([]any)
		if f.Expanded != "" {
			return clone(w)
		}
		return d.overlayList(general, f, w, l)
	}
	return clone(want)
}

// overlayList keeps the undeclared members of an element only if it is certain which live element
// it is. It is certain if the list is as it is declared, or if only one element has that key or
// matches all that is declared. Any other element is sent as it is declared.
func (d Description) overlayList(general string, f Field, want, live []any) []any {
	m := inOrder(d, general, f, want, live)
	if f.Set || !m.whole() {
		m = matching(d, general, f, want, live)
	}
	if !m.whole() {
		m.certain()
	}
	pairs, _ := m.elements()
	out := make([]any, len(want))
	for i, w := range want {
		out[i] = d.overlay(general+"[]", w, pairs[i])
	}
	return out
}

// clear puts the values into body that empty the fields declared as empty, for fields of which
// the API ignores an empty value.
func (d Description) clear(body, want Document) {
	for path, f := range d.Fields {
		if f.Clear == nil || strings.ContainsAny(path, "[{") {
			continue
		}
		if v, ok := At(want, path); ok && zero(v) {
			Put(body, path, f.Clear)
		}
	}
}

// Unmoved reports whether a row of a list shows the known revision of the resource.
func (d Description) Unmoved(known, row Document) bool {
	if d.Revision == "" {
		return false
	}
	listed := Text(row, d.Revision)
	return listed != "" && listed == Text(known, d.Revision)
}

// Undeclared returns the keys of the elements that a list has in live but not in want. It returns
// all keys if want declares no such list.
func (d Description) Undeclared(path string, want, live Document) []string {
	v, _ := At(want, path)
	f := d.field(path)
	has := map[string]bool{}
	for _, e := range values(v) {
		has[f.keyOf(e)] = true
	}
	var out []string
	v, _ = At(live, path)
	for _, e := range values(v) {
		if key := f.keyOf(e); !has[key] {
			out = append(out, key)
		}
	}
	return out
}

// NaturalPaths returns the paths whose values name the resource of a body for people.
func (d Description) NaturalPaths(body Document) []string {
	if d.NaturalOf != nil {
		return d.NaturalOf(body)
	}
	return d.Natural
}

// NaturalKey returns the name of a resource for people under its parent: the values at the
// description's Natural paths. It returns false if one of them is missing.
func (d Description) NaturalKey(doc Document) (string, bool) {
	if d.Shape == Fragment {
		key := d.FragmentKey(doc)
		return key, key != ""
	}
	paths := d.NaturalPaths(doc)
	if len(paths) == 0 {
		return "", false
	}
	parts := make([]string, len(paths))
	for i, path := range paths {
		f := d.field(General(path))
		v, _ := At(doc, path)
		if answered, ok := At(doc, f.Answer); ok && f.Answer != "" {
			v = answered
		}
		text, ok := scalar(f.plain(v))
		if !ok {
			return "", false
		}
		if f.Canonical != nil {
			text = f.Canonical(text)
		}
		parts[i] = text
	}
	return strings.Join(parts, "\x00"), true
}

// Partial reports whether an answer lacks a part of what Cloudflare has.
func (d Description) Partial(live Document) bool {
	return slices.ContainsFunc(d.Status, func(s Status) bool { return s.Unknown != "" && Text(live, s.Path) == s.Unknown })
}

// NotSet reports whether an answer means that nothing of a Singleton is set. That is possible only for some
// Singletons: for the others, an empty answer may leave out what is false.
func (d Description) NotSet(live Document) bool {
	return d.Shape == Singleton && len(live) == 0 && (len(d.Unset) > 0 || d.Skip != nil)
}

// Deleted reports whether an answer is about a resource that is deleted but still shown.
func (d Description) Deleted(live Document) bool {
	if d.Leaving != nil && d.Leaving(live) {
		return true
	}
	if d.SoftDeleted == "" {
		return false
	}
	v, ok := At(live, d.SoftDeleted)
	return ok && !zero(v)
}
