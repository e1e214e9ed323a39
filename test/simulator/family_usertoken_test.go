// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const userTokens = "/user/tokens"

// TestUserTokenWorks verifies that a token has the permissions of its policies in their
// accounts. A new value replaces the former one.
func TestUserTokenWorks(t *testing.T) {
	w := newResourceWorld(t)
	other := w.sim.AddAccount("other")
	made := w.make(userTokens, w.aToken("a", "Workers KV Storage Write"))
	id, value := textOf(made, "id"), textOf(made, "value")
	if !strings.HasPrefix(value, "cfut_") {
		t.Errorf("want the form of a user's token, got one of %d characters", len(value))
	}
	if raw := w.must(http.MethodGet, userTokens+"/"+id, nil).raw; strings.Contains(raw, value) {
		t.Error("the value is shown again")
	}
	status := func(token, path string, want int) {
		t.Helper()
		if got := w.as(token, http.MethodGet, path, nil); got.status != want {
			t.Errorf("GET %s: want HTTP %d, got %s", path, want, got.raw)
		}
	}
	namespaces := w.in("storage/kv/namespaces")
	status(value, namespaces, http.StatusOK)
	status(value, "/user/tokens/verify", http.StatusOK)
	status(value, "/accounts/"+other.ID+"/storage/kv/namespaces", http.StatusForbidden)
	status(value, userTokens, http.StatusForbidden)
	var rolled string
	if err := json.Unmarshal(w.must(http.MethodPut, userTokens+"/"+id+"/value", object{}).Result, &rolled); err != nil {
		t.Fatalf("want another value as a string: %v", err)
	}
	status(value, namespaces, http.StatusForbidden)
	status(rolled, namespaces, http.StatusOK)
}

// TestUserTokensAreTheUsers verifies that a user cannot see the tokens of another user. A
// token of an account is refused with any permission.
func TestUserTokensAreTheUsers(t *testing.T) {
	w := newResourceWorld(t)
	of := func(o simulator.TokenOptions) {
		o.Grants = []simulator.Grant{{Permission: simulator.Everything}}
		w.token = w.sim.AddToken(o)
	}
	of(simulator.TokenOptions{Email: "one@example.com"})
	item := userTokens + "/" + textOf(w.make(userTokens, w.aToken("a", "Workers Routes Write")), "id")
	of(simulator.TokenOptions{Email: "one@example.com"})
	w.must(http.MethodGet, item, nil)
	of(simulator.TokenOptions{Email: "two@example.com"})
	w.refused(http.MethodGet, item, nil, http.StatusNotFound, simulator.CodeResourceNotFound)
	if n := len(w.listed(userTokens)); n != 0 {
		t.Errorf("another user sees %d tokens", n)
	}
	of(simulator.TokenOptions{Account: w.account.ID})
	a := w.do(http.MethodGet, userTokens, nil)
	if a.status != http.StatusForbidden || !strings.Contains(a.raw, "Valid user-level authentication not found") {
		t.Errorf("a token of an account is answered %s", a.raw)
	}
}

// TestUserPermissionGroups verifies that the permission groups about users are only for tokens
// of users.
func TestUserPermissionGroups(t *testing.T) {
	w := newResourceWorld(t)
	for path, want := range map[string]int{userTokens: 1, w.in("tokens"): 0} {
		if got := w.list(w.must(http.MethodGet, path+"/permission_groups?name=API%20Tokens%20Write", nil)); len(got) != want {
			t.Errorf("%s: want %d groups, got %v", path, want, got)
		}
	}
}
