// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// mailRule returns a rule for an address of the world's zone.
func mailRule(local, action string, value ...any) object {
	does := object{"type": action}
	if value != nil {
		does["value"] = value
	}
	return object{
		"matchers": []any{object{"type": "literal", "field": "to", "value": local + "@example.com"}}, "actions": []any{does},
	}
}

func TestMailRules(t *testing.T) {
	w := newResourceWorld(t)
	rules, addresses := w.path("email/routing/rules"), w.in("email/routing/addresses")
	first := w.listed(rules)
	if len(first) != 1 || first[0]["enabled"] != false || asJSON(t, first[0]["matchers"]) != `[{"type":"all"}]` {
		t.Fatalf("want the catch-all rule from the start, got %v", first)
	}
	made := w.make(rules, mailRule("a", "drop"))
	if made["enabled"] != true || made["priority"] != 0.0 || made["source"] != "api" || made["tag"] != made["id"] {
		t.Errorf("want a rule with the document's defaults, got %v", made)
	}
	for _, row := range []struct {
		why          string
		body         object
		status, code int
	}{
		{"there is no such Worker", mailRule("c", "worker", "x"), http.StatusBadRequest, simulator.CodeMailRuleWorker},
		{"there is a rule for the address", mailRule("a", "drop"), http.StatusConflict, simulator.CodeMailRuleDuplicate},
		{"nobody knows the destination", mailRule("b", "forward", "x@example.net"), http.StatusBadRequest, simulator.CodeMailUnverified},
		{"to forward needs an address", mailRule("b", "forward"), http.StatusUnprocessableEntity, simulator.CodeMailRuleInvalid},
		{"there is no second catch-all rule", object{"matchers": []any{object{"type": "all"}}, "actions": []any{object{"type": "drop"}}}, http.StatusConflict, simulator.CodeMailRuleOperation},
		{"a literal needs a value", object{"matchers": []any{object{"type": "literal"}}, "actions": []any{object{"type": "drop"}}}, http.StatusUnprocessableEntity, simulator.CodeMailRuleInvalid},
	} {
		t.Log(row.why)
		w.refused(http.MethodPost, rules, row.body, row.status, row.code)
	}
	general := rules + "/" + textOf(first[0], "id")
	w.refused(http.MethodGet, general, nil, http.StatusConflict, simulator.CodeMailRuleOperation)
	w.refused(http.MethodDelete, general, nil, http.StatusConflict, simulator.CodeMailRuleOperation)
	w.refused(http.MethodPut, rules+"/catch_all", mailRule("a", "drop"), http.StatusBadRequest, simulator.CodeResourceInvalid)

	address := w.make(addresses, object{"email": "x@example.net"})
	if v, has := address["verified"]; v != nil || !has {
		t.Errorf("want an address that waits for its owner, got %v", address)
	}
	w.refused(http.MethodPost, addresses, object{"email": "x@example.net"}, http.StatusConflict, simulator.CodeResourceConflict)
	w.refused(http.MethodPost, rules, mailRule("b", "forward", "x@example.net"), http.StatusBadRequest, simulator.CodeMailUnverified)
	if got := len(w.listed(addresses)); got != 1 {
		t.Errorf("want a list of %d addresses, got %d", 1, got)
	}
	if got := len(w.listed(addresses + "?verified=true")); got != 0 {
		t.Errorf("want no verified address, got %d", got)
	}
	if err := w.sim.EditResource(addresses+"/"+textOf(address, "id"), func(doc map[string]any) { doc["verified"] = "2026-01-02T15:04:05Z" }); err != nil {
		t.Fatal(err)
	}
	w.make(rules, mailRule("b", "forward", "x@example.net"))
	all := w.object(w.must(http.MethodPut, rules+"/catch_all", object{
		"enabled": true, "matchers": []any{object{"type": "all"}}, "actions": []any{object{"type": "forward", "value": []any{"x@example.net"}}},
	}))
	if all["id"] != first[0]["id"] || all["enabled"] != true {
		t.Errorf("want the same catch-all rule and enabled, got %v", all)
	}
	w.must(http.MethodDelete, addresses+"/"+textOf(address, "id"), nil)
	on := 0
	for _, rule := range w.listed(w.in("email/routing/rules")) {
		if rule["zone"].(object)["tag"] != w.zone.ID {
			t.Errorf("want the zone of a rule in a list of the account, got %v", rule)
		}
		if rule["enabled"] == true {
			on++
		}
	}
	if on != 1 {
		t.Errorf("%d rules are enabled after the deletion of the address that two forward to, want 1", on)
	}
}

// TestMailNeedsAUser verifies that tokens of accounts are refused like tokens without
// permission.
func TestMailNeedsAUser(t *testing.T) {
	w := newResourceWorld(t)
	everything := []simulator.Grant{{Permission: simulator.Everything}}
	w.token = w.sim.AddToken(simulator.TokenOptions{Account: w.account.ID, Grants: everything})
	for _, path := range []string{w.path("email/routing/rules"), w.in("email/routing/rules"), w.in("email/routing/addresses"), w.path("email/routing/rules/catch_all")} {
		w.refused(http.MethodGet, path, nil, http.StatusForbidden, simulator.CodeAuthentication)
	}
	w.token = w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Permission: "Email Routing Rules Read"}}})
	w.must(http.MethodGet, w.path("email/routing/rules"), nil)
	w.refused(http.MethodPost, w.path("email/routing/rules"), mailRule("a", "drop"), http.StatusForbidden, simulator.CodeAuthentication)
}

// TestMailIsVerifiedInTime verifies that an address is verified after the delay of tenants.
func TestMailIsVerifiedInTime(t *testing.T) {
	w := newResourceWorld(t, func(o *simulator.Options) { o.TenantDelay = time.Minute })
	addresses := w.in("email/routing/addresses")
	item := addresses + "/" + textOf(w.make(addresses, object{"email": "x@example.net"}), "id")
	w.sim.Advance(time.Minute)
	if got := w.object(w.must(http.MethodGet, item, nil)); got["verified"] == nil {
		t.Errorf("want a verified address, got %v", got)
	}
	w.make(w.path("email/routing/rules"), mailRule("b", "forward", "x@example.net"))
	w.refused(http.MethodPatch, item, object{"status": "verified"}, http.StatusForbidden, simulator.CodeAuthentication)
	if got := w.object(w.must(http.MethodPatch, item, object{"status": "unverified"})); got["verified"] != nil {
		t.Errorf("want an address that waits for its owner again, got %v", got)
	}
}

// TestMailOfAZone verifies that enabling Email Routing adds locked records, and that
// disabling it removes them. The settings do neither.
func TestMailOfAZone(t *testing.T) {
	w := newResourceWorld(t)
	settings := w.path("email/routing")
	first := w.object(w.must(http.MethodGet, settings, nil))
	if first["enabled"] != false || first["status"] != "unconfigured" || first["name"] != w.zone.Name {
		t.Fatalf("want a zone without mail, got %v", first)
	}
	if now := w.object(w.must(http.MethodPatch, settings, object{"enabled": true, "support_subaddress": true})); now["enabled"] != false || now["support_subaddress"] != true {
		t.Errorf("want that a PATCH does not switch mail on, got %v", now)
	}
	if now := w.object(w.must(http.MethodPost, settings+"/dns", object{})); now["enabled"] != true || now["status"] != "ready" || now["support_subaddress"] != true {
		t.Errorf("want a zone with mail, got %v", now)
	}
	records := w.listed(w.path("dns_records?type=MX"))
	if len(records) != 3 {
		t.Fatalf("want three MX records, got %v", records)
	}
	w.refused(http.MethodDelete, w.path("dns_records/"+textOf(records[0], "id")), nil, http.StatusBadRequest, simulator.CodeReadOnly)
	if got := len(w.listed(settings + "/dns")); got != 4 {
		t.Errorf("%d records are needed, want 4", got)
	}
	if now := w.object(w.must(http.MethodDelete, settings+"/dns", nil)); now["enabled"] != false || now["status"] != "unconfigured" {
		t.Errorf("want a zone without mail, got %v", now)
	}
	if left := w.listed(w.path("dns_records?type=MX")); len(left) != 0 {
		t.Errorf("want no MX record, got %v", left)
	}
}
