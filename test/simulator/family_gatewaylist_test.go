// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func TestGatewayLists(t *testing.T) {
	w := newResourceWorld(t)
	lists := w.in("gateway/lists")
	items := []object{}
	for i := range 51 {
		items = append(items, object{"value": fmt.Sprintf("n%d.example.com", i)})
	}
	made := w.make(lists, object{"name": "a", "type": "DOMAIN", "items": items})
	if made["count"] != 51.0 || made["items"] != nil {
		t.Errorf("want the number of items, and none of them, got %v", made)
	}
	item := lists + "/" + textOf(made, "id")
	if got := w.listed(item + "/items"); len(got) != 50 {
		t.Errorf("the first page has %d items, want 50", len(got))
	}
	if got := w.listed(item + "/items?page=2"); len(got) != 1 || got[0]["value"] != "n50.example.com" || got[0]["created_at"] == nil {
		t.Errorf("the second page is %v, want the last item", got)
	}
	if got := w.listed(item + "/items?per_page=1000"); len(got) != 51 {
		t.Errorf("a page of a thousand has %d items, want 51", len(got))
	}
	w.refused(http.MethodPut, item, object{"name": "a", "items": []object{{"value": "x"}, {"value": "x"}}}, http.StatusBadRequest, simulator.CodeResourceInvalid)
	w.refused(http.MethodPost, lists, object{"name": "a", "type": "IP"}, http.StatusConflict, simulator.CodeResourceConflict)

	rules := w.in("gateway/rules")
	policy := w.make(rules, object{"name": "a", "action": "block", "filters": []string{"dns"}, "traffic": "any(dns.domains[*] in $" + textOf(made, "id") + ")"})
	w.refused(http.MethodDelete, item, nil, http.StatusConflict, simulator.CodeResourceConflict)
	w.must(http.MethodDelete, rules+"/"+textOf(policy, "id"), nil)
	w.must(http.MethodDelete, item, nil)
	w.refused(http.MethodGet, item+"/items", nil, http.StatusNotFound, simulator.CodeResourceNotFound)
}

func TestDeviceProfiles(t *testing.T) {
	w := newResourceWorld(t)
	profiles := w.in("devices/policy")
	body := func(more object) object {
		o := object{"name": "a", "match": "identity.email == \"a@example.com\"", "precedence": 10}
		for name, value := range more {
			o[name] = value
		}
		return o
	}
	made := w.make(profiles, body(nil))
	if exclude, _ := made["exclude"].([]any); len(exclude) == 0 || made["include"] != nil || made["default"] != false {
		t.Errorf("want what each profile excludes at first, got %v", made)
	}
	if got := w.listed(w.in("devices/policies")); len(got) != 2 || got[0]["default"] != true {
		t.Errorf("want the default profile and another, got %v", got)
	}
	if got := w.object(w.must(http.MethodGet, profiles, nil)); got["default"] != true {
		t.Errorf("want the default profile, got %v", got)
	}
	item := profiles + "/" + textOf(made, "policy_id")
	w.refused(http.MethodPatch, item, object{"include": []object{{"host": "a.example.com"}}}, http.StatusBadRequest, simulator.CodeResourceInvalid)
	w.must(http.MethodPut, item+"/include", []object{{"host": "a.example.com"}})
	if got := w.object(w.must(http.MethodGet, item, nil)); got["exclude"] != nil || got["include"] == nil || got["name"] != "a" {
		t.Errorf("want a profile that includes, and is the same else, got %v", got)
	}
	w.refused(http.MethodPut, item+"/exclude", []object{{"host": 1}}, http.StatusBadRequest, simulator.CodeResourceInvalid)
	both := object{"include": []object{{"host": "a.example.com"}}, "exclude": []object{{"host": "b.example.com"}}}
	w.refused(http.MethodPatch, item, both, http.StatusBadRequest, simulator.CodeResourceInvalid)
	w.refused(http.MethodPatch, item, object{}, http.StatusBadRequest, simulator.CodeEmptyDeviceProfile)
	w.refused(http.MethodPost, profiles, body(nil), http.StatusConflict, simulator.CodeResourceConflict)
	w.must(http.MethodDelete, item, nil)
	w.refused(http.MethodGet, item, nil, http.StatusNotFound, simulator.CodeResourceNotFound)
}
