// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"slices"
	"strings"
)

// A patch makes the body of an update in the mode MergePatch.
type patch struct {
	d Description
	// live is the resource, and kept what of it may be sent back.
	live, kept Document
}

// mergePatch is what makes live what is declared: RFC 7396, in which null removes a member.
func (d Description) mergePatch(want, live Document) Document {
	p := patch{d: d, live: live, kept: d.kept(want, live)}
	return p.object("", want, live)
}

// object has the declared members of an object that are to be sent.
func (p patch) object(general string, want, live Document) Document {
	out := Document{}
	for name, w := range want {
		if v, differs := p.value(join(general, name), w, live[name]); differs {
			out[name] = v
		}
	}
	return out
}

// value is what is to be sent of a declared value, if anything is.
func (p patch) value(general string, want, live any) (v any, differs bool) {
	f := p.d.field(general)
	l, _ := object(live)
	switch w := want.(type) {
	case Document:
		out := p.object(general, w, l)
		if f.Whole && len(out) > 0 {
			now, _ := At(p.kept, general)
			return p.d.overlay(general, w, now), true
		}
		return out, len(out) > 0
	case Map:
		out := p.names(general, w, l)
		return out, len(out) > 0
	}
	c := comparison{d: p.d, exact: p.d.exacts(), live: p.live}
	c.value("", general, want, live)
	if len(c.out) == 0 && !f.WriteOnly && !f.Concealed {
		return nil, false
	}
	if f.Clear != nil && zero(want) {
		return f.Clear, true
	}
	return p.d.overlay(general, want, live), true
}

// names has the values of a map that are to be sent, each as a whole, and null for those that
// nobody declares.
func (p patch) names(general string, want Map, live Document) Document {
	out := Document{}
	for name, w := range want {
		_, isObject := object(w)
		if _, differs := p.value(general+"{}", w, live[name]); differs || isObject && live[name] == nil {
			out[name] = clone(w)
		}
	}
	for name, l := range live {
		if _, declared := want[name]; !declared && l != nil {
			out[name] = nil
		}
	}
	return out
}

// Unpatch takes the value of a Secret, at a path, out of the body of an update in the mode
// MergePatch, because Cloudflare has it. The value of a map that it is in is sent as a whole, or
// not at all: it stays where something else in it differs. differs is what does.
func Unpatch(body Document, at string, differs []Difference) {
	if i := strings.LastIndexByte(at, '}'); i >= 0 {
		at = at[:i+1]
		if slices.ContainsFunc(differs, func(d Difference) bool { return d.Path == at || strings.HasPrefix(d.Path, at+".") }) {
			return
		}
	}
	Without(body, at)
	for at != "" {
		at = at[:max(0, strings.LastIndexAny(at, ".{"))]
		if v, ok := At(body, at); at == "" || !ok || !nothing(v) {
			return
		}
		Without(body, at)
	}
}
