// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const custom = "http_request_firewall_custom"

func (w *world) entryPoint() string { return w.path("rulesets/phases", custom, "entrypoint") }

// refs returns the refs of the rules in order.
func refs(ruleset object) []string {
	list, _ := ruleset["rules"].([]any)
	var all []string
	for _, r := range list {
		all = append(all, textOf(r.(object), "ref"))
	}
	return all
}

func ruleIDs(ruleset object) []string {
	list, _ := ruleset["rules"].([]any)
	var all []string
	for _, r := range list {
		all = append(all, textOf(r.(object), "id"))
	}
	return all
}

func TestEntryPoint(t *testing.T) {
	w := newResourceWorld(t)
	w.refused(http.MethodGet, w.entryPoint(), nil, http.StatusNotFound, simulator.CodeNoEntryPoint)
	w.refused(http.MethodGet, w.path("rulesets/phases/nothing/entrypoint"), nil, http.StatusBadRequest, simulator.CodeResourceInvalid)
	made := w.object(w.must(http.MethodPut, w.entryPoint(), object{"rules": []any{aRule("x")}}))
	if made["kind"] != "zone" || made["phase"] != custom || made["version"] != "1" || made["name"] != "default" {
		t.Errorf("want the entry point of the phase, got %v", made)
	}
	rule := made["rules"].([]any)[0].(object)
	if rule["enabled"] != true || rule["description"] != "" || rule["version"] != "1" {
		t.Errorf("want the defaults of a rule, got %v", rule)
	}
	again := w.object(w.must(http.MethodPut, w.entryPoint(), object{"rules": []any{aRule("y"), aRule("x")}}))
	if again["id"] != made["id"] || again["version"] != "2" || ruleIDs(again)[1] != ruleIDs(made)[0] {
		t.Errorf("want the same ruleset in its next version, and the rule of a ref with its ID, got %v", again)
	}
	if diff := asJSON(t, w.object(w.must(http.MethodGet, w.path("rulesets", textOf(made, "id")), nil))); diff != asJSON(t, again) {
		t.Errorf("by ID it is another: %s", diff)
	}
	for _, listed := range w.list(w.must(http.MethodGet, w.path("rulesets"), nil)) {
		if _, has := listed["rules"]; has {
			t.Errorf("a list has rules: %v", listed)
		}
	}
	root := w.object(w.must(http.MethodPut, w.in("rulesets/phases", custom, "entrypoint"), object{"rules": []any{}}))
	if root["kind"] != "root" || root["id"] == made["id"] {
		t.Errorf("want another entry point of the account, got %v", root)
	}
}

// TestRuleIDs verifies that the IDs of rules change without a ref, and stay with one.
func TestRuleIDs(t *testing.T) {
	w := newResourceWorld(t)
	put := func(rules ...any) []string {
		return ruleIDs(w.object(w.must(http.MethodPut, w.entryPoint(), object{"rules": rules})))
	}
	bare := with(aRule("x"), object{"ref": remove})
	before := put(bare, aRule("y"))
	after := put(bare, aRule("y"))
	if before[0] == after[0] || before[1] != after[1] {
		t.Errorf("want another ID without ref and the same with one, got %v and %v", before, after)
	}
	w.refused(http.MethodPut, w.entryPoint(), object{"rules": []any{aRule("x"), aRule("x")}}, http.StatusBadRequest, simulator.CodeResourceInvalid)
}

func TestRules(t *testing.T) {
	w := newResourceWorld(t)
	made := w.object(w.must(http.MethodPut, w.entryPoint(), object{"rules": []any{aRule("b")}}))
	rules := w.path("rulesets", textOf(made, "id"), "rules")
	after := func(a answer) object {
		t.Helper()
		return w.object(a)
	}
	all := after(w.must(http.MethodPost, rules, aRule("d")))
	if got := refs(all); !slices.Equal(got, []string{"b", "d"}) || all["version"] != "2" {
		t.Errorf("want the whole ruleset with the rule at its end, got %v in version %v", got, all["version"])
	}
	for position, want := range map[*object][]string{
		{"index": 1}:                {"a", "b", "d"},
		{"before": ruleIDs(all)[1]}: {"b", "a", "d"},
		{"after": ruleIDs(all)[0]}:  {"b", "a", "d"},
		{"before": ""}:              {"a", "b", "d"},
		{"after": ""}:               {"b", "d", "a"},
	} {
		got := after(w.must(http.MethodPost, rules, with(aRule("a"), object{"position": *position})))
		if !slices.Equal(refs(got), want) {
			t.Errorf("%v: want %v, got %v", *position, want, refs(got))
		}
		added := ruleIDs(got)[slices.Index(refs(got), "a")]
		w.must(http.MethodDelete, rules+"/"+added, nil)
	}
	id := ruleIDs(all)[0]
	patched := after(w.must(http.MethodPatch, rules+"/"+id, with(aRule("b"), object{"enabled": false, "position": object{"after": ""}})))
	if got := refs(patched); !slices.Equal(got, []string{"d", "b"}) || ruleIDs(patched)[1] != id {
		t.Errorf("want the rule at the end with its ID, got %v", patched)
	}
	version := textOf(patched, "version")
	w.must(http.MethodPost, rules+"?dry_run=true", aRule("dry"))
	if got := after(w.must(http.MethodGet, w.entryPoint(), nil)); textOf(got, "version") != version || len(refs(got)) != 2 {
		t.Errorf("a dry run changes the ruleset: %v", got)
	}
	w.refused(http.MethodPost, rules, with(aRule("z"), object{"position": object{"index": 9}}), http.StatusBadRequest, simulator.CodeResourceInvalid)
	w.refused(http.MethodDelete, rules+"/0123456789abcdef0123456789abcdef", nil, http.StatusNotFound, simulator.CodeResourceNotFound)
	for _, id := range ruleIDs(patched) {
		w.must(http.MethodDelete, rules+"/"+id, nil)
	}
	if got := after(w.must(http.MethodGet, w.entryPoint(), nil)); len(refs(got)) != 0 {
		t.Errorf("want an empty entry point, got %v", got)
	}
}

func TestRulesetInUse(t *testing.T) {
	w := newResourceWorld(t)
	body := object{"name": "a", "kind": "custom", "phase": custom, "rules": []any{aRule("x")}}
	id := textOf(w.make(w.path("rulesets"), body), "id")
	w.must(http.MethodPut, w.entryPoint(), object{"rules": []any{
		object{"action": "execute", "expression": "true", "action_parameters": object{"id": id}},
	}})
	w.refused(http.MethodDelete, w.path("rulesets", id), nil, http.StatusConflict, simulator.CodeResourceConflict)
	w.must(http.MethodPut, w.entryPoint(), object{"rules": []any{}})
	w.must(http.MethodDelete, w.path("rulesets", id), nil)
}

// TestEntryPointIsMadeOnce verifies that a second entry point of a phase is refused.
func TestEntryPointIsMadeOnce(t *testing.T) {
	w := newResourceWorld(t)
	body := object{"name": "default", "kind": "zone", "phase": custom, "rules": []any{aRule("x")}}
	w.make(w.path("rulesets"), body)
	w.refused(http.MethodPost, w.path("rulesets"), body, http.StatusBadRequest, simulator.CodeEntryPointExists)
	if got := refs(w.object(w.must(http.MethodGet, w.entryPoint(), nil))); !slices.Equal(got, []string{"x"}) {
		t.Errorf("the entry point has %v", got)
	}
}

// TestCopiesOfDocumentsLag verifies that a GET of a document, and a list, can come from a copy
// that is behind.
func TestCopiesOfDocumentsLag(t *testing.T) {
	w := newResourceWorld(t)
	made := w.object(w.must(http.MethodPut, w.entryPoint(), object{"rules": []any{aRule("x")}}))
	id := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleGet})
	w.refused(http.MethodGet, w.entryPoint(), nil, http.StatusNotFound, simulator.CodeNoEntryPoint)
	w.must(http.MethodGet, w.entryPoint(), nil)
	if w.sim.Fired(id) != 1 {
		t.Errorf("the fault fired %d times, want once", w.sim.Fired(id))
	}
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleGet, Delay: time.Hour})
	w.refused(http.MethodGet, w.path("rulesets", textOf(made, "id")), nil, http.StatusNotFound, simulator.CodeResourceNotFound)
	before := len(w.list(w.must(http.MethodGet, w.path("rulesets"), nil)))
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleList})
	if got := len(w.list(w.must(http.MethodGet, w.path("rulesets"), nil))); got != before-1 {
		t.Errorf("the stale list has %d rulesets, want one less than %d", got, before)
	}
}

// TestRuleAtOnePlace verifies that a position with more than one place is refused.
func TestRuleAtOnePlace(t *testing.T) {
	w := newResourceWorld(t)
	made := w.object(w.must(http.MethodPut, w.entryPoint(), object{"rules": []any{aRule("x"), aRule("y")}}))
	rules, ids := w.path("rulesets", textOf(made, "id"), "rules"), ruleIDs(made)
	for _, tc := range []struct {
		reason   string
		position object
	}{
		{"after one rule and before the next one", object{"after": ids[0], "before": ids[1]}},
		{"at both ends", object{"after": "", "before": ""}},
		{"at an index and before a rule", object{"index": 1, "before": ids[0]}},
		{"at an index and after a rule", object{"index": 1, "after": ids[1]}},
	} {
		body := with(aRule("z"), object{"position": tc.position})
		for method, path := range map[string]string{http.MethodPost: rules, http.MethodPatch: rules + "/" + ids[0]} {
			got := w.do(method, path, body)
			if got.status != http.StatusBadRequest || got.code() != simulator.CodeResourceInvalid {
				t.Errorf("%s: %s is answered %d %s", tc.reason, method, got.status, got.raw)
			}
		}
	}
	if got := refs(w.object(w.must(http.MethodGet, w.entryPoint(), nil))); !slices.Equal(got, []string{"x", "y"}) {
		t.Errorf("refused positions leave the rules %v", got)
	}
}
