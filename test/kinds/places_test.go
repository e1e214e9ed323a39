// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// fields returns the paths that answers show and that suit a row, in order.
func (w *world) fields(suits func(path string, s apiextensionsv1.JSONSchemaProps) bool) []string {
	w.T.Helper()
	schema := w.forProvider()
	var out []string
	for path, name := range kind.Names(w.example.GetForProvider()) {
		if !w.inPath(path) && !concealed(w.d, leaf{general: path}) && suits(path, within(schema, name)) {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// inPath reports whether a field is a parameter of paths or headers, and in no body.
func (w *world) inPath(path string) bool {
	_, header := w.d.Headers[path]
	return header || path == "account_id" || path == "zone_id" || strings.Contains(w.d.List+w.d.Create+w.d.Read, "{"+path+"}")
}

// try returns the first place of each field that a row can try.
func (w *world) try(fields []string, can func(leaf) bool) []leaf {
	w.T.Helper()
	var out []leaf
	for _, path := range fields {
		all := places(w.want(), "", "", path)
		if i := slices.IndexFunc(all, can); i >= 0 {
			out = append(out, all[i])
		}
	}
	for _, l := range w.undeclared(fields) {
		if len(out) == 0 && can(l) {
			out = append(out, l)
		}
	}
	return out
}

// undeclared returns the fields that are in no list or map, those in the fewest objects
// first.
func (w *world) undeclared(fields []string) []leaf {
	var out []leaf
	for _, path := range fields {
		if !strings.ContainsAny(path, "[{") {
			out = append(out, leaf{path, path})
		}
	}
	slices.SortStableFunc(out, func(a, b leaf) int { return strings.Count(a.path, ".") - strings.Count(b.path, ".") })
	return out
}

// lookedUp reports whether a value, or a part of it, names another resource at Cloudflare.
func (w *world) lookedUp(l leaf) bool {
	for path, f := range w.d.Fields {
		if f.Lookup != nil && (leaf{general: path}.in(l.general) || l.in(path)) {
			return true
		}
	}
	return false
}

// places returns the places at which a document has the field of a path, or could have it:
// one in each object of the document.
func places(v any, path, general, rest string) []leaf {
	var out []leaf
	switch v := v.(type) {
	case kind.Document:
		name, deeper, nested := strings.Cut(rest, ".")
		bare := strings.TrimRight(name, "[]{}")
		if !nested {
			return []leaf{{join(path, bare), join(general, bare)}}
		}
		return places(v[bare], join(path, bare), join(general, name), deeper)
	case kind.FreeFormMap:
		for name, x := range v {
			out = append(out, places(x, path+"{"+name+"}", general, rest)...)
		}
	case []any:
		for i, x := range v {
			out = append(out, places(x, fmt.Sprintf("%s[%d]", path, i), general, rest)...)
		}
	}
	return out
}

// declared returns what the example declares at a place, or nil.
func (w *world) declared(l leaf) (v any) {
	w.T.Helper()
	change(w.want(), l.path, func(is any) any {
		v = is
		return is
	})
	return v
}

// excused reports whether a kind has no field for a row. If the kind has such a field, the
// row must try it.
func (w *world) excused(trap simulator.TrapKind, fields []string, tried int) bool {
	w.T.Helper()
	if len(fields) > 0 && tried == 0 {
		w.T.Fatalf("no field is tried with the trap %s, of %s", trap, strings.Join(fields, ", "))
	}
	if len(fields) == 0 {
		w.T.Logf("kind %s is excused by its schema, which has no field for the trap %s", w.d.Name, trap)
	}
	return len(fields) == 0
}
