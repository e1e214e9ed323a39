// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func (w *world) newZone(name string) object {
	w.Helper()
	return w.object(w.must(http.MethodPost, "/zones", object{"name": name, "account": object{"id": w.account.ID}}))
}

func (w *world) status(id any) any {
	w.Helper()
	return w.object(w.must(http.MethodGet, "/zones/"+id.(string), nil))["status"]
}

func TestCreateZone(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	got := w.newZone("Bücher.Example.")
	want := object{
		"name": "xn--bcher-kva.example", "status": "pending", "type": "full", "paused": false, "activated_on": nil,
		"account": object{"id": w.account.ID, "name": "Example Inc"}, "vanity_name_servers": []any{}, "development_mode": 0.0,
		"created_on": "2026-03-01T12:00:00.123456Z", "original_registrar": nil,
	}
	for member, value := range want {
		if diff := cmp.Diff(value, got[member]); diff != "" {
			t.Errorf("%s: -want +got:\n%s", member, diff)
		}
	}
	if servers := got["name_servers"].([]any); len(servers) != 2 || servers[0] == servers[1] {
		t.Errorf("name servers %v", servers)
	}
	if plan := got["plan"].(object); plan["legacy_id"] != "free" {
		t.Errorf("plan %v", plan)
	}
}

func TestRefusedZones(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	w.sim.SetZoneHold("held.example", true)
	body := func(changes object) object {
		return with(object{"name": "new.example", "account": object{"id": w.account.ID}}, changes)
	}
	cases := map[string]struct {
		reason       string
		body         any
		status, code int
	}{
		"Exists":     {"it exists", body(object{"name": "EXAMPLE.com"}), 400, simulator.CodeZoneExists},
		"Held":       {"a zone hold", body(object{"name": "held.example"}), 400, simulator.CodeZoneHold},
		"Subdomain":  {"registrable names only", body(object{"name": "www.new.example"}), 400, simulator.CodeZoneNotRoot},
		"Suffix":     {"a public suffix", body(object{"name": "co.uk"}), 400, simulator.CodeZoneNotRoot},
		"NoName":     {"name is required", body(object{"name": remove}), 400, simulator.CodeZoneInvalid},
		"BadName":    {"no domain name", body(object{"name": "a b.example"}), 400, simulator.CodeZoneInvalid},
		"OneLabel":   {"no top-level domain", body(object{"name": "example"}), 400, simulator.CodeZoneInvalid},
		"NoAccount":  {"account is required", body(object{"account": remove}), 400, simulator.CodeZoneInvalid},
		"BadAccount": {"no ID", body(object{"account": object{"id": "x"}}), 400, simulator.CodeZoneInvalid},
		"Unknown":    {"no such account", body(object{"account": object{"id": strings.Repeat("0", 32)}}), 403, simulator.CodeAuthentication},
		"Type":       {"four types", body(object{"type": "other"}), 400, simulator.CodeZoneInvalid},
		"Malformed":  {"no object", "x", 400, simulator.CodeMalformedJSON},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := w.do(http.MethodPost, "/zones", tc.body)
			if got.status != tc.status || got.code() != tc.code {
				t.Errorf("%s: %d/%d, want %d/%d: %s", tc.reason, got.status, got.code(), tc.status, tc.code, got.raw)
			}
		})
	}
	if n := len(w.sim.Zones()); n != 1 {
		t.Errorf("%d zones, want the one that was there", n)
	}
	w.sim.SetZoneHold("held.example", false)
	w.newZone("held.example")
}

func TestZoneBecomesActive(t *testing.T) {
	w := newWorld(t, simulator.PlanFree, func(o *simulator.Options) { o.InitializingFor = time.Minute })
	zone := w.newZone("new.example")
	id := zone["id"].(string)
	check := "/zones/" + id + "/activation_check"
	if zone["status"] != "initializing" {
		t.Errorf("a new zone is %v", zone["status"])
	}
	w.sim.Advance(time.Minute)
	if got := w.status(id); got != "pending" {
		t.Errorf("after a minute: %v", got)
	}
	w.must(http.MethodPut, check, nil)
	if got := w.status(id); got != "pending" {
		t.Errorf("checked without delegation: %v", got)
	}
	if err := w.sim.SetDelegated(id, true); err != nil {
		t.Fatal(err)
	}
	if got := w.status(id); got != "pending" {
		t.Errorf("delegated, but not checked: %v", got)
	}
	w.sim.Advance(59 * time.Minute)
	if got := w.do(http.MethodPut, check, nil); got.status != 400 || got.code() != simulator.CodeActivationTooSoon {
		t.Errorf("a second check within an hour on Free: %d/%d", got.status, got.code())
	}
	w.sim.Advance(time.Minute)
	got := w.object(w.must(http.MethodPut, check, nil))
	if diff := cmp.Diff(object{"id": id}, got); diff != "" {
		t.Error(diff)
	}
	if active := w.object(w.must(http.MethodGet, "/zones/"+id, nil)); active["status"] != "active" || active["activated_on"] != "2026-03-01T13:01:00.123456Z" {
		t.Errorf("checked with delegation: %v since %v", active["status"], active["activated_on"])
	}
	if err := w.sim.SetDelegated(id, false); err != nil {
		t.Fatal(err)
	}
	w.sim.Advance(time.Hour)
	if got := w.status(id); got != "moved" {
		t.Errorf("an hour after the delegation went elsewhere: %v", got)
	}
}

func TestActivationCheckOnPaidPlans(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	w.must(http.MethodPut, w.path("activation_check"), nil)
	w.sim.Advance(5*time.Minute - time.Second)
	if got := w.do(http.MethodPut, w.path("activation_check"), nil); got.code() != simulator.CodeActivationTooSoon {
		t.Errorf("within five minutes: %d", got.code())
	}
	w.sim.Advance(time.Second)
	w.must(http.MethodPut, w.path("activation_check"), nil)
	if got := w.status(w.zone.ID); got != "active" {
		t.Errorf("an active zone that was checked is %v", got)
	}
}

func TestFreePendingZonesAreDeleted(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	id := w.newZone("new.example")["id"].(string)
	paid := w.newZone("paid.example")["id"].(string)
	if err := w.sim.SetPlan(paid, simulator.PlanPro); err != nil {
		t.Fatal(err)
	}
	w.sim.Advance(28*24*time.Hour - time.Second)
	if got := w.status(id); got != "pending" {
		t.Errorf("before 28 days: %v", got)
	}
	w.sim.Advance(time.Second)
	if got := w.do(http.MethodGet, "/zones/"+id, nil); got.status != http.StatusNotFound || got.code() != simulator.CodeBadIdentifier {
		t.Errorf("after 28 days: %d/%d", got.status, got.code())
	}
	if got := w.status(paid); got != "pending" {
		t.Errorf("a paid zone after 28 days: %v", got)
	}
}

func TestReaddedZonesGetNewNameServers(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	seen := map[string]bool{}
	for range 3 {
		zone := w.newZone("new.example")
		servers := fmt.Sprint(zone["name_servers"])
		if seen[servers] {
			t.Errorf("name servers %s a second time", servers)
		}
		seen[servers] = true
		got := w.object(w.must(http.MethodDelete, "/zones/"+zone["id"].(string), nil))
		if diff := cmp.Diff(object{"id": zone["id"]}, got); diff != "" {
			t.Error(diff)
		}
	}
	body := object{"name": "new.example", "account": object{"id": w.account.ID}}
	if got := w.do(http.MethodPost, "/zones", body); got.status != 400 || got.code() != simulator.CodeZoneCooldown {
		t.Errorf("added and deleted too often: %d/%d", got.status, got.code())
	}
	w.sim.Advance(3 * time.Hour)
	w.newZone("new.example")
}

func TestPatchZone(t *testing.T) {
	w := newWorld(t, simulator.PlanBusiness)
	vanity := []any{"ns1.example.com", "ns2.example.com"}
	for member, value := range (object{"paused": true, "type": "partial", "vanity_name_servers": vanity}) {
		got := w.object(w.must(http.MethodPatch, w.path(), object{member: value}))
		if diff := cmp.Diff(value, got[member]); diff != "" {
			t.Errorf("%s: -want +got:\n%s", member, diff)
		}
	}
	if got := w.object(w.must(http.MethodGet, w.path(), nil)); got["verification_key"] == nil {
		t.Error("a partial zone has no verification key")
	}
	free := newWorld(t, simulator.PlanFree)
	cases := map[string]struct {
		reason string
		w      *world
		body   any
		code   int
	}{
		"Two":        {"one property a call", w, object{"paused": true, "type": "full"}, simulator.CodeZoneProperty},
		"None":       {"one property a call", w, object{}, simulator.CodeZoneProperty},
		"Name":       {"not a property that can change", w, object{"name": "x.example"}, simulator.CodeZoneProperty},
		"Paused":     {"a boolean", w, object{"paused": "yes"}, simulator.CodeZoneInvalid},
		"Type":       {"four types", w, object{"type": "other"}, simulator.CodeZoneInvalid},
		"VanityText": {"a list", w, object{"vanity_name_servers": "ns1.example.com"}, simulator.CodeZoneInvalid},
		"VanityElse": {"inside of the zone", w, object{"vanity_name_servers": []string{"ns1.other.example"}}, simulator.CodeZoneInvalid},
		"VanityFree": {"Business and Enterprise only", free, object{"vanity_name_servers": []string{"ns1.example.com"}}, simulator.CodeZonePlan},
		"PartialPro": {"Business and Enterprise only", free, object{"type": "partial"}, simulator.CodeZonePlan},
		"Malformed":  {"an object", w, []any{}, simulator.CodeMalformedJSON},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := tc.w.do(http.MethodPatch, tc.w.path(), tc.body); got.status != 400 || got.code() != tc.code {
				t.Errorf("%s: %d/%d, want 400/%d", tc.reason, got.status, got.code(), tc.code)
			}
		})
	}
}

func TestSubscription(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	for _, plan := range []simulator.Plan{simulator.PlanFree, simulator.PlanPro, simulator.PlanBusiness, simulator.PlanEnterprise} {
		if err := w.sim.SetPlan(w.zone.ID, plan); err != nil {
			t.Fatal(err)
		}
		got := w.object(w.must(http.MethodGet, w.path("subscription"), nil))
		if id := got["rate_plan"].(object)["id"]; id != string(plan) {
			t.Errorf("rate plan %v, want %s", id, plan)
		}
	}
	if err := w.sim.SetPlan(w.zone.ID, "gold"); err == nil {
		t.Error("an unknown plan could be set")
	}
}

func TestListZones(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	other := w.sim.AddAccount("Other Ltd")
	add := func(account, name string, o simulator.ZoneOptions) string {
		z, err := w.sim.AddZone(account, name, o)
		if err != nil {
			t.Fatal(err)
		}
		return z.ID
	}
	add(w.account.ID, "beta.example", simulator.ZoneOptions{Status: simulator.ZonePending, Plan: simulator.PlanPro})
	add(other.ID, "alpha.example", simulator.ZoneOptions{Status: simulator.ZoneMoved})
	add(other.ID, "inside.example", simulator.ZoneOptions{Type: "internal"})
	cases := map[string]struct {
		reason, query string
		want          []string
	}{
		"All":          {"by name, without internal ones", "", []string{"alpha.example", "beta.example", "example.com"}},
		"Name":         {"exact", "name=example.com", []string{"example.com"}},
		"NameDot":      {"as some clients ask", "name=example.com.", []string{"example.com"}},
		"NameCase":     {"case-insensitive", "name=EXAMPLE.com", []string{"example.com"}},
		"Equal":        {"operator", "name=equal:example.com", []string{"example.com"}},
		"NotEqual":     {"operator", "name=not_equal:example.com", []string{"alpha.example", "beta.example"}},
		"StartsWith":   {"operator", "name=starts_with:ALPHA", []string{"alpha.example"}},
		"EndsWith":     {"operator", "name=ends_with:.example", []string{"alpha.example", "beta.example"}},
		"Contains":     {"operator", "name=contains:eta", []string{"beta.example"}},
		"StartsCase":   {"case-sensitive operator", "name=starts_with_case_sensitive:ALPHA", nil},
		"EndsCase":     {"case-sensitive operator", "name=ends_with_case_sensitive:.example", []string{"alpha.example", "beta.example"}},
		"ContainsCase": {"case-sensitive operator", "name=contains_case_sensitive:ETA", nil},
		"NoOperator":   {"an unknown operator is part of the name", "name=like:example.com", nil},
		"Account":      {"by account", "account.id=" + other.ID, []string{"alpha.example"}},
		"AccountName":  {"by its name", "account.name=contains:other", []string{"alpha.example"}},
		"Status":       {"by status", "status=pending", []string{"beta.example"}},
		"Internal":     {"asked for", "type=internal", []string{"inside.example"}},
		"Types":        {"several", "type=full,internal", []string{"alpha.example", "beta.example", "example.com", "inside.example"}},
		"AllMatch":     {"AND", "status=active&account.id=" + other.ID, nil},
		"AnyMatch":     {"OR", "match=any&status=active&account.id=" + other.ID, []string{"alpha.example", "example.com"}},
		"Desc":         {"backwards", "direction=desc", []string{"example.com", "beta.example", "alpha.example"}},
		"ByStatus":     {"by status", "order=status", []string{"example.com", "alpha.example", "beta.example"}},
		"ByPlan":       {"by plan", "order=plan.id&direction=desc", []string{"beta.example", "alpha.example", "example.com"}},
		"ByAccount":    {"by account", "order=account.name", []string{"beta.example", "example.com", "alpha.example"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var names []string
			for _, z := range w.list(w.must(http.MethodGet, "/zones?"+tc.query, nil)) {
				names = append(names, z["name"].(string))
			}
			if diff := cmp.Diff(tc.want, names); diff != "" {
				t.Errorf("%s: -want +got:\n%s", tc.reason, diff)
			}
		})
	}
	for query, reason := range map[string]string{
		"per_page=4": "at least 5", "per_page=51": "at most 50", "page=0": "from 1", "order=id": "no order", "direction=up": "no direction",
		"status=sleeping": "no status", "match=some": "no match",
	} {
		if got := w.do(http.MethodGet, "/zones?"+query, nil); got.status != 400 || got.code() != simulator.CodeBadParameter {
			t.Errorf("%s (%s): %d/%d", query, reason, got.status, got.code())
		}
	}
}

func TestZonePages(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	for i := range 24 {
		if _, err := w.sim.AddZone(w.account.ID, fmt.Sprintf("z%02d.example", i), simulator.ZoneOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.must(http.MethodGet, "/zones", nil).ResultInfo; got.PerPage != 20 || got.Count != 20 || got.TotalCount != 25 || got.TotalPages != 2 {
		t.Errorf("%+v", *got)
	}
	if got := w.must(http.MethodGet, "/zones?page=3&per_page=10", nil).ResultInfo; got.Count != 5 || got.TotalPages != 3 {
		t.Errorf("%+v", *got)
	}
}

func TestZonesAreListedByPermission(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	z, err := w.sim.AddZone(w.account.ID, "other.example", simulator.ZoneOptions{})
	if err != nil {
		t.Fatal(err)
	}
	token := w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Zone: z.ID, Permission: simulator.ZoneRead}, {Permission: simulator.DNSWrite}}})
	list := w.list(w.as(token, http.MethodGet, "/zones", nil))
	if len(list) != 1 || list[0]["id"] != z.ID {
		t.Errorf("zones: %v", list)
	}
}

func TestSeedingRefusesNonsense(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	for reason, add := range map[string]func() error{
		"unknown account": func() error { _, err := w.sim.AddZone("x", "a.example", simulator.ZoneOptions{}); return err },
		"bad name":        func() error { _, err := w.sim.AddZone(w.account.ID, "a b", simulator.ZoneOptions{}); return err },
		"bad plan": func() error {
			_, err := w.sim.AddZone(w.account.ID, "a.example", simulator.ZoneOptions{Plan: "x"})
			return err
		},
		"ID taken": func() error {
			_, err := w.sim.AddZone(w.account.ID, "a.example", simulator.ZoneOptions{ID: w.zone.ID})
			return err
		},
		"unknown zone": func() error { return w.sim.ActivateZone("x") },
	} {
		if err := add(); err == nil {
			t.Errorf("%s: no error", reason)
		}
	}
	if err := w.sim.DeleteZone("x"); !errors.Is(err, simulator.ErrUnknown) {
		t.Errorf("deleting an unknown zone: %v", err)
	}
	if err := w.sim.DeleteZone(w.zone.ID); err != nil || slices.ContainsFunc(w.sim.Zones(), func(z simulator.Zone) bool { return z.ID == w.zone.ID }) {
		t.Errorf("deleting a zone: %v", err)
	}
}
