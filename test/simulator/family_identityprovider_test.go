// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func anIdentityProvider(name string) object {
	return object{"name": name, "type": "azureAD", "config": object{"client_id": "a", "client_secret": "a-secret-of-the-client"}}
}

func TestIdentityProviderSecrets(t *testing.T) {
	w := newResourceWorld(t)
	path := w.in("access/identity_providers")
	made := w.make(path, anIdentityProvider("a"))
	item := path + "/" + textOf(made, "id")
	on := with(anIdentityProvider("a"), object{"scim_config": object{"enabled": true}})
	first := w.object(w.must(http.MethodPut, item, on))["scim_config"].(object)
	secret := textOf(first, "secret")
	if len(secret) != 64 || textOf(first, "scim_base_url") == "" || first["user_deprovision"] != false {
		t.Fatalf("want SCIM with its secret, its address and defaults, got %v", first)
	}
	for name, a := range map[string]answer{
		"GET": w.must(http.MethodGet, item, nil), "list": w.must(http.MethodGet, path, nil), "second PUT": w.must(http.MethodPut, item, on),
	} {
		if strings.Contains(a.raw, secret) || strings.Contains(a.raw, "a-secret-of-the-client") || !strings.Contains(a.raw, `"client_secret":"****`) {
			t.Errorf("the %s shows a secret, or not that there is one: %s", name, a.raw)
		}
	}
	stored, err := w.sim.Resource(item)
	if err != nil || stored["scim_config"].(map[string]any)["secret"] != secret {
		t.Errorf("the second PUT made another secret of SCIM: %v", err)
	}
}

func TestIdentityProviderRefuses(t *testing.T) {
	w := newResourceWorld(t)
	path := w.in("access/identity_providers")
	pin := object{"name": "pin", "type": "onetimepin", "config": object{}}
	w.refused(http.MethodPost, path, with(pin, object{"scim_config": object{"enabled": false}}), http.StatusBadRequest, simulator.CodeResourceInvalid)
	w.refused(http.MethodPost, path, with(pin, object{"config": remove}), http.StatusBadRequest, simulator.CodeResourceInvalid)
	id := textOf(w.make(path, anIdentityProvider("a")), "id")
	w.refused(http.MethodPut, path+"/"+id, pin, http.StatusBadRequest, simulator.CodeResourceInvalid)
	for name, rule := range map[string]object{
		"a login method": {"login_method": object{"id": id}},
		"a group of it":  {"azureAD": object{"id": "g", "identity_provider_id": id}},
	} {
		group := w.make(w.in("access/groups"), with(aGroup(name), object{"include": []any{rule}}))
		w.refused(http.MethodDelete, path+"/"+id, nil, http.StatusConflict, simulator.CodeResourceConflict)
		w.must(http.MethodDelete, w.in("access/groups", textOf(group, "id")), nil)
	}
	w.must(http.MethodDelete, path+"/"+id, nil)
}
