// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// idOf returns the ID of a resource from the member that its collection has for it.
func idOf(o object) string {
	if o["subdomain"] != nil || o["domain_id"] != nil { // Resources of Pages have IDs, but their paths have names.
		return textOf(o, "name")
	}
	for _, name := range []string{"id", "sitekey", "queue_id"} {
		if id := textOf(o, name); id != "" {
			return id
		}
	}
	return textOf(o, "name")
}

// listed returns the resources of a list, with the array at result or at
// result.buckets.
func (w *world) listed(path string) []object {
	w.Helper()
	a := w.must(http.MethodGet, path, nil)
	if len(a.Result) > 0 && a.Result[0] == '[' {
		return w.list(a)
	}
	var list []object
	for _, e := range w.object(a)["buckets"].([]any) {
		list = append(list, e.(object))
	}
	return list
}

// TestResourceLives creates, reads, changes and deletes one resource of every
// collection. Every exchange is checked against the official document.
func TestResourceLives(t *testing.T) {
	for name := range newResourceWorld(t).samples() {
		t.Run(name, func(t *testing.T) {
			w := newResourceWorld(t)
			s := w.samples()[name]
			before := len(w.listed(s.path))
			id := idOf(w.make(s.path, with(s.body, object{"a_member_of_tomorrow": "kept"})))
			item := s.path + "/" + id
			got := w.object(w.must(http.MethodGet, item, nil))
			if idOf(got) != id || got["a_member_of_tomorrow"] != "kept" {
				t.Errorf("want the resource %s with the member that nobody knows, got %v", id, got)
			}
			list := w.listed(s.path)
			if len(list) != before+1 || !slices.ContainsFunc(list, func(o object) bool { return idOf(o) == id }) {
				t.Errorf("want %d in the list with %s, got %v", before+1, id, list)
			}
			if s.put != nil {
				put := w.object(w.must(http.MethodPut, item, s.put))
				if diff := cmp.Diff(put, w.object(w.must(http.MethodGet, item, nil))); diff != "" {
					t.Errorf("PUT and GET differ:\n%s", diff)
				}
				if kept := put["a_member_of_tomorrow"] != nil; kept != (name == "ServiceToken") { // Its PUT replaces only the given members.
					t.Errorf("PUT keeps what it leaves out: %t, in %v", kept, put)
				}
			}
			if s.with != nil {
				patched := w.object(w.must(http.MethodPatch, item, s.with))
				for member, value := range s.with {
					if asJSON(t, patched[member]) != asJSON(t, value) {
						t.Errorf("PATCH of %s: want %v, got %v", member, value, patched[member])
					}
				}
			}
			if status := w.do(http.MethodDelete, item, nil).status; status >= http.StatusMultipleChoices {
				t.Errorf("DELETE answers HTTP %d", status)
			}
			if n := w.sim.CountResources(s.path); n != before {
				t.Errorf("want %d after the deletion, got %d", before, n)
			}
			if again := w.do(http.MethodDelete, item, nil); again.status != http.StatusNotFound {
				t.Errorf("a second DELETE: want HTTP 404, got %s", again.raw)
			}
		})
	}
}

func TestResourceBodies(t *testing.T) {
	w := newResourceWorld(t)
	cases := map[string]struct {
		reason, path string
		body         any
	}{
		"Required":       {"title is required", w.in("storage/kv/namespaces"), object{}},
		"Null":           {"title cannot be null", w.in("storage/kv/namespaces"), object{"title": nil}},
		"Type":           {"title is a string", w.in("storage/kv/namespaces"), object{"title": 1}},
		"Length":         {"title has a longest length", w.in("storage/kv/namespaces"), object{"title": string(make([]byte, 513))}},
		"Enum":           {"config_src is one of two", w.in("cfd_tunnel"), object{"name": "a", "config_src": "else"}},
		"Bound":          {"a percentage has a maximum", w.in("load_balancers/pools"), with(aPool("a"), object{"load_shedding": object{"default_percent": 101}})},
		"Nested":         {"a list has elements of a type", w.in("load_balancers/pools"), object{"name": "a", "origins": []any{"192.0.2.1"}}},
		"Whole":          {"an integer has no fraction", w.in("load_balancers/pools"), with(aPool("a"), object{"minimum_origins": 1.5})},
		"Union":          {"none of the forms", w.in("access/apps"), object{"type": "nothing"}},
		"Elements":       {"a rule without an action", w.path("rulesets"), object{"name": "a", "kind": "custom", "phase": "http_request_firewall_custom", "rules": []any{object{}}}},
		"EmptySelection": {"a policy for nobody", w.in("access/policies"), with(aPolicy("a"), object{"include": []any{}})},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w.T = t
			w.refused(http.MethodPost, tc.path, tc.body, http.StatusBadRequest, simulator.CodeResourceInvalid)
			if t.Failed() {
				t.Log(tc.reason)
			}
		})
	}
}
