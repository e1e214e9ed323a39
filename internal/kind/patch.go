// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"slices"
	"strings"
)

// A patch builds the body of an update in the mode MergePatch.
type patch struct {
	d Description
	// live is the resource. kept is the part of it that may be sent back.
	live, kept Document
}

// mergePatch returns what makes live what is declared, as in RFC 7396: null removes a member.
func (d Description) mergePatch(want, live Document) Document {
	p := patch{d: d, live: live, kept: d.kept(want, live)}
	return p.object("", want, live)
}

// object returns the declared members of an object that have to be sent.
func (p patch) object(general string, want, live Document) Document {
	out := Document{}
	for name, w := range want {
		if v, differs := p.value(join(general, name), w, live[name]); differs {
			out[name] = v
		}
	}
	return out
}

// value returns what has to be sent of a declared value, and whether anything has to be sent.
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
	case FreeFormMap:
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

// names returns the values of a map that have to be sent, each as a whole, and null for the names
// that are not declared.
func (p patch) names(general string, want FreeFormMap, live Document) Document {
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

// Unpatch removes the value of a Secret, at the path at, from the body of an update in the mode
// MergePatch, because Cloudflare has it already. A map value that contains it is sent as a whole
// or not at all: the Secret's value stays in the body if another part of that map value differs.
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
