// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// setReordered shows that a set in another order is no drift.
func setReordered(w *world) {
	sets := w.fields(func(path string, s apiextensionsv1.JSONSchemaProps) bool {
		one := s.MaxItems != nil && *s.MaxItems == 1 || len(element(s).Enum) == 1
		return w.d.Fields[path].Set && !one
	})
	w.noDrift(simulator.TrapReorderedSet, sets, w.try(sets, w.atLeastTwo))
}

// atLeastTwo makes the example declare a set of two elements, unless it has them. It reports whether the
// example has that set.
func (w *world) atLeastTwo(l leaf) bool {
	w.T.Helper()
	names := kind.Names(w.example.GetForProvider())
	name := kind.Difference{Path: l.path}.Name(names)
	list, _ := w.declared(l).([]any)
	if len(list) > 1 {
		return true
	}
	schema := within(w.forProvider(), names[l.general]+"[]")
	if w.lookedUp(l) {
		return false // Its values are names of resources.
	}
	if len(list) == 0 {
		two := append(texts(schema.Enum), "first", "second")[:2]
		if schema.Type != "string" || w.d.Fields[l.general].Ref != "" {
			return false // Valid elements are not known.
		}
		w.declare(name, []any{two[0], two[1]})
		return true
	}
	var first any
	change(w.untyped(w.example).Object, "spec.forProvider."+name+"[0]", func(v any) any {
		first = v
		return v
	})
	if refers(first) {
		return false // The example has one object that it can name.
	}
	w.declare(name, []any{first, withOtherKey(another(first, schema), first, within(w.forProvider(), names[l.general]), schema)})
	return true
}

// withOtherKey returns an element of a list with another key than that of first. The key may be an enum.
func withOtherKey(v, first any, list, elements apiextensionsv1.JSONSchemaProps) any {
	element, ok := v.(map[string]any)
	was, _ := first.(map[string]any)
	for _, key := range list.XListMapKeys {
		if ok && same(element[key], was[key]) {
			element[key] = other(was[key], elements.Properties[key])
		}
	}
	return v
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

// another returns a copy of v in which every text that is not an enum is another one.
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

// falseOmitted shows that a declared false that Cloudflare omits in its answers is no drift.
func falseOmitted(w *world) {
	flags := w.fields(func(_ string, s apiextensionsv1.JSONSchemaProps) bool { return s.Type == "boolean" })
	w.noDrift(simulator.TrapOmittedFalse, flags, w.try(flags, func(l leaf) bool {
		if w.d.VariantBy != "" && w.declared(l) == nil {
			return false // It would be of another variant than the example.
		}
		_, within, listed := strings.Cut(l.path, "].")
		if listed && strings.Contains(within, ".") && w.declared(l) == nil {
			return false // So may an object within an element: it may have the parameters of another action.
		}
		w.declare(kind.Difference{Path: l.path}.Name(kind.Names(w.example.GetForProvider())), false)
		return true
	}))
}

// noDrift shows that the effect of a trap on fields of the answers is no drift: the provider writes nothing,
// and the object stays settled. A kind without such fields is excused. A kind that has such fields, none of
// which the row tries, is not.
func (w *world) noDrift(trap simulator.TrapKind, fields []string, tried []leaf) {
	w.T.Helper()
	if w.excused(trap, fields, len(tried)) {
		return
	}
	mg := w.apply()
	if w.d.Shape == kind.Singleton { // Answers omit settings that the plan of the zone does not have.
		live := w.flat(meta.GetExternalName(mg))
		tried = slices.DeleteFunc(tried, func(l leaf) bool { return trap == simulator.TrapOmittedFalse && live[w.stored(l)] == nil })
	}
	w.excused(trap, fields, len(tried))
	traps := map[int]string{}
	for _, l := range tried {
		traps[w.trap(simulator.Trap{Kind: trap, Field: every.ReplaceAllString(w.stored(l), ".*")})] = l.path
	}
	from := w.writes()
	if w.d.Revision != "" { // A resource is not read while its revision does not change.
		if err := w.sim.EditResource(w.item(meta.GetExternalName(mg)), func(map[string]any) {}); err != nil {
			w.T.Fatal(err)
		}
	}
	w.lists(3)
	w.Settled(mg)
	if n := w.writes() - from; n > 0 {
		w.T.Errorf("there were %d writes without a change", n)
	}
	for id, path := range traps {
		if w.sim.Sprung(id) == 0 {
			w.T.Errorf("the trap of %s was not sprung", path)
		}
	}
	if err := w.event(mg, "DriftDetected", ""); err == nil {
		w.T.Error("an event says that something drifted")
	}
}

// trap enables a trap for the resources of this world. Its field is a path within the declared document.
func (w *world) trap(t simulator.Trap) int {
	w.T.Helper()
	t.Path, t.Token = w.collectionOfTraps(), w.token
	if t.Field != "" && w.d.Shape == kind.Fragment && w.d.Bulk == "" {
		t.Field = strings.ReplaceAll(w.d.Part, "[]", ".*") + "." + t.Field
	}
	id := w.sim.AddTrap(t)
	w.T.Cleanup(func() { w.sim.RemoveTrap(id) })
	return id
}

// collectionOfTraps returns the collection of the resource. For a singleton or a fragment it is the
// collection of the resource that it belongs to, as the simulator has traps for collections only.
func (w *world) collectionOfTraps() string {
	w.T.Helper()
	for at := w.collection(); at != ""; at = at[:strings.LastIndex(at, "/")] {
		if (simulator.Trap{Kind: simulator.TrapOmittedFalse, Path: at}).Check() == nil {
			return at
		}
	}
	w.T.Fatalf("%s is below no collection with traps", w.collection())
	return ""
}

// every matches a position in a list. A trap has none.
var every = regexp.MustCompile(`\[\d+\]`)

// echoIsNoDrift shows that the form in which Cloudflare stores a declared text is no drift, and is reported
// once. A later change of the value is drift.
func echoIsNoDrift(w *world) {
	w.prepare()
	fields := w.fields(w.free)
	l := w.text(fields)
	if w.excused(simulator.TrapReformattedText, fields, len(l.path)) {
		return
	}
	w.trap(simulator.Trap{Kind: simulator.TrapReformattedText, Field: strings.TrimSuffix(every.ReplaceAllString(w.stored(l), ".*"), ".*"), Value: "upper"})
	w.Create(w.example)
	w.Settled(w.example)
	top, _, _ := strings.Cut(kind.Names(w.example.GetForProvider())[strings.TrimSuffix(l.general, "[]")], ".") // For a set without keys, only the set is named.
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

// text returns a text of any form that the example declares, or can declare.
func (w *world) text(free []string) leaf {
	want, names := w.want(), kind.Names(w.example.GetForProvider())
	for _, l := range w.leaves() {
		var text string
		change(want, l.path, func(v any) any {
			text, _ = v.(string)
			return v
		})
		if slices.Contains(free, strings.TrimSuffix(l.general, "[]")) && text != strings.ToUpper(text) {
			return l
		}
	}
	if all := w.undeclared(free); len(all) > 0 {
		l := all[0]
		if within(w.forProvider(), names[l.general]).Type == "array" {
			w.declare(names[l.general], []any{"first." + w.zone.Name})
			return leaf{l.path + "[0]", l.general + "[]"}
		}
		w.declare(names[l.general], "first."+w.zone.Name)
		return l
	}
	return leaf{}
}

// free reports whether a field is a text of any form, or a list of such texts, that an update may change.
func (w *world) free(path string, s apiextensionsv1.JSONSchemaProps) bool {
	f, s := w.d.Fields[path], element(s)
	text := s.Type == "string" || s.XPreserveUnknownFields != nil
	return text && len(s.Enum) == 0 && f.Ref == "" && f.Canonical == nil && !isKey(w.d, path) &&
		!slices.ContainsFunc(kind.CreateOnly(w.example.GetForProvider()), leaf{general: path}.in)
}
