// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"slices"
	"strings"
)

// A sketch shows some values of an element as one string. If nothing that an element declares differs
// in another element, their sketches at the places of the declared values are equal. So elements with
// different sketches need no comparison. Elements with the same sketch may still differ.
type sketch string

// A place is a place in an element whose value a sketch shows.
type place struct {
	// path is the list of members that lead to it, from the element on.
	path []step
	// what is the aspect that is shown of the value.
	what aspect
}

// A step is a member, and what the description says of it. The step of the element itself has no name.
type step struct {
	name  string
	field Field
}

// An aspect is what a sketch shows of a value.
type aspect byte

const (
	// theValue is the value itself, in one form for all values that are equal.
	theValue aspect = 'v'
	// thatItIs is whether there is a value.
	thatItIs aspect = 'i'
	// theKey is the key of the element.
	theKey aspect = 'k'
)

const (
	// separator separates the parts of a sketch.
	separator = "\x00"
	// present stands for an existing value.
	present = "+"
)

// candidates returns, for each declared element, the positions of the live elements in which nothing of it
// differs, in their order. It compares only elements with the same sketch.
func (m *match) candidates() [][]int {
	out := make([][]int, len(m.want))
	shapes := map[string]map[sketch][]int{} // The live elements, by the places that declared elements have.
	for i, w := range m.want {
		d := m.draw(w, false)
		shape := d.shape.String()
		if shapes[shape] == nil {
			shapes[shape] = m.sketched(m.draw(w, true).places)
		}
		for _, j := range shapes[shape][sketch(d.sketch.String())] {
			if m.holds(w, m.live[j]) {
				out[i] = append(out[i], j)
			}
		}
	}
	return out
}

// sketched returns the positions of the live elements by their sketches at the given places.
func (m *match) sketched(places []place) map[sketch][]int {
	out := make(map[sketch][]int, len(m.live))
	for j, l := range m.live {
		var b strings.Builder
		for _, p := range places {
			b.WriteString(m.answered(p, l))
			b.WriteString(separator)
		}
		s := sketch(b.String())
		out[s] = append(out[s], j)
	}
	return out
}

// answered returns what a live element has in its sketch for a place.
func (m *match) answered(p place, live any) string {
	if p.what == theKey {
		return m.f.keyOf(live)
	}
	var c comparison
	v := live
	for i, s := range p.path {
		if i > 0 {
			members, _ := object(v)
			v = members[s.name]
		}
		if i < len(p.path)-1 || p.what == theValue {
			v = c.answered(s.field, v)
		}
	}
	switch {
	case p.what == theValue:
		return p.path[len(p.path)-1].field.form(v)
	case v == nil:
		return ""
	}
	return present
}

// A drawing builds the sketch of a declared element and its places, which shape names in one string. A
// value that counts as none has no place, because an answer may leave it out. Values in lists and maps
// have no place either.
type drawing struct {
	match *match
	// places are recorded if keep is true. Most elements of a set have the same places.
	keep   bool
	places []place

	shape, sketch strings.Builder
}

func (m *match) draw(want any, keep bool) *drawing {
	d := &drawing{match: m, keep: keep}
	if key := m.f.keyOf(want); key != "" {
		d.add(theKey, nil, "", key)
	}
	d.value(m.general+"[]", nil, "", want)
	return d
}

// add adds what is shown of the value at path, or of its member.
func (d *drawing) add(what aspect, path []step, member, shown string) {
	d.shape.WriteByte(byte(what))
	d.shape.WriteString(member)
	d.shape.WriteString(separator)
	d.sketch.WriteString(shown)
	d.sketch.WriteString(separator)
	if !d.keep {
		return
	}
	if member != "" {
		path = append(slices.Clip(path), step{name: member})
	}
	d.places = append(d.places, place{path: path, what: what})
}

// value adds the declared value at the path general. The steps in to and the step name lead to it.
func (d *drawing) value(general string, to []step, name string, want any) {
	f := d.match.d.field(general)
	if f.WriteOnly || f.Concealed || want == nil {
		return
	}
	d.shape.WriteString(name)
	d.shape.WriteString(separator)
	path := to
	if d.keep {
		path = append(slices.Clip(to), step{name: name, field: f})
	}
	members, isObject := want.(map[string]any)
	if !isObject {
		if _, ok := scalar(want); ok && !zero(want) {
			d.add(theValue, path, "", f.form(want))
		}
		return
	}
	nothing := zero(want)
	for _, member := range sortedNames(members) {
		if f.OneOf && members[member] != nil {
			d.add(thatItIs, path, member, present)
		}
		if !nothing {
			d.value(join(general, member), path, member, members[member])
		}
	}
	d.shape.WriteString(separator)
}

// sortedNames returns the names of the members in order.
func sortedNames(members map[string]any) []string {
	out := make([]string, 0, len(members))
	for name := range members {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// form returns the same string for all values that are equal, and "" for objects and lists.
func (f Field) form(v any) string {
	s, ok := scalar(v)
	if !ok {
		return ""
	}
	if f.Canonical != nil {
		s = f.Canonical(s)
	}
	if s == "" || !strings.ContainsRune("+-.0123456789", rune(s[0])) {
		return s
	}
	if n := number(s); n != nil {
		return n.Text('p', 0)
	}
	return s
}
