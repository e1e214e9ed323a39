// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/openapi"
)

type object = map[string]any

// world is a simulator behind the check.
type world struct {
	handler http.Handler
	zone    string // The path of its zone.
	account string
	token   string
	key     string // The global API key of email.
}

const email = "owner@example.com"

func newWorld(t *testing.T) *world {
	t.Helper()
	sim := simulator.New(simulator.Options{})
	account := sim.AddAccount("Example Inc")
	zone, err := sim.AddZone(account.ID, "example.com", simulator.ZoneOptions{Plan: simulator.PlanEnterprise})
	if err != nil {
		t.Fatalf("AddZone(): %v", err)
	}
	return &world{
		handler: openapi.Handler(t, sim), zone: "/zones/" + zone.ID, account: account.ID, key: sim.AddGlobalKey(email),
		token: sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{
			{Permission: simulator.ZoneWrite}, {Permission: simulator.DNSWrite}, {Permission: simulator.ZoneSettingsWrite}, {Permission: simulator.BillingRead},
		}}),
	}
}

// call makes a request that must succeed, and returns the result.
func (w *world) call(t *testing.T, method, path string, body any) any {
	t.Helper()
	r := httptest.NewRequest(method, "/client/v4"+path, strings.NewReader(encode(t, body)))
	r.Header.Set("Authorization", "Bearer "+w.token)
	return decode(t, w.do(t, r, http.StatusOK))
}

func (w *world) do(t *testing.T, r *http.Request, status int) string {
	t.Helper()
	got := httptest.NewRecorder()
	w.handler.ServeHTTP(got, r)
	if got.Code != status {
		t.Errorf("%s %s: want status %d, got %d: %s", r.Method, r.URL.Path, status, got.Code, got.Body)
	}
	return got.Body.String()
}

func encode(t *testing.T, body any) string {
	t.Helper()
	if body == nil {
		return ""
	}
	out, err := json.Marshal(body)
	if err != nil {
		t.Fatalf("json.Marshal(): %v", err)
	}
	return string(out)
}

func decode(t *testing.T, body string) any {
	t.Helper()
	var envelope struct{ Result any }
	if err := json.Unmarshal([]byte(body), &envelope); err != nil {
		t.Fatalf("the answer is no JSON: %v", err)
	}
	return envelope.Result
}

// id returns the ID of an object in a response.
func id(t *testing.T, result any) string {
	t.Helper()
	members, _ := result.(object)
	found, _ := members["id"].(string)
	if found == "" {
		t.Fatalf("no ID in %v", result)
	}
	return found
}

// records returns one record of each type.
func records() map[string]object {
	const hex, base64 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "AQIDBAUGBwgJCgsMDQ4PEA=="
	return map[string]object{
		"A":      {"content": "192.0.2.1", "proxied": true},
		"AAAA":   {"content": "2001:db8::1"},
		"CAA":    {"data": object{"flags": 0, "tag": "issue", "value": "letsencrypt.org"}},
		"CERT":   {"data": object{"type": 1, "key_tag": 2, "algorithm": 8, "certificate": base64}},
		"CNAME":  {"content": "target.example.net", "settings": object{"flatten_cname": true}},
		"DNSKEY": {"data": object{"flags": 257, "protocol": 3, "algorithm": 13, "public_key": base64}},
		"DS":     {"data": object{"key_tag": 1, "algorithm": 13, "digest_type": 2, "digest": hex}},
		"HTTPS":  {"data": object{"priority": 1, "target": ".", "value": `alpn="h3,h2"`}},
		"LOC": {"data": object{
			"lat_degrees": 37, "lat_minutes": 46, "lat_seconds": 46, "lat_direction": "N",
			"long_degrees": 122, "long_minutes": 23, "long_seconds": 35, "long_direction": "W",
			"altitude": 0, "size": 100, "precision_horz": 0, "precision_vert": 0,
		}},
		"MX":         {"content": "mx.example.net", "priority": 10},
		"NAPTR":      {"data": object{"order": 100, "preference": 10, "flags": "S", "service": "SIP+D2U", "regex": "", "replacement": "_sip._udp.example.com."}},
		"NS":         {"content": "ns.example.net"},
		"OPENPGPKEY": {"content": base64},
		"PTR":        {"content": "host.example.net"},
		"SMIMEA":     {"data": object{"usage": 3, "selector": 0, "matching_type": 1, "certificate": hex}},
		"SRV":        {"data": object{"priority": 10, "weight": 5, "port": 5060, "target": "sip.example.net"}},
		"SSHFP":      {"data": object{"algorithm": 4, "type": 2, "fingerprint": hex}},
		"SVCB":       {"data": object{"priority": 1, "target": "svc.example.net.", "value": "port=8443"}},
		"TLSA":       {"data": object{"usage": 3, "selector": 1, "matching_type": 1, "certificate": hex}},
		"TXT":        {"content": `"some text"`},
		"URI":        {"data": object{"weight": 1, "target": "https://example.net/"}, "priority": 10},
	}
}

// TestSimulatorRecords runs every operation with a record of each type.
func TestSimulatorRecords(t *testing.T) {
	for recordType, fields := range records() {
		t.Run(recordType, func(t *testing.T) {
			w := newWorld(t)
			path := w.zone + "/dns_records"
			body := object{"type": recordType, "name": "_x._y." + strings.ToLower(recordType) + ".example.com", "ttl": 300, "comment": "made", "tags": []string{"a:b"}}
			for k, v := range fields {
				body[k] = v
			}
			if recordType == "DS" { // It needs a delegation.
				w.call(t, http.MethodPost, path, object{"type": "NS", "name": body["name"], "content": "ns.example.net", "ttl": 300})
			}
			one := path + "/" + id(t, w.call(t, http.MethodPost, path, body))
			w.call(t, http.MethodGet, one, nil)
			w.call(t, http.MethodPatch, one, object{"ttl": 600, "comment": nil, "tags": nil})
			w.call(t, http.MethodPut, one, body)
			w.call(t, http.MethodGet, path+"?type="+recordType, nil)
			w.call(t, http.MethodDelete, one, nil)
			batch := w.call(t, http.MethodPost, path+"/batch", object{"posts": []any{body}})
			done, _ := batch.(object)
			posts, _ := done["posts"].([]any)
			if len(posts) != 1 {
				t.Fatalf("a batch answers what it has created, got %v", batch)
			}
			body["id"] = id(t, posts[0])
			w.call(t, http.MethodPost, path+"/batch", object{
				"patches": []any{object{"id": body["id"], "ttl": 600}}, "puts": []any{body},
			})
			w.call(t, http.MethodPost, path+"/batch", object{"deletes": []any{object{"id": body["id"]}}})
		})
	}
}

// TestSimulatorOperations calls the operations of the simulator that are not about
// records.
func TestSimulatorOperations(t *testing.T) {
	w := newWorld(t)
	w.call(t, http.MethodGet, "/user/tokens/verify", nil)
	r := httptest.NewRequest(http.MethodGet, "/client/v4/user", http.NoBody)
	r.Header.Set("X-Auth-Email", email)
	r.Header.Set("X-Auth-Key", w.key)
	w.do(t, r, http.StatusOK)

	for _, zoneType := range []string{"full", "partial", "secondary", "internal"} {
		created := "/zones/" + id(t, w.call(t, http.MethodPost, "/zones", object{
			"name": zoneType + ".example", "type": zoneType, "account": object{"id": w.account},
		}))
		w.call(t, http.MethodGet, created, nil)
		w.call(t, http.MethodPatch, created, object{"paused": true})
		w.call(t, http.MethodGet, created+"/subscription", nil)
		w.call(t, http.MethodDelete, created, nil)
	}
	created := "/zones/" + id(t, w.call(t, http.MethodPost, "/zones", object{"name": "example.net", "account": object{"id": w.account}}))
	w.call(t, http.MethodPut, created+"/activation_check", nil)
	w.call(t, http.MethodGet, "/zones?status=pending&order=name&direction=desc&match=any&name=example.net&per_page=5", nil)
	w.call(t, http.MethodGet, w.zone+"/subscription", nil)

	w.call(t, http.MethodGet, w.zone+"/dnssec", nil)
	for _, status := range []string{"active", "disabled"} {
		w.call(t, http.MethodPatch, w.zone+"/dnssec", object{"status": status})
		w.call(t, http.MethodGet, w.zone+"/dnssec", nil)
	}
	w.call(t, http.MethodDelete, w.zone+"/dnssec", nil)
	w.call(t, http.MethodGet, w.zone+"/dns_settings", nil)
	w.call(t, http.MethodPatch, w.zone+"/dns_settings", object{"flatten_all_cnames": true, "ns_ttl": 3600})
	w.call(t, http.MethodGet, w.zone+"/dns_records/usage", nil)
}

// TestSimulatorSettings reads every setting and writes it back.
func TestSimulatorSettings(t *testing.T) {
	w := newWorld(t)
	settings, _ := w.call(t, http.MethodGet, w.zone+"/settings", nil).([]any)
	if len(settings) < 20 {
		t.Errorf("a zone has dozens of settings, got %d", len(settings))
	}
	for _, s := range settings {
		setting, _ := s.(object)
		path := w.zone + "/settings/" + fmt.Sprint(setting["id"])
		w.call(t, http.MethodGet, path, nil)
		if setting["editable"] == true {
			w.call(t, http.MethodPatch, path, object{"value": setting["value"]})
		}
	}
}
