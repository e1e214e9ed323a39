// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"maps"
	"slices"
)

// A rival is another kind that works on what B's resource is in, or is a part of.
type rival struct {
	kind string
	// declares gives what A declares, and the external name of what B's resource is in, "" where there is none, from what
	// B declares.
	declares func(x *tenants, own map[string]any) (params map[string]any, name any)
}

// rivalsOf are those of a kind. What a kind may add beside B's resource, as a secret of B's Worker or a setting of B's zone, is
// a resource of its own, which who has the credential may make.
func rivalsOf(kind string) []rival {
	return map[string][]rival{
		"TunnelConfiguration": {{"TunnelIngress", func(x *tenants, own map[string]any) (map[string]any, any) {
			return map[string]any{"tunnelId": own["tunnelId"], "hostname": "a." + x.zone.Name, "service": "http://a.example.com"}, nil
		}}},
		"TunnelIngress": {{"TunnelConfiguration", func(_ *tenants, own map[string]any) (map[string]any, any) {
			return map[string]any{"tunnelId": own["tunnelId"], "config": map[string]any{"ingress": []any{map[string]any{"service": "http_status:404"}}}}, own["tunnelId"]
		}}},
		"Ruleset": {{"RulesetRule", func(_ *tenants, own map[string]any) (map[string]any, any) {
			params := maps.Clone(own["rules"].([]any)[0].(map[string]any)) //nolint:forcetypeassert // It is one.
			maps.Copy(params, map[string]any{"zoneId": own["zoneId"], "phase": own["phase"], "ref": "of-a", "description": "of A"})
			return params, nil
		}}},
		"RulesetRule": {{"Ruleset", func(_ *tenants, own map[string]any) (map[string]any, any) {
			return map[string]any{"zoneId": own["zoneId"], "kind": "zone", "phase": own["phase"], "name": "default", "rules": []any{
				map[string]any{"ref": "of-a", "expression": "true", "action": own["action"]},
			}}, nil
		}}},
		"WorkerSecret":      {{"WorkerScript", scriptOfA}},
		"WorkerCronTrigger": {{"WorkerScript", scriptOfA}},
		"RulesListItem": {{"RulesList", func(*tenants, map[string]any) (map[string]any, any) {
			return map[string]any{"name": "example_egress", "kind": "ip"}, nil
		}}, {"RulesList", func(_ *tenants, own map[string]any) (map[string]any, any) {
			return map[string]any{"name": "example_egress", "kind": "ip"}, own["listId"]
		}}},
		"ZoneSetting": {{"Zone", func(x *tenants, _ map[string]any) (map[string]any, any) {
			return map[string]any{"name": x.zone.Name}, x.zone.ID
		}}},
	}[kind]
}

// scriptOfA is a Worker of the name of the one that B's resource belongs to.
func scriptOfA(_ *tenants, own map[string]any) (map[string]any, any) {
	return map[string]any{
		"scriptName": own["scriptName"], "mainModule": "worker.js", "compatibilityDate": "2026-01-01",
		"modules": []any{map[string]any{"name": "worker.js", "type": "esm", "content": "export default {};"}},
	}, own["scriptName"]
}

// rivalKinds are the kinds of a kind's rivals.
func rivalKinds(kind string) []string {
	var out []string
	for _, r := range rivalsOf(kind) {
		out = append(out, r.kind)
	}
	return out
}

// rivals are objects of other kinds that work on what B's resource is in, or is a part of.
func (x *tenants) rivals() []attempt {
	x.T.Helper()
	own, _ := x.spec["forProvider"].(map[string]any)
	var out []attempt
	for _, r := range rivalsOf(x.d.Name) {
		a := attempt{reason: "a " + r.kind + " works on the same"}
		params, name := r.declares(x, own)
		for _, actions := range ways() {
			u := x.manifestOfA(actions...)
			spec, _ := u.Object["spec"].(map[string]any)
			maps.DeleteFunc(spec, func(member string, _ any) bool {
				return !slices.Contains([]string{"providerConfigRef", "managementPolicies", "deletionPolicy", "writeConnectionSecretToRef"}, member)
			})
			u.SetKind(r.kind)
			x.set(u, plain(params), "forProvider")
			if id, ok := name.(string); ok {
				x.setName(u, id)
			}
			a.objects = append(a.objects, u)
		}
		out = append(out, a)
	}
	return out
}
