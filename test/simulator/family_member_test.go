// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const (
	roleA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	roleB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

func aMember(email string) object { return object{"email": email, "roles": []any{roleB, roleA}} }

func TestMembers(t *testing.T) {
	w := newResourceWorld(t)
	made := w.make(w.in("members"), aMember("a@example.net"))
	item := w.in("members", textOf(made, "id"))
	if made["roles"] != nil || made["status"] != "pending" || made["user"].(object)["email"] != "a@example.net" {
		t.Errorf("want a pending member without the roles, got %v", made)
	}
	roles := func(a answer) int {
		t.Helper()
		got := w.object(a)
		list := got["roles"].([]any)
		for i, r := range list {
			if i > 0 && textOf(list[i-1].(object), "id") > textOf(r.(object), "id") || textOf(r.(object), "name") == "" {
				t.Errorf("want whole roles by ID, got %v", list)
			}
		}
		if len(got["policies"].([]any)) == 0 {
			t.Errorf("want policies, got %v", got)
		}
		return len(list)
	}
	if n := roles(w.must(http.MethodGet, item, nil)); n != 2 {
		t.Errorf("want two roles, got %d", n)
	}
	one := object{"roles": []any{object{"id": roleA}}}
	if got := w.object(w.must(http.MethodGet, item, nil)); got["status"] != "accepted" {
		t.Errorf("want a member who has accepted, got %v", got)
	}
	if err := w.sim.EditResource(item, func(doc map[string]any) { doc["status"] = "pending" }); err != nil {
		t.Fatal(err)
	}
	// The document forbids the status, and the API accepts it.
	if got, err := w.sim.PutResource(item, with(one, object{"status": "pending"})); err != nil || len(got["roles"].([]any)) != 2 {
		t.Errorf("a change with the status of who has not accepted: want no effect, got %v, %v", got, err)
	}
	if n := roles(w.must(http.MethodPut, item, one)); n != 1 {
		t.Errorf("want one role, got %d", n)
	}
	policy := object{"access": "allow", "permission_groups": []any{object{"id": roleA}}, "resource_groups": []any{object{"id": roleB}}}
	if n := roles(w.must(http.MethodPut, item, object{"policies": []any{policy}})); n != 0 {
		t.Errorf("want policies in place of roles, got %d roles", n)
	}
	w.must(http.MethodDelete, item, nil)
	w.refused(http.MethodGet, item, nil, http.StatusNotFound, simulator.CodeMemberNotFound)
}

func TestMembersRefuse(t *testing.T) {
	w := newResourceWorld(t)
	members := w.in("members")
	w.make(members, aMember("a@example.net"))
	w.refused(http.MethodPost, members, aMember("a@example.net"), http.StatusConflict, simulator.CodeResourceConflict)
	w.refused(http.MethodPost, members, aMember("a.example.net"), http.StatusBadRequest, simulator.CodeResourceInvalid)
	w.refused(http.MethodPost, members, object{"email": "b@example.net"}, http.StatusBadRequest, simulator.CodeResourceInvalid)
	w.refused(http.MethodPost, members, with(aMember("b@example.net"), object{"status": "accepted"}), http.StatusBadRequest, simulator.CodeMemberVerified)
	w.refused(http.MethodPost, members, with(aMember("b@example.net"), object{"policies": []any{}}), http.StatusBadRequest, simulator.CodeResourceInvalid)
}
