// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func TestLog(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	id := w.id(a("x", "192.0.2.1"))
	w.must(http.MethodGet, w.records()+"?per_page=5", nil)
	w.do(http.MethodPatch, w.records(id), object{"ttl": 5})
	w.do(http.MethodGet, "/nonsense", nil)

	var text bytes.Buffer
	if err := w.sim.PrintLog(&text); err != nil {
		t.Fatal(err)
	}
	want := `POST /zones/{zone_id}/dns_records -> 200
GET /zones/{zone_id}/dns_records -> 200
PATCH /zones/{zone_id}/dns_records/{dns_record_id} -> 400 9021
GET /nonsense -> 404 7003
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Error(diff)
	}
	log := w.sim.Requests()
	if log[0].Path != w.records() || !strings.Contains(log[0].RequestBody, `"192.0.2.1"`) || !strings.Contains(log[0].ResponseBody, id) || !log[0].Writes() {
		t.Errorf("the first request: %+v", log[0])
	}
	if log[1].Query != "per_page=5" || log[1].Writes() || !log[1].Time.Equal(start()) {
		t.Errorf("the second request: %+v", log[1])
	}
	for _, l := range log {
		if l.Host == "" {
			t.Errorf("%s does not tell which host was asked", l)
		}
		if l.TokenFingerprint == "" || strings.Contains(l.TokenFingerprint, w.token) {
			t.Errorf("fingerprint %q", l.TokenFingerprint)
		}
	}
	for _, tc := range []struct {
		method, route string
		want          int
	}{{"", "", 4}, {http.MethodGet, "", 2}, {"", "/zones/{zone_id}/dns_records", 2}, {http.MethodPost, "/zones/{zone_id}/dns_records", 1}} {
		if got := w.sim.Count(tc.method, tc.route); got != tc.want {
			t.Errorf("Count(%q, %q) = %d, want %d", tc.method, tc.route, got, tc.want)
		}
	}
	w.sim.ResetLog()
	if len(w.sim.Requests()) != 0 {
		t.Error("the log is not empty")
	}
}

func TestDashboardEditsAreNotLogged(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	r, err := w.sim.CreateRecord(w.zone.ID, a("x", "192.0.2.1"))
	if err != nil {
		t.Fatal(err)
	}
	if r, err = w.sim.PatchRecord(w.zone.ID, r.ID, map[string]any{"content": "192.0.2.2", "ttl": 60}); err != nil || r.Content != "192.0.2.2" || r.TTL != 60 {
		t.Errorf("patched: %+v (%v)", r, err)
	}
	if got, ok := w.sim.Record(w.zone.ID, r.ID); !ok || got.Name != "x.example.com" {
		t.Errorf("record: %+v", got)
	}
	_, err = w.sim.PatchRecord(w.zone.ID, r.ID, map[string]any{"ttl": 5})
	var refused *simulator.Error
	if !errors.As(err, &refused) || refused.Code() != simulator.CodeTTL || !strings.Contains(err.Error(), "9021") {
		t.Errorf("dashboard users are under the same rules: %v", err)
	}
	if err := w.sim.DeleteRecord(w.zone.ID, r.ID); err != nil {
		t.Error(err)
	}
	if err := w.sim.DeleteRecord(w.zone.ID, r.ID); err == nil {
		t.Error("deleted twice")
	}
	if _, ok := w.sim.Record(w.zone.ID, r.ID); ok {
		t.Error("still there")
	}
	if err := w.sim.SetRecordMeta(w.zone.ID, r.ID, nil); err == nil {
		t.Error("meta of no record could be set")
	}
	if _, err := w.sim.CreateRecord("x", nil); err == nil {
		t.Error("created in no zone")
	}
	if _, err := w.sim.CreateRecord(w.zone.ID, map[string]any{"name": func() {}}); err == nil {
		t.Error("a function is no JSON")
	}
	if len(w.sim.Requests()) != 0 {
		t.Error("dashboard edits are in the log")
	}
}

func TestLogLimit(t *testing.T) {
	w := newWorld(t, simulator.PlanPro, func(o *simulator.Options) { o.LogLimit = 10 })
	for range 25 {
		w.must(http.MethodGet, w.records(), nil)
	}
	if n := len(w.sim.Requests()); n > 10 || n < 8 {
		t.Errorf("%d requests in a log of 10", n)
	}
	if got, want := len(w.sim.RequestsWith(w.token)), len(w.sim.Requests()); got != want {
		t.Errorf("%d requests with the token are left of %d", got, want)
	}
}

// TestLogByTokenAndID reads the requests of a token or a zone from a log with other
// requests. The log has dropped its first ones.
func TestLogByTokenAndID(t *testing.T) {
	w := newWorld(t, simulator.PlanPro, func(o *simulator.Options) { o.LogLimit = 20 })
	other, err := w.sim.AddZone(w.account.ID, "example.net", simulator.ZoneOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for range 15 {
		w.must(http.MethodGet, w.records(), nil)
		w.must(http.MethodGet, "/zones/"+other.ID, nil)
	}
	about := map[string]int{}
	for _, r := range w.sim.Requests() {
		about[strings.Split(r.Path, "/")[2]]++
	}
	for _, id := range []string{w.zone.ID, other.ID} {
		got := w.sim.RequestsAbout(id)
		if len(got) != about[id] || about[id] == 0 {
			t.Errorf("%d requests about %s, want %d", len(got), id, about[id])
		}
		for _, r := range got {
			if !strings.Contains(r.Path, id) {
				t.Errorf("%s is not about %s", r.Path, id)
			}
		}
	}
	if got := w.sim.RequestsWith("another token"); len(got) != 0 {
		t.Errorf("requests with a token that nobody has: %v", got)
	}
	w.sim.ResetLog()
	if got := w.sim.RequestsAbout(w.zone.ID); len(got) != 0 {
		t.Errorf("the emptied log has %v", got)
	}
}

func TestEqualSeedsGiveEqualWorlds(t *testing.T) {
	one, two, other := newWorld(t, simulator.PlanPro), newWorld(t, simulator.PlanPro), newWorld(t, simulator.PlanPro, func(o *simulator.Options) { o.Seed = 7 })
	if one.token != two.token || one.zone.ID != two.zone.ID || one.id(a("x", "192.0.2.1")) != two.id(a("x", "192.0.2.1")) {
		t.Error("equal seeds, different worlds")
	}
	if other.zone.ID == one.zone.ID {
		t.Error("different seeds, equal worlds")
	}
}
