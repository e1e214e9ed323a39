// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"slices"
	"strings"
)

// A sketch is what some values of an element are, as a text. Where nothing that an element declares
// differs in another one, their sketches at the places of the declared values are the same: so
// elements with other sketches need no comparison. Elements of the same sketch may differ all the same.
type sketch string

// A place is where an element has a value that a sketch shows.
type place struct {
	// path of the place: members that lead to it, from the element on.
	path []step
	// what is shown of the value there.
	what aspect
}

// A step is a member, and what the description says of it. That of the element itself has no name.
type step struct {
	name  string
	field Field
}

// An aspect is what a sketch shows of a value.
type aspect byte

const (
	// theValue is the value itself, in one form for all values that count as the same.
	theValue aspect = 'v'
	// thatItIs is whether there is a value.
	thatItIs aspect = 'i'
	// theKey is the key of the element.
	theKey aspect = 'k'
)

const (
	// separator of the parts of a sketch.
	separator = "\x00"
	// present stands for a value that is there.
	present = "+"
)

// candidates are, for each declared element, the positions of the live ones in which nothing of it differs, in
// their order. It compares those of the same sketch only.
func (m *match) candidates() [][]int {
	out := make([][]int, len(m.want))
	shapes := map[string]map[sketch][]int{} // The live elements, by the places that some element declares.
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

// sketched are the positions of the live elements by their sketches of some places.
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

// answered is what a live element has in its sketch for a place.
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

// A drawing is the sketch of a declared element and its places, which shape names in one text. What counts
// as nothing has no place: an answer may leave it out. Neither has what is in lists and in maps.
type drawing struct {
	match *match
	// places are kept where keep is true: most elements of a set have the same.
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

// add adds what is shown of the value below those steps, and below a member of it.
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

// value adds what is declared at a path, to which those steps lead and one of that name.
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

// sortedNames are the names of the members in their order.
func sortedNames(members map[string]any) []string {
	out := make([]string, 0, len(members))
	for name := range members {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// form is the same for all values that are equal, and "" for what has parts.
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
