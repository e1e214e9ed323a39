// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func TestPoolDefaults(t *testing.T) {
	w := newResourceWorld(t)
	got := w.make(w.in("load_balancers/pools"), aPool("a"))
	for member, want := range map[string]any{
		"enabled": true, "minimum_origins": 1, "description": "",
		"load_shedding":   object{"default_percent": 0, "default_policy": "random", "session_percent": 0, "session_policy": "hash"},
		"origin_steering": object{"policy": "random"},
	} {
		if asJSON(t, got[member]) != asJSON(t, want) {
			t.Errorf("%s: want %v, got %v", member, want, got[member])
		}
	}
	origin := got["origins"].([]any)[0].(object)
	if origin["enabled"] != true || origin["weight"] != 1.0 || origin["port"] != 0.0 || origin["flatten_cname"] != true {
		t.Errorf("want the defaults of an origin, got %v", origin)
	}
}

func TestBalancersHoldPoolsAndMonitors(t *testing.T) {
	w := newResourceWorld(t)
	monitor := textOf(w.make(w.in("load_balancers/monitors"), object{"type": "http"}), "id")
	pool := textOf(w.make(w.in("load_balancers/pools"), with(aPool("a"), object{"monitor": monitor})), "id")
	region := textOf(w.make(w.in("load_balancers/pools"), aPool("b")), "id")
	balancer := textOf(w.make(w.path("load_balancers"), with(aBalancer("LB.example.com", pool), object{
		"region_pools": object{"WNAM": []any{region}},
	})), "id")
	for path, kind := range map[string]string{
		w.in("load_balancers/monitors", monitor): "pool",
		w.in("load_balancers/pools", pool):       "load_balancer",
		w.in("load_balancers/pools", region):     "load_balancer",
	} {
		w.refused(http.MethodDelete, path, nil, http.StatusPreconditionFailed, simulator.CodeReferenced)
		list := w.list(w.must(http.MethodGet, path+"/references", nil))
		if len(list) != 1 || list[0]["resource_type"] != kind {
			t.Errorf("%s: want a %s that refers to it, got %v", path, kind, list)
		}
	}
	w.must(http.MethodDelete, w.path("load_balancers", balancer), nil)
	w.must(http.MethodDelete, w.in("load_balancers/pools", pool), nil)
	w.must(http.MethodDelete, w.in("load_balancers/monitors", monitor), nil)
}

// TestPoolBesideACertificate verifies that collections below neither an account nor a
// zone do not prevent the deletion of a pool.
func TestPoolBesideACertificate(t *testing.T) {
	w := newResourceWorld(t)
	w.list(w.must(http.MethodGet, "/certificates?zone_id="+w.zone.ID, nil))
	pool := textOf(w.make(w.in("load_balancers/pools"), aPool("a")), "id")
	w.must(http.MethodDelete, w.in("load_balancers/pools", pool), nil)
}

func TestBalancerPatchAndPut(t *testing.T) {
	w := newResourceWorld(t)
	pool := w.make(w.in("load_balancers/pools"), aPool("a"))["id"]
	body := with(aBalancer("lb.example.com", pool), object{"description": "x", "region_pools": object{"WNAM": []any{pool}}, "proxied": true})
	made := w.make(w.path("load_balancers"), body)
	if _, has := made["ttl"]; has {
		t.Errorf("a proxied load balancer has a ttl: %v", made)
	}
	if asJSON(t, made["location_strategy"]) != `{"mode":"pop","prefer_ecs":"proximity"}` || asJSON(t, made["random_steering"]) != `{"default_weight":1}` {
		t.Errorf("want what the server computes, got %v", made)
	}
	item := w.path("load_balancers", textOf(made, "id"))
	if got := w.object(w.must(http.MethodPatch, item, object{"enabled": false})); got["description"] != "x" || got["enabled"] != false {
		t.Errorf("PATCH does not merge: %v", got)
	}
	if got := w.object(w.must(http.MethodPatch, item, object{"region_pools": object{}})); len(got["region_pools"].(object)) != 0 {
		t.Errorf("an empty object does not take the last region away: %v", got)
	}
	got := w.object(w.must(http.MethodPut, item, aBalancer("lb.example.com", pool)))
	if got["description"] == "x" || got["enabled"] != true || got["proxied"] != false || got["created_on"] != made["created_on"] {
		t.Errorf("PUT does not replace, or loses what is the server's: %v", got)
	}
}

func TestBalancerRefusals(t *testing.T) {
	w := newResourceWorld(t)
	pools, monitors := w.in("load_balancers/pools"), w.in("load_balancers/monitors")
	pool := w.make(pools, aPool("a"))["id"]
	w.make(w.path("load_balancers"), aBalancer("lb.example.com", pool))
	other := "0123456789abcdef0123456789abcdef"
	cases := map[string]struct {
		reason, path string
		body         object
		status, code int
	}{
		"PoolName":     {"unique in the account", pools, aPool("a"), http.StatusConflict, simulator.CodeResourceConflict},
		"NoOrigin":     {"an origin is needed", pools, object{"name": "b", "origins": []any{}}, http.StatusBadRequest, simulator.CodeResourceInvalid},
		"NoMonitor":    {"the monitor has to exist", pools, with(aPool("b"), object{"monitor": other}), http.StatusBadRequest, simulator.CodeResourceInvalid},
		"Port":         {"TCP needs a port", monitors, object{"type": "tcp"}, http.StatusBadRequest, simulator.CodeResourceInvalid},
		"Balancer":     {"unique in the zone", w.path("load_balancers"), aBalancer("lb.example.com", pool), http.StatusConflict, simulator.CodeResourceConflict},
		"ForeignName":  {"a name of the zone", w.path("load_balancers"), aBalancer("lb.example.org", pool), http.StatusBadRequest, simulator.CodeResourceInvalid},
		"MissingPools": {"the pools have to exist", w.path("load_balancers"), aBalancer("b.example.com", other), http.StatusBadRequest, simulator.CodeResourceInvalid},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w.T = t
			w.refused(http.MethodPost, tc.path, tc.body, tc.status, tc.code)
			if t.Failed() {
				t.Log(tc.reason)
			}
		})
	}
}
