// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func TestSettings(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	list := w.list(w.must(http.MethodGet, w.path("settings"), nil))
	if len(list) < 60 {
		t.Errorf("%d settings", len(list))
	}
	for _, listed := range list {
		id := listed["id"].(string)
		if diff := cmp.Diff(listed, w.object(w.must(http.MethodGet, w.path("settings", id), nil))); diff != "" {
			t.Errorf("%s: list and get differ:\n%s", id, diff)
		}
		// Every default is a valid value of the setting.
		got := w.do(http.MethodPatch, w.path("settings", id), object{"value": listed["value"]})
		switch {
		case listed["editable"] == true && got.status != http.StatusOK:
			t.Errorf("%s cannot be set to its default: %s", id, got.raw)
		case listed["editable"] == false && got.code() != simulator.CodeSettingReadOnly:
			t.Errorf("%s is not editable, but answers %d", id, got.code())
		}
	}
	got := w.object(w.must(http.MethodPatch, w.path("settings", "ssl"), object{"value": "strict"}))
	if diff := cmp.Diff(object{"id": "ssl", "value": "strict", "editable": true, "modified_on": "2026-03-01T12:00:00.123456Z"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestSettingValues(t *testing.T) {
	w := newWorld(t, simulator.PlanEnterprise)
	cases := map[string]struct {
		reason, id string
		value      any
		code       int
	}{
		"Switch":         {"on or off", "brotli", "on", 0},
		"SwitchBool":     {"texts", "brotli", true, simulator.CodeSettingInvalid},
		"Word":           {"one of", "ssl", "super", simulator.CodeSettingInvalid},
		"Range":          {"within", "browser_cache_ttl", 31536000, 0},
		"OutOfRange":     {"within", "browser_cache_ttl", 31536001, simulator.CodeSettingInvalid},
		"Numbers":        {"one of", "challenge_ttl", 301, simulator.CodeSettingInvalid},
		"Number":         {"one of", "challenge_ttl", 300, 0},
		"List":           {"texts", "ciphers", []string{"AES128-SHA"}, 0},
		"NoList":         {"texts", "ciphers", []any{1}, simulator.CodeSettingInvalid},
		"Object":         {"members", "nel", object{"enabled": true}, 0},
		"ObjectMember":   {"members", "nel", object{"x": true}, simulator.CodeSettingInvalid},
		"Nested":         {"members", "security_header", object{"strict_transport_security": object{"enabled": true, "max_age": 60}}, 0},
		"NestedMember":   {"members", "security_header", object{"strict_transport_security": object{"max_age": -1}}, simulator.CodeSettingInvalid},
		"APO":            {"all members", "automatic_platform_optimization", object{"enabled": true}, simulator.CodeSettingInvalid},
		"Packs":          {"256 characters", "webmcp_packs", "a,b", 0},
		"Origins":        {"a text", "transformations_allowed_origins", 5, simulator.CodeSettingInvalid},
		"Moved":          {"moved to dns_settings", "cname_flattening", "flatten_all", simulator.CodeSettingReadOnly},
		"EnterpriseOnly": {"on Enterprise", "prefetch_preload", "on", 0},
		"Unknown":        {"no such setting", "nonsense", "on", simulator.CodeSettingUndefined},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := w.do(http.MethodPatch, w.path("settings", tc.id), object{"value": tc.value})
			if got.code() != tc.code {
				t.Errorf("%s: %d/%d, want %d", tc.reason, got.status, got.code(), tc.code)
			}
		})
	}
	if got := w.do(http.MethodGet, w.path("settings", "nonsense"), nil); got.code() != simulator.CodeSettingUndefined {
		t.Errorf("reading an unknown setting: %d", got.code())
	}
	if got := w.do(http.MethodPatch, w.path("settings", "ssl"), object{}); got.code() != simulator.CodeSettingInvalid {
		t.Errorf("without value: %d", got.code())
	}
}

func TestSSLRecommender(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	path := w.path("settings", "ssl_recommender")
	if diff := cmp.Diff(object{"id": "ssl_recommender", "enabled": false}, w.object(w.must(http.MethodGet, path, nil))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(object{"id": "ssl_recommender", "enabled": true}, w.object(w.must(http.MethodPatch, path, object{"enabled": true}))); diff != "" {
		t.Error(diff)
	}
	if got := w.do(http.MethodPatch, path, object{"value": "on"}); got.code() != simulator.CodeSettingInvalid {
		t.Errorf("by value: %d", got.code())
	}
}

func TestDNSSEC(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	path := w.path("dnssec")
	status := func() any { return w.object(w.must(http.MethodGet, path, nil))["status"] }
	if got := w.object(w.must(http.MethodGet, path, nil)); got["status"] != "disabled" || got["ds"] != nil {
		t.Errorf("at first: %v", got)
	}
	enabled := w.object(w.must(http.MethodPatch, path, object{"status": "active", "dnssec_use_nsec3": true}))
	if enabled["status"] != "pending" || enabled["ds"] == nil || enabled["key_tag"] == nil || enabled["dnssec_use_nsec3"] != true {
		t.Errorf("enabled: %v", enabled)
	}
	w.sim.Advance(5 * time.Minute)
	if got := status(); got != "active" {
		t.Errorf("after five minutes: %v", got)
	}
	if got := w.object(w.must(http.MethodPatch, path, object{"status": "active"})); got["status"] != "active" || got["ds"] != enabled["ds"] {
		t.Errorf("enabled again: %v", got)
	}
	if got := w.object(w.must(http.MethodPatch, path, object{"status": "disabled"}))["status"]; got != "pending-disabled" {
		t.Errorf("disabled: %v", got)
	}
	w.sim.Advance(5 * time.Minute)
	if got := status(); got != "disabled" {
		t.Errorf("after five minutes: %v", got)
	}
	w.must(http.MethodPatch, path, object{"status": "active"})
	if got := w.must(http.MethodDelete, path, nil); string(got.Result) != `""` {
		t.Errorf("deleted: %s", got.raw)
	}
	if got := status(); got != "disabled" {
		t.Errorf("after deletion: %v", got)
	}
	for reason, body := range map[string]any{"not a wish": object{"status": "pending"}, "a boolean": object{"dnssec_presigned": "x"}} {
		if got := w.do(http.MethodPatch, path, body); got.status != 400 || got.code() != simulator.CodeSettingInvalid {
			t.Errorf("%s: %d/%d", reason, got.status, got.code())
		}
	}
}

func TestDNSSECWaitsForTheZone(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	if err := w.sim.SetZoneStatus(w.zone.ID, simulator.ZonePending); err != nil {
		t.Fatal(err)
	}
	w.must(http.MethodPatch, w.path("dnssec"), object{"status": "active"})
	w.sim.Advance(time.Hour)
	if got := w.object(w.must(http.MethodGet, w.path("dnssec"), nil))["status"]; got != "pending" {
		t.Errorf("DNSSEC of a pending zone is %v", got)
	}
}

func TestDNSSettings(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	path := w.path("dns_settings")
	before := w.object(w.must(http.MethodGet, path, nil))
	got := w.object(w.must(http.MethodPatch, path, object{"flatten_all_cnames": true, "soa": object{"ttl": 300}}))
	want := with(before, object{"flatten_all_cnames": true, "soa": with(before["soa"].(object), object{"ttl": 300.0})})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	again := w.object(w.must(http.MethodPatch, path, object{"soa": object{"retry": 600}}))
	if soa := again["soa"].(object); soa["ttl"] != 300.0 || soa["retry"] != 600.0 {
		t.Errorf("a second patch of soa: %v", soa)
	}
	for reason, body := range map[string]object{
		"unknown": {"x": true}, "a boolean": {"multi_provider": 1}, "too small": {"ns_ttl": 29}, "not a mode": {"zone_mode": "x"},
		"soa": {"soa": object{"expire": 1}}, "nameservers": {"nameservers": object{"type": "x"}}, "no object": {"soa": 1},
	} {
		if got := w.do(http.MethodPatch, path, body); got.status != 400 || got.code() != simulator.CodeSettingInvalid {
			t.Errorf("%s: %d/%d", reason, got.status, got.code())
		}
	}
	if got := w.do(http.MethodPatch, path, object{"foundation_dns": true}); got.code() != simulator.CodeZonePlan {
		t.Errorf("foundation DNS on Pro: %d", got.code())
	}
	w.must(http.MethodPatch, path, object{"foundation_dns": false}) // The current value.
}

func TestDNSSECWithoutDelay(t *testing.T) {
	sim := simulator.New(simulator.Options{DNSSECDelay: -1})
	account := sim.AddAccount("a")
	z, err := sim.AddZone(account.ID, "example.com", simulator.ZoneOptions{})
	if err != nil {
		t.Fatal(err)
	}
	token := sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: account.ID, Permission: simulator.Everything}}})
	req := httptest.NewRequest(http.MethodPatch, simulator.BasePath+"/zones/"+z.ID+"/dnssec", strings.NewReader(`{"status":"active"}`))
	req.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	sim.ServeHTTP(w, req)
	if !strings.Contains(w.Body.String(), `"status":"active"`) {
		t.Errorf("HTTP %d: %s", w.Code, w.Body)
	}
}
