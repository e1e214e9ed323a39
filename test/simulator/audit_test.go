// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/openapi"
)

// auditWorld is a simulator with an audit log. Its exchanges are checked against the
// official document.
type auditWorld struct {
	t       *testing.T
	sim     *simulator.Server
	clock   *simulator.ManualClock
	handler http.Handler
	account simulator.Account
	zone    simulator.Zone
	token   string
}

func newAuditWorld(t *testing.T) *auditWorld {
	t.Helper()
	w := &auditWorld{t: t, clock: simulator.NewManualClock(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))}
	w.sim = simulator.New(simulator.Options{Clock: w.clock})
	w.handler = openapi.Handler(t, w.sim)
	w.account = w.sim.AddAccount("Example Inc")
	var err error
	if w.zone, err = w.sim.AddZone(w.account.ID, "example.com", simulator.ZoneOptions{}); err != nil {
		t.Fatal(err)
	}
	w.token = w.sim.AddToken(simulator.TokenOptions{
		Name: "deploy", Email: "ci@example.com",
		Grants: []simulator.Grant{{Permission: simulator.DNSWrite}, {Permission: simulator.ZoneWrite}, {Permission: simulator.AuditLogsRead}},
	})
	return w
}

func (w *auditWorld) call(method, path, body, token string) (status int, answer map[string]any) {
	w.t.Helper()
	r := httptest.NewRequest(method, "/client/v4"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("User-Agent", "Terraform/1.9.5")
	got := httptest.NewRecorder()
	w.handler.ServeHTTP(got, r)
	if err := json.Unmarshal(got.Body.Bytes(), &answer); err != nil {
		w.t.Fatalf("%s %s: %v: %s", method, path, err, got.Body)
	}
	return got.Code, answer
}

// list returns the entries for a query, each as the values at the given paths.
func (w *auditWorld) list(more string, members ...string) [][]any {
	w.t.Helper()
	query := url.Values{"since": {"2026-11-23"}, "before": {"2026-11-24T00:00:00Z"}}.Encode()
	status, answer := w.call(http.MethodGet, "/accounts/"+w.account.ID+"/logs/audit?"+query+more, "", w.token)
	if status != http.StatusOK {
		w.t.Fatalf("status %d: %v", status, answer)
	}
	var out [][]any
	entries, _ := answer["result"].([]any)
	for _, e := range entries {
		row := make([]any, 0, len(members))
		for _, m := range members {
			v := e
			for name := range strings.SplitSeq(m, ".") {
				object, _ := v.(map[string]any)
				v = object[name]
			}
			row = append(row, v)
		}
		out = append(out, row)
	}
	return out
}

func TestAuditLogsSayWhoAndHow(t *testing.T) {
	w := newAuditWorld(t)
	records := "/zones/" + w.zone.ID + "/dns_records"
	w.sim.SignIn(w.account.ID, "jane@example.com")
	made, err := w.sim.CreateRecord(w.zone.ID, map[string]any{"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 1})
	if err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(time.Minute)
	w.call(http.MethodPatch, records+"/"+made.ID, `{"content":"192.0.2.2"}`, w.token)
	w.clock.Advance(time.Minute)
	w.call(http.MethodPost, records+"/batch", `{"patches":[{"id":"`+made.ID+`","ttl":300}]}`, w.token)
	w.clock.Advance(time.Minute)
	w.call(http.MethodPatch, records+"/"+made.ID, `{"content":"none"}`, w.token)
	owned := w.sim.AddToken(simulator.TokenOptions{Account: w.account.ID, Name: "ci", Grants: []simulator.Grant{{Permission: simulator.ZoneWrite}}})
	w.call(http.MethodPatch, "/zones/"+w.zone.ID, `{"paused":true}`, owned)
	w.call(http.MethodGet, records, "", w.token)
	w.clock.Advance(time.Minute)

	got := w.list("&direction=asc", "action.type", "action.result", "action.time", "actor.type", "actor.context", "actor.email", "actor.token_name",
		"raw.method", "resource.type", "resource.id", "zone.id")
	want := [][]any{
		{"create", "success", "2026-11-23T12:00:00Z", "user", "dash", "jane@example.com", nil, "POST", "dns_records", made.ID, w.zone.ID},
		{"update", "success", "2026-11-23T12:01:00Z", "user", "api_token", "ci@example.com", "deploy", "PATCH", "dns_records", made.ID, w.zone.ID},
		{"create", "success", "2026-11-23T12:02:00Z", "user", "api_token", "ci@example.com", "deploy", "POST", "dns_records", nil, w.zone.ID},
		{"update", "failure", "2026-11-23T12:03:00Z", "user", "api_token", "ci@example.com", "deploy", "PATCH", "dns_records", made.ID, w.zone.ID},
		{"update", "success", "2026-11-23T12:03:00Z", "account", "api_token", nil, "ci", "PATCH", "zones", w.zone.ID, w.zone.ID},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the audit log (-want +got):\n%s", diff)
	}

	for reason, tc := range map[string]struct {
		query string
		n     int
	}{
		"the newest first, and no more than asked for": {"&limit=2", 2},
		"what failed is left out":                      {"&action_result=success", 4},
		"one of several values":                        {"&actor_context=dash&actor_context=oauth", 1},
		"all but a value":                              {"&actor_context.not=dash", 4},
		"of another zone":                              {"&zone_id=" + strings.Repeat("0", 32), 0},
	} {
		if got := w.list(tc.query, "id"); len(got) != tc.n {
			t.Errorf("%s: %d entries, want %d", reason, len(got), tc.n)
		}
	}
}

func TestAuditLogsComeLate(t *testing.T) {
	w := newAuditWorld(t)
	w.sim.DelayAuditLogs(w.account.ID, time.Minute)
	if _, err := w.sim.CreateRecord(w.zone.ID, map[string]any{"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 1}); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(59 * time.Second)
	if got := w.list("", "id"); len(got) != 0 {
		t.Errorf("the entry is there too soon: %v", got)
	}
	w.clock.Advance(time.Second)
	if got := w.list("", "id"); len(got) != 1 {
		t.Errorf("the entry is not there after its delay: %v", got)
	}
}

func TestAuditLogsRefuse(t *testing.T) {
	w := newAuditWorld(t)
	other := w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Permission: simulator.DNSWrite}}})
	const window = "since=2026-11-23&before=2026-11-24"
	for _, tc := range []struct {
		reason, query, token string
		status               int
	}{
		{"a token without the permission", window, other, http.StatusForbidden},
		{"no window", "", w.token, http.StatusBadRequest},
		{"a window without an end", "since=2026-11-23", w.token, http.StatusBadRequest},
		{"a time that is none", "since=yesterday&before=2026-11-24", w.token, http.StatusBadRequest},
		{"more than a page has", window + "&limit=1001", w.token, http.StatusBadRequest},
		{"a cursor of nobody", window + "&cursor=!", w.token, http.StatusBadRequest},
		{"an order that is none", window + "&direction=up", w.token, http.StatusBadRequest},
	} {
		if status, answer := w.call(http.MethodGet, "/accounts/"+w.account.ID+"/logs/audit?"+tc.query, "", tc.token); status != tc.status {
			t.Errorf("%s: status %d, want %d: %v", tc.reason, status, tc.status, answer)
		}
	}
}

func TestAuditLogsArePaged(t *testing.T) {
	w := newAuditWorld(t)
	for range 3 {
		w.call(http.MethodPatch, "/zones/"+w.zone.ID, `{"paused":true}`, w.token)
	}
	w.clock.Advance(time.Second)
	base := "/accounts/" + w.account.ID + "/logs/audit?since=2026-11-23&before=2026-11-24&limit=2"
	_, first := w.call(http.MethodGet, base, "", w.token)
	info, _ := first["result_info"].(map[string]any)
	cursor, _ := info["cursor"].(string)
	if info["count"] != "2" || cursor == "" {
		t.Fatalf("result_info is %v", info)
	}
	_, second := w.call(http.MethodGet, base+"&cursor="+url.QueryEscape(cursor), "", w.token)
	info, _ = second["result_info"].(map[string]any)
	if rest, _ := second["result"].([]any); len(rest) != 1 || info["cursor"] != "" {
		t.Errorf("the second page has %d entries, and %v", len(rest), info)
	}
}
