// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// newResourceWorld returns a world whose token has all permissions.
func newResourceWorld(t *testing.T, options ...func(*simulator.Options)) *world {
	t.Helper()
	w := newWorld(t, simulator.PlanEnterprise, options...)
	w.token = w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Permission: simulator.Everything}}})
	return w
}

// in returns a path of the account.
func (w *world) in(parts ...string) string {
	return "/accounts/" + w.account.ID + "/" + strings.Join(parts, "/")
}

// make creates a resource and returns that of the response.
func (w *world) make(path string, body any) object {
	w.Helper()
	return w.object(w.must(http.MethodPost, path, body))
}

// refused makes a request that must be refused with a status and a code.
func (w *world) refused(method, path string, body any, status, code int) {
	w.Helper()
	got := w.do(method, path, body)
	if got.status != status || got.code() != code {
		w.Errorf("%s %s: want HTTP %d with code %d, got HTTP %d: %s", method, path, status, code, got.status, got.raw)
	}
}

func textOf(o object, name string) string {
	text, _ := o[name].(string)
	return text
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("cannot encode %v: %v", v, err)
	}
	return string(raw)
}

// sample is a body that a collection accepts.
type sample struct {
	path string
	body object
	put  object // The body of a PUT on the item; nil if there is none.
	with object // The body of a PATCH; nil if there is none.
}

// samples returns one resource of every generic collection. It creates the resources
// that they refer to.
func (w *world) samples() map[string]sample {
	w.Helper()
	tunnel := w.make(w.in("cfd_tunnel"), object{"name": "base"})
	monitor := w.make(w.in("load_balancers/monitors"), object{"type": "https"})
	pool := w.make(w.in("load_balancers/pools"), aPool("base"))
	policy := w.make(w.in("access/policies"), aPolicy("base"))
	return map[string]sample{
		"Tunnel":         {w.in("cfd_tunnel"), object{"name": "a"}, nil, object{"name": "b"}},
		"NetworkRoute":   {w.in("teamnet/routes"), object{"network": "10.1.0.0/16", "tunnel_id": tunnel["id"]}, nil, object{"comment": "x"}},
		"HostnameRoute":  {w.in("zerotrust/routes/hostname"), object{"hostname": "a.internal", "tunnel_id": tunnel["id"]}, nil, object{"comment": "x"}},
		"VirtualNetwork": {w.in("teamnet/virtual_networks"), object{"name": "a"}, nil, object{"comment": "x"}},
		"Namespace":      {w.in("storage/kv/namespaces"), object{"title": "a"}, object{"title": "b"}, nil},
		"WorkerRoute":    {w.path("workers/routes"), object{"pattern": "example.com/*", "script": "a"}, object{"pattern": "example.com/b/*"}, nil},
		"Queue":          {w.in("queues"), object{"queue_name": "a"}, object{"queue_name": "b"}, object{"settings": object{"delivery_delay": 5, "delivery_paused": false, "message_retention_period": 345600}}},
		"RulesList":      {w.in("rules/lists"), object{"name": "a", "kind": "ip"}, object{"description": "b"}, nil},
		"Hostname":       {w.path("custom_hostnames"), object{"hostname": "a.example.net", "ssl": object{"method": "txt", "type": "dv"}}, nil, object{"custom_origin_server": "o.example.com"}},
		"Widget": {
			w.in("challenges/widgets"),
			object{"name": "a", "mode": "managed", "domains": []any{"example.com"}},
			object{"name": "b", "mode": "invisible", "domains": []any{}},
			nil,
		},
		"Bucket":  {w.in("r2/buckets"), object{"name": "bucket-a"}, nil, nil},
		"Monitor": {w.in("load_balancers/monitors"), object{"type": "http"}, object{"type": "https", "path": "/b"}, object{"retries": 3}},
		"Pool":    {w.in("load_balancers/pools"), with(aPool("a"), object{"monitor": monitor["id"]}), aPool("b"), object{"description": "x"}},
		"Balancer": {
			w.path("load_balancers"), aBalancer("lb.example.com", pool["id"]), aBalancer("lb2.example.com", pool["id"]), object{"description": "x"},
		},
		"App": {
			w.in("access/apps"),
			object{"type": "self_hosted", "domain": "app.example.com", "name": "a", "policies": []any{policy["id"]}},
			object{"type": "self_hosted", "domain": "app.example.com", "name": "b"},
			nil,
		},
		"Policy":       {w.in("access/policies"), aPolicy("a"), aPolicy("b"), nil},
		"Group":        {w.in("access/groups"), aGroup("a"), aGroup("b"), nil},
		"Provider":     {w.in("access/identity_providers"), anIdentityProvider("a"), anIdentityProvider("b"), nil},
		"ServiceToken": {w.in("access/service_tokens"), object{"name": "a"}, object{"name": "b"}, nil},
		"AccountToken": {w.in("tokens"), w.aToken("a", "Workers Routes Write"), w.aToken("b", "Workers Routes Write"), nil},
		"PagesProject": {w.in("pages/projects"), object{"name": "site-a", "production_branch": "main"}, nil, object{"production_branch": "b"}},
		"PagesDomain":  {w.pages(), object{"name": "www.example.com"}, nil, nil},
		"Member":       {w.in("members"), aMember("b@example.net"), object{"roles": []any{object{"id": roleA}}}, nil},
		"UserToken":    {"/user/tokens", w.aToken("a", "Workers Routes Write"), w.aToken("b", "Workers Routes Write"), nil},
		"Ruleset": {
			w.path("rulesets"),
			object{"name": "a", "kind": "custom", "phase": "http_request_firewall_custom", "rules": []any{aRule("x")}},
			object{"description": "b", "rules": []any{aRule("x"), aRule("y")}},
			nil,
		},
	}
}

// pages creates a project and returns the path of its domains.
func (w *world) pages() string {
	w.Helper()
	w.make(w.in("pages/projects"), object{"name": "base", "production_branch": "main"})
	return w.in("pages/projects/base/domains")
}

func aPool(name string) object {
	return object{"name": name, "origins": []any{object{"name": "one", "address": "192.0.2.1"}, object{"name": "two", "address": "192.0.2.2"}}}
}

func aBalancer(name string, pool any) object {
	return object{"name": name, "default_pools": []any{pool}, "fallback_pool": pool}
}

func aPolicy(name string) object {
	return object{"name": name, "decision": "allow", "include": []any{object{"everyone": object{}}}}
}

func aGroup(name string) object {
	return object{"name": name, "include": []any{object{"email_domain": object{"domain": "example.com"}}}}
}

func aRule(ref string) object {
	return object{"ref": ref, "action": "block", "expression": `http.host eq "` + ref + `"`}
}

// aToken returns the body of a token with a permission group in the account.
func (w *world) aToken(name, group string) object {
	w.Helper()
	groups := w.list(w.must(http.MethodGet, w.in("tokens/permission_groups")+"?name="+strings.ReplaceAll(group, " ", "%20"), nil))
	if len(groups) != 1 {
		w.Fatalf("want one group %s, got %v", group, groups)
	}
	return object{"name": name, "policies": []any{object{
		"effect": "allow", "permission_groups": []any{object{"id": groups[0]["id"]}},
		"resources": object{"com.cloudflare.api.account." + w.account.ID: "*"},
	}}}
}
