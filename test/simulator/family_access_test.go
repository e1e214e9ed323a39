// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func (w *world) policy(name string) string {
	w.Helper()
	return textOf(w.make(w.in("access/policies"), aPolicy(name)), "id")
}

func anApp(policies ...any) object {
	if policies == nil {
		policies = []any{}
	}
	return object{"type": "self_hosted", "domain": "app.example.com", "name": "a", "policies": policies}
}

func TestAppPolicies(t *testing.T) {
	w := newResourceWorld(t)
	first, second := w.policy("first"), w.policy("second")
	app := w.make(w.in("access/apps"), anApp(object{"id": second, "precedence": 2}, object{"id": first, "precedence": 1}))
	policies := app["policies"].([]any)
	if len(policies) != 2 || policies[0].(object)["id"] != first || policies[0].(object)["name"] != "first" {
		t.Fatalf("want the policies in full, by precedence, got %v", policies)
	}
	item := w.in("access/apps", textOf(app, "id"))
	if got := w.object(w.must(http.MethodGet, w.in("access/policies", first), nil)); got["app_count"] != 1.0 {
		t.Errorf("want one application of the policy, got %v", got["app_count"])
	}
	w.refused(http.MethodDelete, w.in("access/policies", first), nil, http.StatusConflict, simulator.CodeResourceConflict)
	kept := w.object(w.must(http.MethodPut, item, with(anApp(), object{"policies": remove})))
	if len(kept["policies"].([]any)) != 2 {
		t.Errorf("policies that are left out do not stay: %v", kept["policies"])
	}
	emptied := w.object(w.must(http.MethodPut, item, with(anApp(), object{"policies": []any{}})))
	if len(emptied["policies"].([]any)) != 0 {
		t.Errorf("an empty list does not take the policies away: %v", emptied["policies"])
	}
	w.must(http.MethodDelete, w.in("access/policies", first), nil)
	w.refused(http.MethodPut, item, anApp(first), http.StatusBadRequest, simulator.CodeResourceInvalid)
}

func TestAppDefaults(t *testing.T) {
	w := newResourceWorld(t)
	app := w.make(w.in("access/apps"), anApp())
	for member, want := range map[string]any{
		"session_duration": "24h", "app_launcher_visible": true, "auto_redirect_to_identity": false, "enable_binding_cookie": false,
		"http_only_cookie_attribute": true, "tags": []any{},
	} {
		if asJSON(t, app[member]) != asJSON(t, want) {
			t.Errorf("%s: want %v, got %v", member, want, app[member])
		}
	}
	if len(textOf(app, "aud")) != 64 || textOf(app, "created_at") == "" {
		t.Errorf("want an audience and a time, got %v", app)
	}
	zoned := w.make(w.path("access/apps"), anApp(w.policy("a")))
	if n := len(zoned["policies"].([]any)); n != 1 {
		t.Errorf("an application of a zone cannot use a policy of its account: %v", zoned)
	}
}

func TestSaasApp(t *testing.T) {
	w := newResourceWorld(t)
	body := object{"type": "saas", "name": "s", "saas_app": object{"auth_type": "oidc", "redirect_uris": []any{"https://a.example.com/cb"}}}
	made := w.make(w.in("access/apps"), body)
	app := made["saas_app"].(object)
	if textOf(app, "client_secret") == "" || textOf(app, "client_id") == "" {
		t.Fatalf("want a client with its secret, got %v", app)
	}
	item := w.in("access/apps", textOf(made, "id"))
	put := w.object(w.must(http.MethodPut, item, body))["saas_app"].(object)
	if put["client_id"] != app["client_id"] || put["client_secret"] != nil {
		t.Errorf("want the same client and no secret, got %v", put)
	}
	if raw := w.must(http.MethodGet, item, nil).raw; strings.Contains(raw, textOf(app, "client_secret")) {
		t.Error("the secret is shown again")
	}
	w.refused(http.MethodPost, w.in("access/apps"), object{"type": "saas", "name": "s"}, http.StatusBadRequest, simulator.CodeResourceInvalid)
}

func TestServiceTokens(t *testing.T) {
	w := newResourceWorld(t)
	tokens := w.in("access/service_tokens")
	made := w.make(tokens, object{"name": "a"})
	id, secret := textOf(made, "id"), textOf(made, "client_secret")
	item := tokens + "/" + id
	if len(secret) != 64 || !strings.HasSuffix(textOf(made, "client_id"), ".access") || made["duration"] != "8760h" {
		t.Errorf("want a client and its secret, got %v", made)
	}
	for name, a := range map[string]answer{"GET": w.must(http.MethodGet, item, nil), "list": w.must(http.MethodGet, tokens, nil)} {
		if strings.Contains(a.raw, "client_secret\"") {
			t.Errorf("the %s answers the secret: %s", name, a.raw)
		}
	}
	renamed := w.object(w.must(http.MethodPut, item, object{"name": "b"}))
	if renamed["name"] != "b" || renamed["client_id"] != made["client_id"] || renamed["duration"] != "8760h" {
		t.Errorf("a PUT of the name changes more: %v", renamed)
	}
	w.must(http.MethodPut, item, object{"duration": "24h"})
	if got := w.object(w.must(http.MethodGet, item, nil)); got["name"] != "b" || got["expires_at"] != "2026-03-02T12:00:00.123456Z" {
		t.Errorf("want a name that stays and a day to live, got %v", got)
	}
	w.sim.Advance(time.Hour)
	w.must(http.MethodPost, item+"/refresh", nil)
	if got := w.object(w.must(http.MethodGet, item, nil)); got["expires_at"] != "2026-03-02T13:00:00.123456Z" {
		t.Errorf("want a day from the refreshing, got %v", got["expires_at"])
	}
	rotated := w.object(w.must(http.MethodPost, item+"/rotate", object{}))
	if got := textOf(rotated, "client_secret"); got == "" || got == secret || rotated["client_id"] != made["client_id"] {
		t.Errorf("want another secret of the same client, got %v", rotated)
	}
	policy := w.make(w.in("access/policies"), with(aPolicy("p"), object{"include": []any{object{"service_token": object{"token_id": id}}}}))
	w.refused(http.MethodDelete, item, nil, http.StatusConflict, simulator.CodeServiceTokenInUse)
	w.must(http.MethodDelete, w.in("access/policies", textOf(policy, "id")), nil)
	w.must(http.MethodDelete, item, nil)
}

func TestAccessGroupInUse(t *testing.T) {
	w := newResourceWorld(t)
	group := textOf(w.make(w.in("access/groups"), aGroup("a")), "id")
	policy := w.make(w.in("access/policies"), with(aPolicy("p"), object{"include": []any{object{"group": object{"id": group}}}}))
	w.refused(http.MethodDelete, w.in("access/groups", group), nil, http.StatusConflict, simulator.CodeResourceConflict)
	w.must(http.MethodDelete, w.in("access/policies", textOf(policy, "id")), nil)
	w.must(http.MethodDelete, w.in("access/groups", group), nil)
}

// TestRefreshedServiceToken verifies the response of a refresh: it has the expiry, but no secret, and
// traps apply to it.
func TestRefreshedServiceToken(t *testing.T) {
	w := newResourceWorld(t)
	made := w.make(w.in("access/service_tokens"), object{"name": "a", "duration": "24h"})
	w.sim.AddTrap(simulator.Trap{
		Kind: simulator.TrapReformattedText, Path: w.in("access/service_tokens"), Field: "name", Value: "upper",
	})
	w.sim.Advance(time.Hour)
	got := w.object(w.must(http.MethodPost, w.in("access/service_tokens", textOf(made, "id"), "refresh"), nil))
	for _, tc := range []struct {
		reason, member string
		want           any
	}{
		{"a trap applies", "name", "A"},
		{"a day from now", "expires_at", "2026-03-02T13:00:00.123456Z"},
		{"only a creation and a rotation show it", "client_secret", nil},
	} {
		if got[tc.member] != tc.want {
			t.Errorf("%s: %s is %v, want %v", tc.reason, tc.member, got[tc.member], tc.want)
		}
	}
}
