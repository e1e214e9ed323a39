// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func (w *world) tunnel(name string) (id, item string) {
	w.Helper()
	id = textOf(w.make(w.in("cfd_tunnel"), object{"name": name}), "id")
	return id, w.in("cfd_tunnel", id)
}

func TestTunnelSecret(t *testing.T) {
	w := newResourceWorld(t)
	secret := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("s", 32)))
	made := w.must(http.MethodPost, w.in("cfd_tunnel"), object{"name": "a", "tunnel_secret": secret})
	item := w.in("cfd_tunnel", textOf(w.object(made), "id"))
	for name, a := range map[string]answer{
		"POST": made, "GET": w.must(http.MethodGet, item, nil), "list": w.must(http.MethodGet, w.in("cfd_tunnel"), nil),
	} {
		if strings.Contains(a.raw, secret) || strings.Contains(a.raw, "tunnel_secret") {
			t.Errorf("the %s answers the secret: %s", name, a.raw)
		}
	}
	var token string
	if err := json.Unmarshal(w.must(http.MethodGet, item+"/token", nil).Result, &token); err != nil {
		t.Fatalf("the token is no string: %v", err)
	}
	raw, err := base64.StdEncoding.DecodeString(token)
	if err != nil || !strings.Contains(string(raw), secret) || !strings.Contains(string(raw), w.account.ID) {
		t.Errorf("the token does not hold the account and the secret: %v", err)
	}
	short := base64.StdEncoding.EncodeToString([]byte("short"))
	w.refused(http.MethodPost, w.in("cfd_tunnel"), object{"name": "b", "tunnel_secret": short}, http.StatusBadRequest, simulator.CodeResourceInvalid)
}

func TestTunnelName(t *testing.T) {
	w := newResourceWorld(t)
	_, item := w.tunnel("a")
	w.refused(http.MethodPost, w.in("cfd_tunnel"), object{"name": "a"}, http.StatusConflict, simulator.CodeTunnelExists)
	w.must(http.MethodDelete, item, nil)
	w.tunnel("a") // The name is free again.
}

func TestTunnelSoftDeletion(t *testing.T) {
	w := newResourceWorld(t)
	id, item := w.tunnel("a")
	other, _ := w.tunnel("b")
	if gone := w.object(w.must(http.MethodDelete, item, nil)); gone["deleted_at"] == nil {
		t.Errorf("the answer to the deletion has no deleted_at: %v", gone)
	}
	if got := w.object(w.must(http.MethodGet, item, nil)); got["deleted_at"] == nil {
		t.Errorf("a deleted tunnel has no deleted_at: %v", got)
	}
	for query, want := range map[string]string{"?is_deleted=false": other, "?is_deleted=true": id, "?uuid=" + id: id, "?name=b": other, "?include_prefix=b": other, "?exclude_prefix=b": id} {
		list := w.list(w.must(http.MethodGet, w.in("cfd_tunnel")+query, nil))
		if len(list) != 1 || list[0]["id"] != want {
			t.Errorf("%s: want %s alone, got %v", query, want, list)
		}
	}
	w.refused(http.MethodPatch, item, object{"name": "c"}, http.StatusNotFound, simulator.CodeResourceNotFound)
	w.refused(http.MethodGet, item+"/token", nil, http.StatusNotFound, simulator.CodeResourceNotFound)
}

func TestTunnelInUse(t *testing.T) {
	w := newResourceWorld(t)
	id, item := w.tunnel("a")
	if err := w.sim.OpenConnections(item, 2); err != nil {
		t.Fatal(err)
	}
	if list := w.list(w.must(http.MethodGet, item+"/connections", nil)); len(list) != 2 {
		t.Errorf("want two connections, got %v", list)
	}
	w.refused(http.MethodDelete, item, nil, http.StatusBadRequest, simulator.CodeTunnelConnections)
	w.must(http.MethodDelete, item+"/connections", nil)
	route := w.make(w.in("teamnet/routes"), object{"network": "10.0.0.0/8", "tunnel_id": id})
	w.refused(http.MethodDelete, item, nil, http.StatusBadRequest, simulator.CodeTunnelRoutes)
	w.must(http.MethodDelete, w.in("teamnet/routes", textOf(route, "id")), nil)
	w.must(http.MethodDelete, item, nil)
}

func TestTunnelConfiguration(t *testing.T) {
	w := newResourceWorld(t)
	_, item := w.tunnel("a")
	path := item + "/configurations"
	if got := w.object(w.must(http.MethodGet, path, nil)); got["config"] != nil || got["source"] != "local" {
		t.Errorf("want no configuration of a new tunnel, got %v", got)
	}
	catchAll := object{"service": "http_status:404"}
	rule := object{"hostname": "a.example.com", "service": "http://a", "originRequest": object{"noTLSVerify": true}}
	for reason, ingress := range map[string][]any{
		"no catch-all":           {rule},
		"two catch-alls":         {catchAll, catchAll},
		"a catch-all that hides": {catchAll, rule},
	} {
		if got := w.do(http.MethodPut, path, object{"config": object{"ingress": ingress}}); got.status != http.StatusBadRequest {
			t.Errorf("%s: want HTTP 400, got %s", reason, got.raw)
		}
	}
	w.must(http.MethodPut, path, object{"config": object{"ingress": []any{catchAll}}})
	w.must(http.MethodPut, path, object{"config": object{"ingress": []any{rule, catchAll}}})
	got := w.object(w.must(http.MethodGet, path, nil))
	if got["version"] != 2.0 {
		t.Errorf("want version 2 after two writes, got %v", got)
	}
	w.handler = w.sim // The check would refuse a member that the API ignores.
	w.must(http.MethodPut, path, object{"config": object{"ingress": []any{rule, catchAll}, "warp-routing": object{"enabled": true}}})
	if raw := w.must(http.MethodGet, path, nil).raw; strings.Contains(raw, "warp-routing") {
		t.Errorf("a read-only member of the body is stored: %s", raw)
	}
}

func TestNetworkRoutes(t *testing.T) {
	w := newResourceWorld(t)
	id, _ := w.tunnel("a")
	routes := w.in("teamnet/routes")
	networks := w.list(w.must(http.MethodGet, w.in("teamnet/virtual_networks"), nil))
	if len(networks) != 1 || networks[0]["is_default_network"] != true {
		t.Fatalf("want a default virtual network from the start, got %v", networks)
	}
	route := w.make(routes, object{"network": "10.1.2.3/16", "tunnel_id": id})
	if route["network"] != "10.1.0.0/16" || route["virtual_network_id"] != networks[0]["id"] || route["comment"] != "" {
		t.Errorf("want a canonical network in the default virtual network, got %v", route)
	}
	w.refused(http.MethodPost, routes, object{"network": "10.1.0.0/16", "tunnel_id": id}, http.StatusConflict, simulator.CodeResourceConflict)
	other := textOf(w.make(w.in("teamnet/virtual_networks"), object{"name": "other"}), "id")
	w.make(routes, object{"network": "10.1.0.0/16", "tunnel_id": id, "virtual_network_id": other})
	for reason, body := range map[string]object{
		"no network":              {"network": "10.1.0.0", "tunnel_id": id},
		"no such tunnel":          {"network": "10.2.0.0/16", "tunnel_id": other},
		"no such virtual network": {"network": "10.2.0.0/16", "tunnel_id": id, "virtual_network_id": id},
	} {
		if got := w.do(http.MethodPost, routes, body); got.status != http.StatusBadRequest {
			t.Errorf("%s: want HTTP 400, got %s", reason, got.raw)
		}
	}
	list := w.list(w.must(http.MethodGet, routes+"?network_subset=10.0.0.0/8&virtual_network_id="+other, nil))
	if len(list) != 1 || list[0]["tunnel_name"] != "a" || list[0]["virtual_network_name"] != "other" {
		t.Errorf("want one route with the names of what it refers to, got %v", list)
	}
}

func TestVirtualNetworks(t *testing.T) {
	w := newResourceWorld(t)
	networks := w.in("teamnet/virtual_networks")
	first := textOf(w.list(w.must(http.MethodGet, networks, nil))[0], "id")
	second := textOf(w.make(networks, object{"name": "second", "is_default": true}), "id")
	if got := w.object(w.must(http.MethodGet, networks+"/"+first, nil)); got["is_default_network"] != false {
		t.Errorf("the former default still is one: %v", got)
	}
	w.refused(http.MethodDelete, networks+"/"+second, nil, http.StatusConflict, simulator.CodeResourceConflict)
	id, _ := w.tunnel("a")
	w.make(w.in("teamnet/routes"), object{"network": "10.0.0.0/8", "tunnel_id": id, "virtual_network_id": first})
	w.refused(http.MethodDelete, networks+"/"+first, nil, http.StatusConflict, simulator.CodeResourceConflict)
	w.refused(http.MethodPost, networks, object{"name": "second"}, http.StatusConflict, simulator.CodeResourceConflict)
}
