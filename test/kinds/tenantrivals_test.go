// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"maps"
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// A rival is another kind that works on the parent of the resource of B, or on a part of it.
type rival struct {
	kind string
	// declares returns the parameters that A declares, and the external name of the resource of A or "". It gets the
	// parameters that B declares.
	declares func(x *tenants, own map[string]any) (params map[string]any, name string)
}

// rivalsOf returns the rivals of a kind. A resource that a kind may add beside that of B is no rival: every holder of
// the credential may create it. Examples are a secret of the Worker of B that B does not declare, and a setting of the
// zone of B.
func rivalsOf(kind string) []rival {
	return map[string][]rival{
		"TunnelConfiguration": {{"TunnelIngress", func(x *tenants, own map[string]any) (map[string]any, string) {
			return map[string]any{"tunnelId": own["tunnelId"], "hostname": "a." + x.zone.Name, "service": "http://a.example.com"}, ""
		}}, {"TunnelIngress", func(_ *tenants, own map[string]any) (map[string]any, string) {
			rule := maps.Clone(first(own, "config", "ingress"))
			rule["tunnelId"] = own["tunnelId"]
			return rule, ""
		}}},
		"TunnelIngress": {{"TunnelConfiguration", func(_ *tenants, own map[string]any) (map[string]any, string) {
			return wholeConfiguration(own), text(own, "tunnelId")
		}}, {"TunnelConfiguration", func(_ *tenants, own map[string]any) (map[string]any, string) {
			rule := maps.Clone(own)
			delete(rule, "tunnelId")
			delete(rule, "accountId")
			return wholeConfiguration(own, rule), ""
		}}},
		"Ruleset": {{"RulesetRule", func(_ *tenants, own map[string]any) (map[string]any, string) {
			params := maps.Clone(first(own, "rules"))
			maps.Copy(params, map[string]any{"zoneId": own["zoneId"], "phase": own["phase"], "description": "of A"})
			delete(params, "ref")
			return params, ""
		}}, {"RulesetRule", func(_ *tenants, own map[string]any) (map[string]any, string) {
			params := maps.Clone(first(own, "rules"))
			ref := text(params, "ref")
			maps.Copy(params, map[string]any{"zoneId": own["zoneId"], "phase": own["phase"]})
			delete(params, "ref")
			return params, ref
		}}},
		"RulesetRule": {{"Ruleset", func(_ *tenants, own map[string]any) (map[string]any, string) {
			return wholePhase(own, map[string]any{"ref": "of-a", "expression": "true", "action": own["action"]}), ""
		}}, {"Ruleset", func(x *tenants, own map[string]any) (map[string]any, string) {
			rule := maps.Clone(own)
			for _, of := range []string{"zoneId", "accountId", "phase", "position"} {
				delete(rule, of)
			}
			rule["ref"] = meta.GetExternalName(x.object)
			return wholePhase(own, rule), ""
		}}},
		"WorkerScript":      {{"WorkerSecret", bound("")}, {"WorkerSecret", bound(boundName)}},
		"WorkerSecret":      {{"WorkerScript", scriptOfA}},
		"WorkerCronTrigger": {{"WorkerScript", scriptOfA}},
		"RulesListItem": {{"RulesList", func(*tenants, map[string]any) (map[string]any, string) {
			return map[string]any{"name": "example_egress", "kind": "ip"}, ""
		}}, {"RulesList", func(_ *tenants, own map[string]any) (map[string]any, string) {
			return map[string]any{"name": "example_egress", "kind": "ip"}, text(own, "listId")
		}}},
		"ZoneSetting": {{"Zone", func(x *tenants, _ map[string]any) (map[string]any, string) {
			return map[string]any{"name": x.zone.Name}, x.zone.ID
		}}},
		"EmailRoutingCatchAll": {{"EmailRoutingRule", func(x *tenants, own map[string]any) (map[string]any, string) {
			return map[string]any{
				"zoneId": own["zoneId"], "name": own["name"], "enabled": own["enabled"], "actions": own["actions"],
				"matchers": []any{map[string]any{"type": "literal", "field": "to", "value": "a@" + x.zone.Name}},
			}, text(x.answer(own["zoneId"].(string)), "id") //nolint:forcetypeassert // It is one.
		}}},
	}[kind]
}

// first returns the first element of a list.
func first(doc map[string]any, at ...string) map[string]any {
	all, _, _ := unstructured.NestedSlice(doc, at...)
	one, _ := all[0].(map[string]any)
	return one
}

// text returns a member that is a text.
func text(doc map[string]any, name string) string {
	s, _ := doc[name].(string)
	return s
}

// wholeConfiguration returns the whole configuration of the tunnel that own names, with those rules.
func wholeConfiguration(own map[string]any, rules ...any) map[string]any {
	return map[string]any{"tunnelId": own["tunnelId"], "config": map[string]any{"ingress": append(rules, map[string]any{"service": "http_status:404"})}}
}

// wholePhase returns the whole phase that own names, with those rules.
func wholePhase(own map[string]any, rules ...any) map[string]any {
	return map[string]any{"zoneId": own["zoneId"], "kind": "zone", "phase": own["phase"], "name": "default", "rules": rules}
}

// scriptOfA returns a Worker with the name of the Worker that the resource of B belongs to.
func scriptOfA(_ *tenants, own map[string]any) (map[string]any, string) {
	return map[string]any{
		"scriptName": own["scriptName"], "mainModule": "worker.js", "compatibilityDate": "2026-01-01",
		"modules": []any{map[string]any{"name": "worker.js", "type": "esm", "content": "export default {};"}},
	}, text(own, "scriptName")
}

// boundName is the name of the binding of the Worker of B to a secret. The secret is in the Secret boundSecret.
const (
	boundName   = "BOUND"
	boundSecret = "bound"
)

// declaresMore makes the object of B declare more than its example.
func (x *tenants) declaresMore() {
	x.T.Helper()
	if x.d.Name != "WorkerScript" {
		return
	}
	bindings, _, _ := unstructured.NestedSlice(x.manifest.Object, "spec", "forProvider", "bindings")
	x.set(x.manifest, append(bindings, map[string]any{
		"name": boundName, "type": "secret_text", "textSecretRef": map[string]any{"name": boundSecret, "key": "token"},
	}), "forProvider", "bindings")
	x.before = append(x.before, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: boundSecret, Namespace: x.ns}, StringData: map[string]string{"token": "the-value"},
	})
}

// bound returns the secret of the Worker of B that B declares, with that external name.
func bound(name string) func(*tenants, map[string]any) (map[string]any, string) {
	return func(_ *tenants, own map[string]any) (map[string]any, string) {
		return map[string]any{
			"scriptName": own["scriptName"], "name": boundName, "type": "secret_text",
			"textSecretRef": map[string]any{"name": boundSecret, "key": "token"},
		}, name
	}
}

// rivalKinds returns the kinds of the rivals of a kind.
func rivalKinds(kind string) []string {
	var out []string
	for _, r := range rivalsOf(kind) {
		if !slices.Contains(out, r.kind) {
			out = append(out, r.kind)
		}
	}
	return out
}

// rivals returns attempts by objects of other kinds that work on the parent of the resource of B, or on a part of it.
// Some objects are new, and some are older than that of B.
func (x *tenants) rivals() []attempt {
	x.T.Helper()
	var out []attempt
	for _, r := range rivalsOf(x.d.Name) {
		out = append(out, attempt{reason: "a " + r.kind + " works on the same", objects: x.rival(r, false)})
	}
	if len(x.early) > 0 {
		out = append(out, attempt{reason: "a " + x.early[0].GetKind() + " that was there before B's object works on the same", paused: x.early})
	}
	return out
}

// rival returns objects of another kind, one for each policy. They are paused or not.
func (x *tenants) rival(r rival, paused bool) []*unstructured.Unstructured {
	x.T.Helper()
	own, _ := x.spec["forProvider"].(map[string]any)
	params, name := r.declares(x, own)
	var out []*unstructured.Unstructured
	for _, actions := range ways() {
		u := x.manifestOfA(actions...)
		spec, _ := u.Object["spec"].(map[string]any)
		maps.DeleteFunc(spec, func(member string, _ any) bool {
			return !slices.Contains([]string{"providerConfigRef", "managementPolicies", "deletionPolicy", "writeConnectionSecretToRef"}, member)
		})
		u.SetKind(r.kind)
		x.set(u, plain(params), "forProvider")
		if name != "" {
			x.setName(u, name)
		}
		if paused {
			meta.AddAnnotations(u, map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
		}
		out = append(out, u)
	}
	return out
}
