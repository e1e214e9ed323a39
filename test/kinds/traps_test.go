// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cfsim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// setReordered: a set in another order is no drift.
func setReordered(w *world) {
	names, want := kind.Names(w.example.GetForProvider()), w.want()
	var sets []string
	for path, f := range w.d.Fields {
		if f.Set && !f.WriteOnly && w.atLeastTwo(path, names[path], want) {
			sets = append(sets, path)
		}
	}
	w.noDrift(cfsim.TrapReorderedSet, sets)
}

// atLeastTwo declares a set of two elements, where the example has fewer. It reports whether
// the example has that set.
func (w *world) atLeastTwo(path, name string, want kind.Document) bool {
	w.T.Helper()
	if strings.ContainsAny(path, "[{") {
		return false // The elements of another list have it, which is not declared by itself.
	}
	if _, declared := kind.At(want, path[:max(0, strings.LastIndex(path, "."))]); !declared {
		return false // An object may need more than the set that is in it.
	}
	v, _ := kind.At(want, path)
	list, _ := v.([]any)
	if len(list) > 1 {
		return true
	}
	schema := within(w.forProvider(), name+"[]")
	if len(list) == 0 {
		two := append(texts(schema.Enum), "first", "second")[:2]
		if schema.Type != "string" || len(schema.Enum) == 1 || w.d.Fields[path].Ref != "" {
			return false // Nothing is known that its elements may be.
		}
		w.declare(name, []any{two[0], two[1]})
		return true
	}
	u := w.untyped(w.example)
	declared, _, _ := unstructured.NestedSlice(u.Object, append([]string{"spec", "forProvider"}, strings.Split(name, ".")...)...)
	if refers(declared[0]) {
		return false // The example has one object that it can name.
	}
	w.declare(name, append(declared, another(declared[0], schema)))
	return true
}

// refers reports whether a value of a spec names another object.
func refers(v any) bool {
	m, _ := v.(map[string]any)
	for name, x := range m {
		if strings.HasSuffix(name, "Ref") || refers(x) {
			return true
		}
	}
	return false
}

// another is a copy of v in which every text that may be any is another one.
func another(v any, s apiextensionsv1.JSONSchemaProps) any {
	switch v := v.(type) {
	case string:
		if len(s.Enum) > 0 {
			return v
		}
		return "x" + v
	case map[string]any:
		out := map[string]any{}
		for name, x := range v {
			out[name] = another(x, s.Properties[name])
		}
		return out
	}
	return v
}

func texts(enum []apiextensionsv1.JSON) []string {
	out := make([]string, len(enum))
	for i, e := range enum {
		out[i] = strings.Trim(string(e.Raw), `"`)
	}
	return out
}

// falseOmitted: a declared false that Cloudflare leaves out of its answers is no drift.
func falseOmitted(w *world) {
	want := w.want()
	schema := w.forProvider()
	var flags []string
	for path, name := range kind.Names(w.example.GetForProvider()) {
		parent := path[:max(0, strings.LastIndex(path, "."))]
		_, declared := kind.At(want, parent)
		_, itself := kind.At(want, path)
		if w.d.VariantBy != "" && !itself { // It would be of another variant than the example is.
			continue
		}
		if strings.ContainsAny(path, "[{") || !declared || within(schema, name).Type != "boolean" {
			continue
		}
		w.declare(name, false)
		flags = append(flags, path)
	}
	w.noDrift(cfsim.TrapOmittedFalse, flags)
}

// noDrift shows that what a trap makes of the answers' fields is no drift: nothing is
// written, and the object stays settled.
func (w *world) noDrift(trap cfsim.TrapKind, paths []string) {
	w.T.Helper()
	if len(paths) == 0 {
		w.T.Logf("kind %s has no field for the trap %s", w.d.Name, trap)
		return
	}
	mg := w.apply()
	traps := map[int]string{}
	for _, path := range paths {
		traps[w.trap(cfsim.Trap{Kind: trap, Field: path})] = path
	}
	from := w.writes()
	w.lists(3)
	w.Settled(mg)
	if n := w.writes() - from; n > 0 {
		w.T.Errorf("there were %d writes without a change", n)
	}
	for id, path := range traps {
		if w.sim.Sprung(id) == 0 && trap == cfsim.TrapReorderedSet {
			w.T.Errorf("the trap of %s was not sprung", path)
		}
	}
	if err := w.event(mg, "DriftDetected", ""); err == nil {
		w.T.Error("an event says that something drifted")
	}
}

// trap switches a trap on for the resources of this world. Field is a path within what the
// example declares.
func (w *world) trap(t cfsim.Trap) int {
	w.T.Helper()
	t.Path, t.Token = w.collectionOfTraps(), w.token
	if t.Field != "" && w.d.Shape == kind.Fragment && w.d.Bulk == "" {
		t.Field = strings.ReplaceAll(w.d.Part, "[]", ".*") + "." + t.Field
	}
	id := w.sim.AddTrap(t)
	w.T.Cleanup(func() { w.sim.RemoveTrap(id) })
	return id
}

// collectionOfTraps is the collection in which the resource is, or that of what a singleton or
// the document of a fragment belongs to: the simulator has traps for these.
func (w *world) collectionOfTraps() string {
	w.T.Helper()
	for at := w.collection(); at != ""; at = at[:strings.LastIndex(at, "/")] {
		if (cfsim.Trap{Kind: cfsim.TrapOmittedFalse, Path: at}).Check() == nil {
			return at
		}
	}
	w.T.Fatalf("%s is below no collection with traps", w.collection())
	return ""
}

// every is a position in a list, of which a trap knows none.
var every = regexp.MustCompile(`\[\d+\]`)

// echoIsNoDrift: what Cloudflare makes of a text that we wrote is no drift, and said once;
// another value after that is drift.
func echoIsNoDrift(w *world) {
	w.prepare()
	l, ok := w.text()
	if !ok {
		w.T.Logf("kind %s has no declared text of any form", w.d.Name)
		return
	}
	w.trap(cfsim.Trap{Kind: cfsim.TrapReformattedText, Field: every.ReplaceAllString(w.stored(l), ".*"), Value: "upper"})
	w.Create(w.example)
	w.Settled(w.example)
	top, _, _ := strings.Cut(kind.Names(w.example.GetForProvider())[l.general], ".") // Of a set without keys it is all that is named.
	top = lastName(top)
	w.Eventually(func() error { return w.event(w.example, "NormalizedByCloudflare", top) })
	from := w.writes()
	w.lists(3)
	w.Settled(w.example)
	if n := w.writes() - from; n > 0 {
		w.T.Errorf("there were %d writes without a change", n)
	}
	if said := w.events(w.example, "NormalizedByCloudflare"); len(said) != 1 {
		w.T.Errorf("the events are %q, want one", said)
	}
	id := meta.GetExternalName(w.example)
	declared := w.flat(id)[dotted(l.path)]
	w.tamper(id, l)
	w.Eventually(func() error {
		if got := w.flat(id)[dotted(l.path)]; !same(got, declared) {
			return fmt.Errorf("%s is %v, want %v: %s", l.path, got, declared, harness.Conditions(w.example))
		}
		return nil
	})
	w.Eventually(func() error { return w.event(w.example, "DriftDetected", top) })
}

// text is a text that the example declares, and that may have any form.
func (w *world) text() (leaf, bool) {
	names, want, schema := kind.Names(w.example.GetForProvider()), w.want(), w.forProvider()
	for _, l := range w.leaves() {
		var text string
		change(want, l.path, func(v any) any {
			text, _ = v.(string)
			return v
		})
		f := w.d.Fields[l.general]
		free := !strings.HasSuffix(l.general, "[]") && // A trap names members of objects.
			len(within(schema, names[l.general]).Enum) == 0 && f.Ref == "" && f.Canonical == nil
		if free && text != strings.ToUpper(text) {
			return l, true
		}
	}
	return leaf{}, false
}
