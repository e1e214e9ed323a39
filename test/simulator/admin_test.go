// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// admin calls an administration endpoint.
func (w *world) admin(method, path, body string) (int, string) {
	w.Helper()
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, httptest.NewRequest(method, simulator.AdminPath+path, strings.NewReader(body)))
	return rec.Code, strings.TrimSpace(rec.Body.String())
}

func (w *world) mustAdmin(method, path, body string) string {
	w.Helper()
	status, answer := w.admin(method, path, body)
	if status >= 300 {
		w.Fatalf("%s %s: %d %s", method, path, status, answer)
	}
	return answer
}

func TestAdminRecords(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	records := "/zones/" + w.zone.ID + "/records"
	var made simulator.Record
	if err := json.Unmarshal([]byte(w.mustAdmin(http.MethodPost, records, `{"type":"A","name":"x","content":"192.0.2.1"}`)), &made); err != nil {
		t.Fatal(err)
	}
	w.mustAdmin(http.MethodPatch, records+"/"+made.ID, `{"content":"192.0.2.2"}`)
	if got := w.mustAdmin(http.MethodGet, records, ""); !strings.Contains(got, `"192.0.2.2"`) {
		t.Errorf("records: %s", got)
	}
	w.mustAdmin(http.MethodPut, records+"/"+made.ID+"/meta", `{"read_only":true}`)
	if got := w.do(http.MethodDelete, w.records(made.ID), nil); got.code() != simulator.CodeReadOnly {
		t.Errorf("a read-only record: %d", got.code())
	}
	w.mustAdmin(http.MethodPut, records+"/"+made.ID+"/meta", `{}`)
	w.mustAdmin(http.MethodDelete, records+"/"+made.ID, "")
	if n := len(w.sim.Records(w.zone.ID)); n != 0 {
		t.Errorf("%d records left", n)
	}
}

func TestAdminSettings(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	settings := "/zones/" + w.zone.ID + "/settings"
	w.mustAdmin(http.MethodPatch, settings+"/brotli", `{"value":"on"}`)
	if got := w.object(w.must(http.MethodGet, w.path("settings", "brotli"), nil)); got["value"] != "on" {
		t.Errorf("the API shows %v", got)
	}
	type setting struct {
		ID    string `json:"id"`
		Value any    `json:"value"`
	}
	var all []setting
	if err := json.Unmarshal([]byte(w.mustAdmin(http.MethodGet, settings, "")), &all); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(s setting) bool { return s.ID == "brotli" })
	if i < 0 || all[i].Value != "on" {
		t.Errorf("the settings are %v", all)
	}
	if status, _ := w.admin(http.MethodPatch, settings+"/brotli", `{"value":"perhaps"}`); status != http.StatusBadRequest {
		t.Errorf("a value that it does not take: %d", status)
	}
	if status, _ := w.admin(http.MethodGet, "/zones/nonsense/settings", ""); status != http.StatusNotFound {
		t.Errorf("a zone that there is not: %d", status)
	}
}

func TestAdminZones(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	zone := "/zones/" + w.zone.ID
	w.mustAdmin(http.MethodPatch, zone, `{"plan":"business","status":"pending"}`)
	if z := w.sim.Zones()[0]; z.Plan != simulator.PlanBusiness || z.Status != simulator.ZonePending {
		t.Errorf("zone: %+v", z)
	}
	w.mustAdmin(http.MethodPost, zone+"/activate", "")
	if z := w.sim.Zones()[0]; z.Status != simulator.ZoneActive {
		t.Errorf("zone: %+v", z)
	}
	w.mustAdmin(http.MethodPatch, zone, `{"delegated":false}`)
	w.mustAdmin(http.MethodPost, "/clock/advance", `{"duration":"1h"}`)
	if z := w.sim.Zones()[0]; z.Status != simulator.ZoneMoved {
		t.Errorf("zone: %+v", z)
	}
	if got := w.mustAdmin(http.MethodGet, "/state", ""); !strings.Contains(got, w.zone.ID) || !strings.Contains(got, "Example Inc") {
		t.Errorf("state: %s", got)
	}
	w.mustAdmin(http.MethodDelete, zone, "")
	if n := len(w.sim.Zones()); n != 0 {
		t.Errorf("%d zones left", n)
	}
}

func TestAdminFaultsClockAndLog(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	if got := w.mustAdmin(http.MethodPost, "/faults", `{"kind":"html-502","times":-1}`); got != `{"id":1}` {
		t.Errorf("fault: %s", got)
	}
	if got := w.do(http.MethodGet, w.records(), nil); got.status != http.StatusBadGateway {
		t.Errorf("with the fault: %d", got.status)
	}
	if got := w.mustAdmin(http.MethodGet, "/faults", ""); !strings.Contains(got, "html-502") {
		t.Errorf("faults: %s", got)
	}
	w.mustAdmin(http.MethodDelete, "/faults/1", "")
	if got := w.mustAdmin(http.MethodGet, "/faults/added", ""); !strings.Contains(got, `"id":1,"kind":"html-502"`) || !strings.Contains(got, `"fired":1`) {
		t.Errorf("a fault that is off is not remembered: %s", got)
	}
	w.must(http.MethodGet, w.records(), nil)
	w.mustAdmin(http.MethodPost, "/faults", `{"kind":"html-502"}`)
	w.mustAdmin(http.MethodDelete, "/faults", "")
	w.must(http.MethodGet, w.records(), nil)

	if got := w.mustAdmin(http.MethodPost, "/clock/advance", `{"duration":"5m"}`); got != `{"now":"2026-03-01T12:05:00.123456Z"}` {
		t.Errorf("clock: %s", got)
	}
	w.clock.Advance(time.Minute)
	if got := w.mustAdmin(http.MethodGet, "/clock", ""); got != `{"now":"2026-03-01T12:06:00.123456Z"}` {
		t.Errorf("clock: %s", got)
	}
	want := "GET /zones/{zone_id}/dns_records -> 502\nGET /zones/{zone_id}/dns_records -> 200\nGET /zones/{zone_id}/dns_records -> 200"
	if diff := cmp.Diff(want, w.mustAdmin(http.MethodGet, "/log?format=text", "")); diff != "" {
		t.Error(diff)
	}
	if got := w.mustAdmin(http.MethodGet, "/log", ""); !strings.Contains(got, `"status":502`) {
		t.Errorf("log: %s", got)
	}
	w.mustAdmin(http.MethodDelete, "/log", "")
	if got := w.mustAdmin(http.MethodGet, "/log", ""); got != "[]" {
		t.Errorf("log: %s", got)
	}
}

func TestAdminSeed(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	var made simulator.Seeded
	answer := w.mustAdmin(http.MethodPost, "/seed", `{
		"accounts": [{"id": "`+strings.Repeat("a", 32)+`", "name": "Seeded", "zones": [
			{"name": "seeded.example", "plan": "pro", "id": "`+strings.Repeat("b", 32)+`", "records": [{"type": "A", "name": "@", "content": "192.0.2.1"}]}]}],
		"tokens": [{"value": "demo", "grants": [{"zone": "seeded.example", "permission": "dns_records:edit"}]}, {"account": "Seeded"}],
		"global_keys": ["jane@example.com"]}`)
	if err := json.Unmarshal([]byte(answer), &made); err != nil {
		t.Fatal(err)
	}
	if made.Accounts["Seeded"] != strings.Repeat("a", 32) || made.Zones["seeded.example"] != strings.Repeat("b", 32) ||
		made.Tokens[0] != "demo" || !strings.HasPrefix(made.Tokens[1], "cfat_") || made.GlobalKeys["jane@example.com"] == "" {
		t.Errorf("made: %+v", made)
	}
	if got := w.as("demo", http.MethodGet, "/zones/"+strings.Repeat("b", 32)+"/dns_records", nil); len(w.list(got)) != 1 {
		t.Errorf("records: %s", got.raw)
	}
	if got := w.as("demo", http.MethodGet, w.records(), nil); got.code() != simulator.CodeUnauthorized {
		t.Errorf("another zone: %d", got.code())
	}
}

func TestAdminAddsZones(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	var made simulator.Zone
	answer := w.mustAdmin(http.MethodPost, "/zones", `{"account":"`+w.zone.AccountID+`","name":"Added.example","plan":"pro"}`)
	if err := json.Unmarshal([]byte(answer), &made); err != nil {
		t.Fatal(err)
	}
	if made.Name != "added.example" || made.Plan != simulator.PlanPro || made.Status != simulator.ZoneActive || made.AccountID != w.zone.AccountID {
		t.Errorf("made: %+v", made)
	}
	if got := w.do(http.MethodGet, "/zones/"+made.ID, nil); got.status != http.StatusOK {
		t.Errorf("the API does not know the zone: %d", got.status)
	}
}

func TestAdminRefusals(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	zone := "/zones/" + w.zone.ID
	cases := map[string]struct {
		method, path, body string
		status             int
	}{
		"UnknownZone":    {http.MethodPost, "/zones/x/activate", "", 404},
		"UnknownRecords": {http.MethodGet, "/zones/x/records", "", 404},
		"UnknownRecord":  {http.MethodDelete, zone + "/records/x", "", 404},
		"BadRecord":      {http.MethodPost, zone + "/records", `{"type":"A"}`, 400},
		"NoRecord":       {http.MethodPost, zone + "/records", `x`, 400},
		"NoPatch":        {http.MethodPatch, zone + "/records/x", `x`, 400},
		"NoMeta":         {http.MethodPut, zone + "/records/x/meta", `x`, 400},
		"NoZonePatch":    {http.MethodPatch, zone, `x`, 400},
		"BadPlan":        {http.MethodPatch, zone, `{"plan":"gold"}`, 400},
		"BadFault":       {http.MethodPost, "/faults", `{"kind":"nonsense"}`, 400},
		"NoFault":        {http.MethodPost, "/faults", `x`, 400},
		"UnknownFault":   {http.MethodDelete, "/faults/9", "", 404},
		"BadDuration":    {http.MethodPost, "/clock/advance", `{"duration":"-1m"}`, 400},
		"NoDuration":     {http.MethodPost, "/clock/advance", `x`, 400},
		"ZoneOfNobody":   {http.MethodPost, "/zones", `{"account":"x","name":"y.example"}`, 404},
		"NoZone":         {http.MethodPost, "/zones", `{"nonsense":1}`, 400},
		"NoSeed":         {http.MethodPost, "/seed", `{"nonsense":1}`, 400},
		"SeedTakenID":    {http.MethodPost, "/seed", `{"accounts":[{"id":"x","name":"y"}]}`, 400},
		"SeedBadZone":    {http.MethodPost, "/seed", `{"accounts":[{"name":"y","zones":[{"name":"a b"}]}]}`, 400},
		"SeedBadRecord":  {http.MethodPost, "/seed", `{"accounts":[{"name":"y","zones":[{"name":"y.example","records":[{}]}]}]}`, 400},
		"NoEndpoint":     {http.MethodGet, "/nonsense", "", 404},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if status, answer := w.admin(tc.method, tc.path, tc.body); status != tc.status {
				t.Errorf("%d %s, want %d", status, answer, tc.status)
			}
		})
	}
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/elsewhere", http.NoBody))
	if rec.Code != http.StatusNotFound {
		t.Errorf("outside of API and administration: %d", rec.Code)
	}
}
