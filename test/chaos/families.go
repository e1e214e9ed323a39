// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const (
	// teamsAccount and teamsZone are the parents of the resources of described kinds.
	teamsAccount = "Teams Inc"
	teamsZone    = "teams.example"
	// rulesPhase is the phase with the rules of users and the foreign rules.
	rulesPhase = "http_request_firewall_custom"
	// strangers is the least number of foreign resources of a family.
	strangers = 3
)

// A resource is an object of a described kind in its user's desired state.
type resource struct {
	Family    string `json:"family"`
	Namespace string `json:"namespace"`
	Object    string `json:"object"`
	Key       string `json:"key"` // what distinguishes it at Cloudflare from others
	Value     int    `json:"value"`
}

// A place has the IDs of the parents of resources.
type place struct{ account, zone, tunnel, list string }

// A liveResource is a resource at Cloudflare.
type liveResource struct {
	Family, ID, Key, Value string

	raw json.RawMessage
	// within is the path of the document that has it, "" for none.
	within string
}

// A family is a described kind as the users of chaos have it.
type family struct {
	gvk schema.GroupVersionKind
	// namespaces are those with such objects. If there are two, two credentials share a
	// document.
	namespaces []string
	// keys are all possible keys; if nil, each resource gets a new one.
	keys []string
	// key returns the key of a user's n-th resource.
	key func(user, n int) string
	// params returns spec.forProvider.
	params func(p place, r resource) map[string]any
	// keyAt and valueAt are the members of params with the key and the value. shown converts
	// that value to the form that live returns.
	keyAt, valueAt string
	shown          func(value any) string
	// live returns all resources, including foreign ones.
	live func(ctx context.Context, sim *rig.Simulator, p place) ([]liveResource, error)
	// edit writes a value in the dashboard, and remove deletes the resource there. They are nil
	// if the dashboard can only write a whole document, because that would erase changes made
	// in between.
	edit, remove func(ctx context.Context, sim *rig.Simulator, p place, l liveResource, n int) error
}

func (f family) name() string { return f.gvk.Kind }

// objects returns an empty list of the family's objects.
func (f family) objects() *unstructured.UnstructuredList {
	l := &unstructured.UnstructuredList{}
	l.SetGroupVersionKind(f.gvk.GroupVersion().WithKind(f.gvk.Kind + "List"))
	return l
}

func kindOf(group, kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group + ".cloudflare.m.crossplane.io", Version: "v1alpha1", Kind: kind}
}

// families returns all families: a collection, a bulk list, a document that is written in
// parts, one that is written as a whole, the elements of a list, and singletons.
func families() []family {
	return []family{groups(), gatewayLists(), rules(), ingresses(), items(), settings()}
}

func familyOf(name string) family {
	all := families()
	return all[slices.IndexFunc(all, func(f family) bool { return f.name() == name })]
}

func named(user, n int) string { return fmt.Sprintf("k%d-%d", user, n) }

func groups() family {
	path := func(p place) string { return "/accounts/" + p.account + "/access/groups" }
	include := func(n int) []any {
		return []any{map[string]any{"email": map[string]any{"email": fmt.Sprintf("v%d@example.com", n)}}}
	}
	return family{
		gvk: kindOf("access", "AccessGroup"), namespaces: []string{"kinds-a"}, key: named,
		params: func(_ place, r resource) map[string]any {
			return map[string]any{"name": r.Key, "include": include(r.Value)}
		},
		keyAt: "name", valueAt: "include", shown: encode,
		live: func(ctx context.Context, sim *rig.Simulator, p place) ([]liveResource, error) {
			return stored(ctx, sim, "AccessGroup", path(p), "name", func(doc map[string]any) string { return encode(doc["include"]) })
		},
		edit: func(ctx context.Context, sim *rig.Simulator, p place, l liveResource, n int) error {
			return put(ctx, sim, http.MethodPut, path(p)+"/"+l.ID, map[string]any{"name": l.Key, "include": include(n)})
		},
		remove: func(ctx context.Context, sim *rig.Simulator, p place, l liveResource, _ int) error {
			return put(ctx, sim, http.MethodDelete, path(p)+"/"+l.ID, nil)
		},
	}
}

func gatewayLists() family {
	path := func(p place) string { return "/accounts/" + p.account + "/gateway/lists" }
	entries := func(n int) []any {
		return []any{map[string]any{"value": fmt.Sprintf("v%d.example.net", n)}, map[string]any{"value": fmt.Sprintf("w%d.example.net", n)}}
	}
	return family{
		gvk: kindOf("gateway", "GatewayList"), namespaces: []string{"kinds-a"}, key: named,
		params: func(_ place, r resource) map[string]any {
			return map[string]any{"name": r.Key, "type": "DOMAIN", "items": entries(r.Value)}
		},
		keyAt: "name", valueAt: "items", shown: valuesOf,
		live: func(ctx context.Context, sim *rig.Simulator, p place) ([]liveResource, error) {
			return stored(ctx, sim, "GatewayList", path(p), "name", func(doc map[string]any) string { return valuesOf(doc["items"]) })
		},
		edit: func(ctx context.Context, sim *rig.Simulator, p place, l liveResource, n int) error {
			return put(ctx, sim, http.MethodPut, path(p)+"/"+l.ID, map[string]any{"name": l.Key, "items": entries(n)})
		},
		remove: func(ctx context.Context, sim *rig.Simulator, p place, l liveResource, _ int) error {
			return put(ctx, sim, http.MethodDelete, path(p)+"/"+l.ID, nil)
		},
	}
}

// valuesOf returns the values of a list's items.
func valuesOf(list any) string {
	var out []string
	for _, e := range sliceOf(list) {
		out = append(out, textIn(e, "value"))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func rulesetsOf(p place) string { return "/zones/" + p.zone + "/rulesets" }

func expression(n int) string { return fmt.Sprintf(`http.host eq "v%d.example.com"`, n) }

func rules() family {
	return family{
		gvk: kindOf("ruleset", "RulesetRule"), namespaces: []string{"kinds-b", "kinds-c"}, key: named,
		params: func(p place, r resource) map[string]any {
			return map[string]any{"zoneId": p.zone, "phase": rulesPhase, "action": "block", "description": r.Key, "expression": expression(r.Value)}
		},
		keyAt: "description", valueAt: "expression", shown: text,
		live: func(ctx context.Context, sim *rig.Simulator, p place) ([]liveResource, error) {
			var all []map[string]any
			if err := sim.Admin(ctx, http.MethodGet, admin(rulesetsOf(p)), nil, &all); err != nil {
				return nil, err
			}
			var out []liveResource
			for _, doc := range all {
				for _, e := range sliceOf(doc["rules"]) {
					out = append(out, liveResource{
						Family: "RulesetRule", ID: textIn(e, "id"), Key: textIn(e, "description"), Value: textIn(e, "expression"),
						raw: json.RawMessage(encode(e)), within: rulesetsOf(p) + "/" + textIn(doc, "id"),
					})
				}
			}
			return out, nil
		},
		edit: func(ctx context.Context, sim *rig.Simulator, _ place, l liveResource, n int) error {
			return put(ctx, sim, http.MethodPatch, l.within+"/rules/"+l.ID, map[string]any{"action": "block", "description": l.Key, "expression": expression(n)})
		},
		remove: func(ctx context.Context, sim *rig.Simulator, _ place, l liveResource, _ int) error {
			return put(ctx, sim, http.MethodDelete, l.within+"/rules/"+l.ID, nil)
		},
	}
}

func configurationOf(p place) string {
	return "/accounts/" + p.account + "/cfd_tunnel/" + p.tunnel + "/configurations"
}

func ingresses() family {
	service := func(n int) string { return fmt.Sprintf("http://v%d:8080", n) }
	return family{
		gvk: kindOf("tunnel", "TunnelIngress"), namespaces: []string{"kinds-c", "kinds-d"},
		key: func(user, n int) string { return named(user, n) + ".example.com" },
		params: func(p place, r resource) map[string]any {
			return map[string]any{"tunnelId": p.tunnel, "hostname": r.Key, "service": service(r.Value)}
		},
		keyAt: "hostname", valueAt: "service", shown: text,
		live: func(ctx context.Context, sim *rig.Simulator, p place) ([]liveResource, error) {
			var doc struct {
				Config struct {
					Ingress []map[string]any `json:"ingress"`
				} `json:"config"`
			}
			if err := sim.Admin(ctx, http.MethodGet, admin(configurationOf(p)), nil, &doc); err != nil {
				return nil, err
			}
			var out []liveResource
			for _, e := range doc.Config.Ingress {
				out = append(out, liveResource{
					Family: "TunnelIngress", ID: textIn(e, "hostname"), Key: textIn(e, "hostname"), Value: textIn(e, "service"), raw: json.RawMessage(encode(e)),
				})
			}
			return out, nil
		},
	}
}

func itemsOf(p place) string { return "/accounts/" + p.account + "/rules/lists/" + p.list + "/items" }

func items() family {
	comment := func(n int) string { return fmt.Sprintf("v%d", n) }
	return family{
		gvk: kindOf("ruleset", "RulesListItem"), namespaces: []string{"kinds-d"},
		key: func(user, n int) string { return fmt.Sprintf("10.%d.%d.%d", user, n>>8&0xff, n&0xff) },
		params: func(p place, r resource) map[string]any {
			return map[string]any{"listId": p.list, "ip": r.Key, "comment": comment(r.Value)}
		},
		keyAt: "ip", valueAt: "comment", shown: text,
		live: func(ctx context.Context, sim *rig.Simulator, p place) ([]liveResource, error) {
			return stored(ctx, sim, "RulesListItem", itemsOf(p), "ip", func(doc map[string]any) string { return textIn(doc, "comment") })
		},
	}
}

// usedSettings returns the settings that users declare. No user changes the others.
func usedSettings() []string {
	return []string{"brotli", "browser_check", "early_hints", "email_obfuscation", "http3", "ip_geolocation", "opportunistic_encryption", "websockets"}
}

func settings() family {
	value := func(n int) string { return []string{"off", "on"}[n%2] }
	path := func(p place) string { return "/zones/" + p.zone + "/settings" }
	return family{
		gvk: kindOf("zone", "ZoneSetting"), namespaces: []string{"kinds-b"}, keys: usedSettings(),
		params: func(p place, r resource) map[string]any {
			return map[string]any{"zoneId": p.zone, "settingId": r.Key, "value": value(r.Value)}
		},
		keyAt: "settingId", valueAt: "value", shown: text,
		live: func(ctx context.Context, sim *rig.Simulator, p place) ([]liveResource, error) {
			var all []map[string]any
			if err := sim.Admin(ctx, http.MethodGet, path(p), nil, &all); err != nil {
				return nil, err
			}
			out := make([]liveResource, len(all))
			for i, doc := range all {
				out[i] = liveResource{Family: "ZoneSetting", ID: textIn(doc, "id"), Key: textIn(doc, "id"), Value: text(doc["value"]), raw: json.RawMessage(encode(doc))}
			}
			return out, nil
		},
		edit: func(ctx context.Context, sim *rig.Simulator, p place, l liveResource, n int) error {
			return sim.Admin(ctx, http.MethodPatch, path(p)+"/"+l.ID, map[string]any{"value": value(n)}, nil)
		},
	}
}

// admin returns the administration's path of a generic resource.
func admin(path string) string { return "/resources" + path }

// put carries out a user's change of a generic resource in the dashboard.
func put(ctx context.Context, sim *rig.Simulator, method, path string, body map[string]any) error {
	return sim.Admin(ctx, method, admin(path), body, nil)
}

// stored returns the resources of a collection.
func stored(ctx context.Context, sim *rig.Simulator, name, path, key string, value func(map[string]any) string) ([]liveResource, error) {
	var all []map[string]any
	if err := sim.Admin(ctx, http.MethodGet, admin(path), nil, &all); err != nil {
		return nil, err
	}
	out := make([]liveResource, len(all))
	for i, doc := range all {
		out[i] = liveResource{Family: name, ID: textIn(doc, "id"), Key: textIn(doc, key), Value: value(doc), raw: json.RawMessage(encode(doc))}
	}
	return out, nil
}

func sliceOf(v any) []any { s, _ := v.([]any); return s }

func text(v any) string { s, _ := v.(string); return s }

func textIn(v any, member string) string {
	m, _ := v.(map[string]any)
	return text(m[member])
}

// encode returns v as JSON, the same text for the same value.
func encode(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("chaos: %v is not JSON: %v", v, err))
	}
	return string(raw)
}

// liveResources returns the current resources of all families.
func liveResources(ctx context.Context, sim *rig.Simulator, p place) ([]liveResource, error) {
	var out []liveResource
	for _, f := range families() {
		all, err := f.live(ctx, sim, p)
		if err != nil {
			return nil, fmt.Errorf("cannot read what there is of kind %s: %w", f.name(), err)
		}
		out = append(out, all...)
	}
	return out, nil
}

// settleTeams creates the parents of the resources, and foreign resources of each family.
func (w *world) settleTeams(ctx context.Context) error {
	w.place = place{account: w.sim.Accounts[teamsAccount], zone: w.sim.Zones[teamsZone]}
	var made struct {
		ID string `json:"id"`
	}
	if err := w.sim.Admin(ctx, http.MethodPost, admin("/accounts/"+w.place.account+"/cfd_tunnel"), map[string]any{"name": "shared", "config_src": "cloudflare"}, &made); err != nil {
		return err
	}
	w.place.tunnel = made.ID
	if err := w.sim.Admin(ctx, http.MethodPost, admin("/accounts/"+w.place.account+"/rules/lists"), map[string]any{"name": "shared", "kind": "ip"}, &made); err != nil {
		return err
	}
	w.place.list = made.ID
	if err := w.populate(ctx); err != nil {
		return fmt.Errorf("cannot make foreign resources: %w", err)
	}
	all, err := liveResources(ctx, w.sim, w.place)
	if err != nil {
		return err
	}
	for _, l := range all {
		if l.Family == "ZoneSetting" && slices.Contains(usedSettings(), l.Key) {
			continue
		}
		w.strangers[l.id()] = l.raw
		w.watch.protect(l.ID)
	}
	return nil
}

// id returns a text that identifies the resource among all.
func (l liveResource) id() string { return l.Family + " " + l.ID }

// populate creates the foreign resources.
func (w *world) populate(ctx context.Context) error {
	var rules, ingress []any
	for i := range strangers {
		name := stranger(i)
		rules = append(rules, map[string]any{"action": "block", "description": name, "expression": expression(i), "ref": name})
		ingress = append(ingress, map[string]any{"hostname": name + ".example.com", "service": "http://" + name})
		for path, body := range map[string]map[string]any{
			"/access/groups": {"name": name, "include": []any{map[string]any{"email": map[string]any{"email": name + "@example.com"}}}},
			"/gateway/lists": {"name": name, "type": "DOMAIN", "items": []any{map[string]any{"value": name + ".example.net"}}},
		} {
			if err := put(ctx, w.sim, http.MethodPost, "/accounts/"+w.place.account+path, body); err != nil {
				return err
			}
		}
	}
	ingress = append(ingress, map[string]any{"service": "http_status:404"})
	if err := put(ctx, w.sim, http.MethodPost, rulesetsOf(w.place), map[string]any{"kind": "zone", "phase": rulesPhase, "name": "default", "rules": rules}); err != nil {
		return err
	}
	if err := put(ctx, w.sim, http.MethodPut, configurationOf(w.place), map[string]any{"config": map[string]any{"ingress": ingress}}); err != nil {
		return err
	}
	return w.populateList(ctx)
}

func stranger(i int) string { return fmt.Sprintf("foreign-%d", i) }

// populateList adds foreign items to the list through the API, because the dashboard has no
// asynchronous operations.
func (w *world) populateList(ctx context.Context) error {
	var body []any
	for i := range strangers {
		body = append(body, map[string]any{"ip": fmt.Sprintf("192.0.2.%d", i+1), "comment": stranger(i)})
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.sim.URL+itemsOf(w.place), strings.NewReader(encode(body)))
	if err != nil {
		return fmt.Errorf("cannot ask the simulator: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+w.sim.Tokens[len(w.sim.Tokens)-1])
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("cannot ask the simulator: %w", err)
	}
	defer func() { _ = resp.Body.Close() }() // for reading only
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the simulator says %s to items of a list", resp.Status)
	}
	for range 100 {
		all, err := items().live(ctx, w.sim, w.place)
		if err != nil || len(all) == strangers {
			return err
		}
		wait(ctx, retryPause)
	}
	return fmt.Errorf("the items of the list do not come")
}

// teamsToken returns a token that may do everything in the account and the zone of the
// families.
func teamsToken() simulator.TokenOptions {
	return simulator.TokenOptions{Grants: []simulator.Grant{{Account: teamsAccount, Permission: simulator.Everything}}}
}
