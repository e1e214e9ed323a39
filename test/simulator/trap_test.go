// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const (
	tunnelsTemplate = "/accounts/{account_id}/cfd_tunnel"
	poolsTemplate   = "/accounts/{account_id}/load_balancers/pools"
)

// TestTrapsOfAnswers verifies the traps that change the response about a pool.
func TestTrapsOfAnswers(t *testing.T) {
	cases := map[string]struct {
		reason string
		trap   simulator.Trap
		body   object
		member string
		want   any // nil: the member is left out.
	}{
		"ReorderedSet": {
			"a set comes back in another order",
			simulator.Trap{Kind: simulator.TrapReorderedSet, Field: "check_regions"},
			object{"check_regions": []any{"WNAM", "ENAM"}},
			"check_regions",
			[]any{"ENAM", "WNAM"},
		},
		"OmittedFalse": {
			"false is left out", simulator.Trap{Kind: simulator.TrapOmittedFalse, Field: "enabled"}, object{"enabled": false}, "enabled", nil,
		},
		"KeptTrue": {
			"true is not", simulator.Trap{Kind: simulator.TrapOmittedFalse, Field: "enabled"}, object{"enabled": true}, "enabled", true,
		},
		"OmittedEmpty": {
			"nor is an empty text shown", simulator.Trap{Kind: simulator.TrapOmittedFalse, Field: "description"}, object{}, "description", nil,
		},
		"Escaped": {
			"text is escaped",
			simulator.Trap{Kind: simulator.TrapReformattedText, Field: "description", Value: "html"},
			object{"description": "a & b"},
			"description", "a &amp; b",
		},
		"Newline": {
			"text ends with a newline",
			simulator.Trap{Kind: simulator.TrapReformattedText, Field: "description", Value: "newline"},
			object{"description": "a"},
			"description", "a\n",
		},
		"Concealed": {
			"a secret comes back as asterisks",
			simulator.Trap{Kind: simulator.TrapConcealedSecret, Field: "notification_email"},
			object{"notification_email": "a@example.com"},
			"notification_email", "**********************************",
		},
		"Degraded": {
			"a member is unknown for the moment", simulator.Trap{Kind: simulator.TrapDegradedRead, Field: "name"}, object{}, "name", "unknown",
		},
		"DegradedWithout": {
			"and others are missing", simulator.Trap{Kind: simulator.TrapDegradedRead, Field: "name", Without: []string{"origins"}}, object{}, "origins", nil,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newResourceWorld(t)
			item := w.in("load_balancers/pools", textOf(w.make(w.in("load_balancers/pools"), with(aPool("a"), tc.body)), "id"))
			before := w.object(w.must(http.MethodGet, item, nil))
			tc.trap.Path = poolsTemplate
			id := w.sim.AddTrap(tc.trap)
			got, has := w.object(w.must(http.MethodGet, item, nil))[tc.member]
			if has != (tc.want != nil) || asJSON(t, got) != asJSON(t, tc.want) {
				t.Errorf("%s: want %v, got %v", tc.reason, tc.want, got)
			}
			if listed := w.listed(w.in("load_balancers/pools"))[0][tc.member]; asJSON(t, listed) != asJSON(t, got) {
				t.Errorf("a list shows %v", listed)
			}
			w.sim.RemoveTrap(id)
			if asJSON(t, w.object(w.must(http.MethodGet, item, nil))) != asJSON(t, before) {
				t.Error("the trap has changed what is stored")
			}
		})
	}
}

func TestTrapConcealedSecret(t *testing.T) {
	w := newResourceWorld(t)
	_, item := w.tunnel("a")
	w.sim.AddTrap(simulator.Trap{Kind: simulator.TrapConcealedSecret, Path: tunnelsTemplate, Field: "tunnel_secret"})
	if got := w.object(w.must(http.MethodGet, item, nil)); got["tunnel_secret"] != "**********************************" {
		t.Errorf("want asterisks where nothing is shown without the trap, got %v", got["tunnel_secret"])
	}
}

func TestTrapExpandedReference(t *testing.T) {
	w := newResourceWorld(t)
	monitor := w.make(w.in("load_balancers/monitors"), object{"type": "http"})
	pool := w.make(w.in("load_balancers/pools"), with(aPool("a"), object{"monitor": monitor["id"]}))
	w.sim.AddTrap(simulator.Trap{Kind: simulator.TrapExpandedReference, Path: poolsTemplate, Field: "monitor", Value: "/load_balancers/monitors"})
	got, _ := w.object(w.must(http.MethodGet, w.in("load_balancers/pools", textOf(pool, "id")), nil))["monitor"].(object)
	if got["id"] != monitor["id"] || got["type"] != "http" {
		t.Errorf("want the monitor in full, got %v", got)
	}
}

func TestTrapEmptyObject(t *testing.T) {
	w := newResourceWorld(t)
	group := w.make(w.in("access/groups"), aGroup("a"))
	w.sim.AddTrap(simulator.Trap{
		Kind: simulator.TrapEmptyObject, Path: "/{accounts_or_zones}/{account_or_zone_id}/access/groups",
		Field: "include.*.common_name", Value: "common_name",
	})
	rule := w.object(w.must(http.MethodGet, w.in("access/groups", textOf(group, "id")), nil))["include"].([]any)[0].(object)
	if asJSON(t, rule["common_name"]) != `{"common_name":null}` || rule["email_domain"] == nil {
		t.Errorf("want an empty selector beside the one that was sent, got %v", rule)
	}
}

func TestTrapBusyDeletion(t *testing.T) {
	w := newResourceWorld(t)
	_, item := w.tunnel("a")
	w.sim.AddTrap(simulator.Trap{Kind: simulator.TrapBusyDeletion, Path: w.in("cfd_tunnel"), Code: simulator.CodeTunnelConnections, Status: 400, Times: 2})
	for range 2 {
		w.refused(http.MethodDelete, item, nil, http.StatusBadRequest, simulator.CodeTunnelConnections)
	}
	w.must(http.MethodDelete, item, nil)
}

func TestTrapSoftDeletion(t *testing.T) {
	w := newResourceWorld(t)
	namespaces := w.in("storage/kv/namespaces")
	item := namespaces + "/" + textOf(w.make(namespaces, object{"title": "a"}), "id")
	w.sim.AddTrap(simulator.Trap{Kind: simulator.TrapSoftDeletion, Path: "/accounts/{account_id}/storage/kv/namespaces"})
	w.must(http.MethodDelete, item, nil)
	if got := w.object(w.must(http.MethodGet, item, nil)); got["deleted_at"] == nil {
		t.Errorf("want the namespace with the time of its deletion, got %v", got)
	}
	w.make(namespaces, object{"title": "a"}) // Its title is free.
}

func TestTrapConvergingStatus(t *testing.T) {
	w := newResourceWorld(t)
	_, item := w.tunnel("a")
	w.sim.AddTrap(simulator.Trap{
		Kind: simulator.TrapConvergingStatus, Path: tunnelsTemplate, Field: "status", Values: []string{"inactive", "degraded", "healthy"}, For: time.Minute,
	})
	var seen []string
	for range 4 {
		seen = append(seen, textOf(w.object(w.must(http.MethodGet, item, nil)), "status"))
		w.clock.Advance(time.Minute)
	}
	if want := []string{"inactive", "degraded", "healthy", "healthy"}; !slices.Equal(seen, want) {
		t.Errorf("want %v, got %v", want, seen)
	}
	w.must(http.MethodPatch, item, object{"name": "b"})
	if got := w.object(w.must(http.MethodGet, item, nil)); got["status"] != "inactive" {
		t.Errorf("a write does not begin again: %v", got["status"])
	}
}

func TestTrapLag(t *testing.T) {
	w := newResourceWorld(t)
	_, item := w.tunnel("a")
	w.clock.Advance(time.Minute)
	id := w.sim.AddTrap(simulator.Trap{Kind: simulator.TrapLag, Path: tunnelsTemplate, For: 10 * time.Second})
	w.tunnel("b")
	w.must(http.MethodPatch, item, object{"name": "c"})
	names := func() (all []string) {
		for _, o := range w.listed(w.in("cfd_tunnel")) {
			all = append(all, textOf(o, "name"))
		}
		return all
	}
	if got := names(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("want the list of ten seconds ago, got %v", got)
	}
	if got := w.object(w.must(http.MethodGet, item, nil)); got["name"] != "c" {
		t.Errorf("a single read lags: %v", got)
	}
	w.clock.Advance(10 * time.Second)
	if got := names(); !slices.Equal(got, []string{"c", "b"}) {
		t.Errorf("want the list to catch up, got %v", got)
	}
	if w.sim.Sprung(id) != 2 {
		t.Errorf("want two lists counted, got %d", w.sim.Sprung(id))
	}
}

func TestTrapEntitlementRefusal(t *testing.T) {
	w := newResourceWorld(t)
	pools := w.in("load_balancers/pools")
	w.sim.AddTrap(simulator.Trap{Kind: simulator.TrapEntitlementRefusal, Path: poolsTemplate, Field: "load_shedding.default_percent"})
	w.refused(http.MethodPost, pools, with(aPool("a"), object{"load_shedding": object{"default_percent": 1}}), http.StatusForbidden, simulator.CodeNotEntitled)
	w.make(pools, aPool("a")) // The server adds the default, so that the request does not have the member.
}

// TestTrapKinds verifies that traps of all kinds can be added. A trap without any possible
// effect is refused.
func TestTrapKinds(t *testing.T) {
	w := newResourceWorld(t)
	for _, kind := range simulator.TrapKinds() {
		id := w.sim.AddTrap(simulator.Trap{Kind: kind, Path: poolsTemplate})
		if w.sim.Traps()[id].Kind != kind {
			t.Errorf("trap %s is not on", kind)
		}
	}
	w.sim.ClearTraps()
	if len(w.sim.Traps()) != 0 {
		t.Error("traps are on after ClearTraps")
	}
	for reason, trap := range map[string]simulator.Trap{
		"no such kind": {Kind: "x", Path: poolsTemplate}, "no such collection": {Kind: simulator.TrapLag, Path: "/accounts/{account_id}/x"},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: the trap is accepted", reason)
				}
			}()
			w.sim.AddTrap(trap)
		}()
	}
}

// TestTrapOfAToken verifies that a trap may be restricted to the calls with one token.
func TestTrapOfAToken(t *testing.T) {
	w := newResourceWorld(t)
	item := w.in("load_balancers/pools", textOf(w.make(w.in("load_balancers/pools"), aPool("a")), "id"))
	id := w.sim.AddTrap(simulator.Trap{Kind: simulator.TrapDegradedRead, Path: poolsTemplate, Field: "name", Token: "another"})
	if got := w.object(w.must(http.MethodGet, item, nil))["name"]; got != "a" {
		t.Errorf("the trap of another token gives the name %v", got)
	}
	w.sim.RemoveTrap(id)
	w.sim.AddTrap(simulator.Trap{Kind: simulator.TrapDegradedRead, Path: poolsTemplate, Field: "name", Token: w.token})
	if got := w.object(w.must(http.MethodGet, item, nil))["name"]; got != "unknown" {
		t.Errorf("the trap of this token gives the name %v", got)
	}
}

// TestTrapsOfZoneDocuments verifies that traps also work for the settings of a zone and its
// DNSSEC, which are not generic resources. The stored values do not change.
func TestTrapsOfZoneDocuments(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	ciphers, dnssec := w.path("settings", "ciphers"), w.path("dnssec")
	w.must(http.MethodPatch, ciphers, object{"value": []any{"a", "b"}})
	w.sim.AddTrap(simulator.Trap{Kind: simulator.TrapReorderedSet, Path: ciphers, Field: "value"})
	w.sim.AddTrap(simulator.Trap{Kind: simulator.TrapReformattedText, Path: ciphers, Field: "value", Value: "upper"})
	w.sim.AddTrap(simulator.Trap{Kind: simulator.TrapEntitlementRefusal, Path: dnssec})
	for range 2 {
		got, _ := w.object(w.must(http.MethodGet, ciphers, nil))["value"].([]any)
		if !slices.Equal(got, []any{"B", "A"}) {
			t.Errorf("the ciphers are %v, want them in capitals and in the reverse order", got)
		}
	}
	w.refused(http.MethodPatch, dnssec, object{"status": "active"}, http.StatusForbidden, simulator.CodeNotEntitled)
	if got := w.object(w.must(http.MethodGet, dnssec, nil))["status"]; got != "disabled" {
		t.Errorf("DNSSEC is %v after a refusal", got)
	}
}

// TestTrapsInOrder verifies that traps of several kinds apply to a member in the same order each time.
func TestTrapsInOrder(t *testing.T) {
	const asterisks = "**********************************"
	for _, tc := range []struct {
		reason, member string
		document       func(w *world) (path, at string) // A GET, and the path of the traps.
		first, then    simulator.Trap
		want           any // nil: the member is left out.
	}{
		{
			"a concealed text is not empty", "description", aTrappedPool,
			simulator.Trap{Kind: simulator.TrapConcealedSecret},
			simulator.Trap{Kind: simulator.TrapOmittedFalse},
			asterisks,
		},
		{
			"an omitted text has no form", "description", aTrappedPool,
			simulator.Trap{Kind: simulator.TrapOmittedFalse},
			simulator.Trap{Kind: simulator.TrapReformattedText, Value: "newline"},
			nil,
		},
		{
			"the same in a document of a zone", "dnssec_presigned",
			func(w *world) (string, string) { return w.path("dnssec"), w.path("dnssec") },
			simulator.Trap{Kind: simulator.TrapConcealedSecret},
			simulator.Trap{Kind: simulator.TrapOmittedFalse},
			asterisks,
		},
	} {
		w := newResourceWorld(t)
		path, at := tc.document(w)
		for _, trap := range []simulator.Trap{tc.then, tc.first} { // The order in which they are enabled does not matter.
			trap.Path, trap.Field = at, tc.member
			w.sim.AddTrap(trap)
		}
		for range 32 {
			if got := w.object(w.must(http.MethodGet, path, nil))[tc.member]; got != tc.want {
				t.Errorf("%s: got %v, want %v", tc.reason, got, tc.want)
			}
		}
	}
}

// aTrappedPool creates a pool, and returns its path and that of its traps.
func aTrappedPool(w *world) (path, at string) {
	w.Helper()
	return w.in("load_balancers/pools", textOf(w.make(w.in("load_balancers/pools"), aPool("a")), "id")), poolsTemplate
}

// TestTrapOfUnknownReferences verifies that a trap springs only if it replaces an ID.
func TestTrapOfUnknownReferences(t *testing.T) {
	w := newResourceWorld(t)
	monitor := w.make(w.in("load_balancers/monitors"), object{"type": "http"})["id"]
	pool := w.make(w.in("load_balancers/pools"), with(aPool("a"), object{"monitor": monitor}))["id"]
	item := w.in("load_balancers/pools", pool.(string))
	balancer := w.path("load_balancers", textOf(w.make(w.path("load_balancers"), aBalancer("lb.example.com", pool)), "id"))
	for _, tc := range []struct {
		reason, at, path, field, others string
		sprung                          int
	}{
		{"the list has an ID", w.path("load_balancers"), balancer, "default_pools", "/load_balancers/pools", 1},
		{"no ID of the list is known", w.path("load_balancers"), balancer, "default_pools", "/load_balancers/monitors", 0},
		{"the member is an ID", poolsTemplate, item, "monitor", "/load_balancers/monitors", 1},
		{"the member is no ID of these", poolsTemplate, item, "monitor", "/load_balancers/pools", 0},
	} {
		trap := simulator.Trap{Kind: simulator.TrapExpandedReference, Path: tc.at, Field: tc.field, Value: tc.others}
		id := w.sim.AddTrap(trap)
		got := w.must(http.MethodGet, tc.path, nil)
		if n := w.sim.Sprung(id); n != tc.sprung || (got.header.Get(simulator.FaultHeader) != "") != (tc.sprung > 0) {
			t.Errorf("%s: the trap has sprung %d times, want %d, in %s", tc.reason, n, tc.sprung, got.raw)
		}
		w.sim.RemoveTrap(id)
	}
}
