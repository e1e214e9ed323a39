// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"maps"
	"math"
	"net/http"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// A generator draws values that the official document allows.
type generator struct{ t *rapid.T }

// object draws the required members, and some of the others. It takes the members of
// fixed as they are, because their values refer to other resources or need a meaning.
func (g generator) object(s *apidoc.Schema, fixed object, depth int) object {
	drawn := object{}
	required := s.Needs()
	members := s.Members(nil)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		member := members[name]
		if value, is := fixed[name]; is {
			if value != remove {
				drawn[name] = value
			}
			continue
		}
		needed := slices.Contains(required, name)
		if member.IsReadOnly() || (!needed && (depth > 2 || !rapid.Bool().Draw(g.t, "has "+name))) {
			continue
		}
		if value := g.value(member, depth+1); value != nil {
			drawn[name] = value
		}
	}
	return drawn
}

// value draws a value. It returns nil if it cannot draw values of the schema.
func (g generator) value(s *apidoc.Schema, depth int) any {
	switch values := s.Choices(); {
	case len(values) > 0:
		return rapid.SampledFrom(values).Draw(g.t, "enum")
	case s.Kind() == "boolean":
		return rapid.Bool().Draw(g.t, "boolean")
	case s.Kind() == "string":
		least, most := s.Lengths()
		if s.Shaped() {
			return nil
		}
		return rapid.StringOfN(rapid.RuneFrom([]rune("abcxyz019")), least, min(most, least+8), -1).Draw(g.t, "text")
	case s.Kind() == "integer", s.Kind() == "number":
		least, most := s.Range()
		least, most = math.Max(least, 0), math.Min(most, 1000)
		return rapid.IntRange(int(math.Ceil(least)), int(most)).Draw(g.t, "number")
	case s.Kind() == "array":
		list := []any{}
		for range rapid.IntRange(0, 2).Draw(g.t, "elements") {
			e := g.value(s.Elements(), depth+1)
			if e != nil && !slices.ContainsFunc(list, func(other any) bool { return apidoc.Equal(other, e) }) {
				list = append(list, e)
			}
		}
		return list
	case s.Kind() == "object":
		return g.object(s, nil, depth)
	}
	return nil
}

// TestRandomResources sends bodies that the document allows with POST, GET, PUT and
// GET. Each must come back as it was sent, apart from defaults. Every response is
// checked against the document.
func TestRandomResources(t *testing.T) {
	w := newResourceWorld(t)
	monitor := w.make(w.in("load_balancers/monitors"), object{"type": "http"})["id"]
	pool := w.make(w.in("load_balancers/pools"), aPool("base"))["id"]
	selectors := []any{object{"everyone": object{}}}
	cases := map[string]struct {
		list, template string
		fixed          object
	}{
		"Monitor": {w.in("load_balancers/monitors"), "/accounts/{account_id}/load_balancers/monitors", object{"port": 80, "header": remove}},
		"Pool": {w.in("load_balancers/pools"), poolsTemplate, object{
			"name": "random", "origins": aPool("")["origins"], "monitor": monitor, "monitor_group": remove,
		}},
		"Balancer": {w.path("load_balancers"), "/{accounts_or_zones}/{account_or_zone_id}/load_balancers", object{
			"name": "random.example.com", "default_pools": []any{pool}, "fallback_pool": pool, "rules": remove, "proxied": false,
			"country_pools": object{"GB": []any{pool}}, "region_pools": remove, "pop_pools": remove,
		}},
		"Policy": {w.in("access/policies"), "/accounts/{account_id}/access/policies", object{
			"include": selectors, "exclude": []any{}, "require": selectors, "approval_groups": remove, "connection_rules": remove, "mfa_config": remove,
		}},
		"Group": {w.in("access/groups"), "/{accounts_or_zones}/{account_or_zone_id}/access/groups", object{
			"include": selectors, "exclude": []any{}, "require": []any{}, "is_default": remove,
		}},
		"Namespace": {w.in("storage/kv/namespaces"), "/accounts/{account_id}/storage/kv/namespaces", object{"jurisdiction": remove}}, // Only a creation accepts it.
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				g := generator{rt}
				schema := apidoc.Load().Operation(http.MethodPost, tc.template).Body
				body := g.object(schema, tc.fixed, 0)
				made := w.do(http.MethodPost, tc.list, body)
				if made.status >= http.StatusMultipleChoices {
					rt.Fatalf("POST of a body that the document allows: %s\n%s", made.raw, asJSON(t, body))
				}
				item := tc.list + "/" + idOf(w.object(made))
				defer func() { _ = w.sim.DeleteResource(item) }() // Also after a failure, so that it can be repeated.
				holds(t, rt, body, w.object(w.do(http.MethodGet, item, nil)))
				other := g.object(schema, tc.fixed, 0)
				if put := w.do(http.MethodPut, item, other); put.status != http.StatusOK {
					rt.Fatalf("PUT of a body that the document allows: %s\n%s", put.raw, asJSON(t, other))
				}
				got := w.object(w.do(http.MethodGet, item, nil))
				holds(t, rt, other, got)
				filled, _ := schema.Fill(other).(object)
				for member, before := range body {
					left := other[member] == nil && filled[member] == nil && !empty(before) && !computed(member)
					if left && asJSON(t, got[member]) == asJSON(t, before) {
						rt.Fatalf("PUT keeps %s, which it leaves out: %v", member, got[member])
					}
				}
				if gone := w.do(http.MethodDelete, item, nil); gone.status >= http.StatusMultipleChoices {
					rt.Fatalf("DELETE: %s", gone.raw)
				}
			})
		})
	}
}

// computed reports whether the simulator has its own default for a member.
func computed(member string) bool {
	return slices.Contains([]string{
		"method", "path", "expected_codes", "consecutive_up", "consecutive_down", "ttl", "session_duration",
		"adaptive_routing", "location_strategy", "random_steering", "isolation_required", "approval_required", "purpose_justification_required",
	}, member)
}

// empty reports whether v is an empty object or list, which the simulator sets for
// members without a default.
func empty(v any) bool {
	object, isObject := v.(object)
	list, isList := v.([]any)
	return (isObject && len(object) == 0) || (isList && len(list) == 0)
}

// holds requires every member of a body in a response. It compares objects by their
// members.
func holds(t *testing.T, rt *rapid.T, want, got object) {
	t.Helper()
	for member, value := range want {
		inner, isObject := value.(object)
		gotInner, both := got[member].(object)
		switch {
		case isObject && both:
			holds(t, rt, inner, gotInner)
		case member == "expected_codes" && value == "": // It depends on the type.
		case member == "origins": // Each with the defaults of an origin.
			if len(got[member].([]any)) != len(value.([]any)) {
				rt.Fatalf("want %v, got %v", value, got[member])
			}
		case asJSON(t, got[member]) != asJSON(t, value):
			rt.Fatalf("%s: want %v, got %v", member, value, got[member])
		}
	}
}
