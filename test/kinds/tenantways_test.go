// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// uniform matches IDs of Cloudflare in which case and hyphens have no meaning. digits matches numbers.
var (
	uniform = regexp.MustCompile(`^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)
	digits  = regexp.MustCompile(`^\d+$`)
)

// otherPaths returns objects that name the resource of B in another way.
func (x *tenants) otherPaths() []attempt {
	x.T.Helper()
	a := attempt{reason: "it names B's resource in another way", takes: map[string]string{}}
	try := func(label string, takes map[string]string, change func(u *unstructured.Unstructured)) {
		maps.Copy(a.takes, takes)
		for _, actions := range ways()[:2] { // An object that observes and deletes shows the same as one that only observes.
			u := x.named(x.id, actions...)
			change(u)
			u.SetName(u.GetName() + "-" + strings.ReplaceAll(strings.ToLower(label), " ", "-"))
			a.objects = append(a.objects, u)
		}
	}
	names := spellings(x.id)
	for _, reason := range slices.Sorted(maps.Keys(names)) {
		id := names[reason]
		takes := map[string]string{id: x.id}
		if !uniform.MatchString(x.id) && !digits.MatchString(x.id) {
			takes = nil // It is another name.
		}
		try("name "+reason, takes, func(u *unstructured.Unstructured) { x.setName(u, id) })
	}
	params, _ := x.spec["forProvider"].(map[string]any)
	for _, field := range slices.Sorted(maps.Keys(params)) {
		v, _ := params[field].(string)
		if !uniform.MatchString(v) {
			continue
		}
		others := spellings(v)
		for _, reason := range slices.Sorted(maps.Keys(others)) {
			id := others[reason]
			try(field+" "+reason, map[string]string{id: v, strings.ReplaceAll(x.id, v, id): x.id}, func(u *unstructured.Unstructured) {
				x.set(u, id, "forProvider", field)
				x.setName(u, strings.ReplaceAll(x.id, v, id))
			})
		}
	}
	other, err := x.sim.AddZone(x.account.ID, "other-"+x.zone.Name, simulator.ZoneOptions{Plan: simulator.PlanEnterprise})
	if err != nil {
		x.T.Fatal(err)
	}
	scopes := x.scopes(other.ID)
	for _, reason := range slices.Sorted(maps.Keys(scopes)) {
		try(reason, nil, scopes[reason])
	}
	if len(a.objects) == 0 {
		return nil
	}
	return []attempt{a}
}

// scopes returns other parents of the resource of B: another zone, an account instead of a zone, and headers that mean
// the same as none.
func (x *tenants) scopes(zone string) map[string]func(u *unstructured.Unstructured) {
	out := map[string]func(u *unstructured.Unstructured){}
	nowhere := func(u *unstructured.Unstructured) {
		unstructured.RemoveNestedField(u.Object, "spec", "forProvider", "zoneId")
		unstructured.RemoveNestedField(u.Object, "spec", "forProvider", "accountId")
	}
	if x.d.Scope.InZone() || x.d.Name == "Record" {
		out["another zone"] = func(u *unstructured.Unstructured) {
			nowhere(u)
			x.set(u, zone, "forProvider", "zoneId")
		}
		out["zone name"] = func(u *unstructured.Unstructured) {
			nowhere(u)
			x.set(u, x.zone.Name, "forProvider", "zoneName")
		}
	}
	if x.d.Scope == kind.Either {
		out["in the account"] = func(u *unstructured.Unstructured) {
			nowhere(u)
			x.set(u, x.account.ID, "forProvider", "accountId")
		}
		out["in the zone"] = func(u *unstructured.Unstructured) {
			nowhere(u)
			x.set(u, x.zone.ID, "forProvider", "zoneId")
		}
	}
	names := x.fieldNames()
	for header, path := range x.d.Headers {
		if v := x.d.HeaderDefaults[header]; v != "" {
			out[header+" by default"] = func(u *unstructured.Unstructured) { x.set(u, v, "forProvider", names[path]) }
		}
	}
	return out
}

// fieldNames returns the names of the fields of the spec, by their paths.
func (x *tenants) fieldNames() map[string]string {
	if x.example == nil {
		return nil
	}
	return kind.Names(x.example.GetForProvider())
}

// spellings returns other forms of an ID that an API may take for the same ID.
func spellings(id string) map[string]string {
	out := map[string]string{"in upper case": strings.ToUpper(id)}
	if uniform.MatchString(id) {
		out["without hyphens"] = strings.ReplaceAll(id, "-", "")
	}
	if digits.MatchString(id) {
		out["a number with zeros"] = "00" + id
	}
	maps.DeleteFunc(out, func(_, other string) bool { return other == id })
	return out
}

// references returns objects whose references name objects of B.
func (x *tenants) references() []attempt {
	x.T.Helper()
	a := attempt{reason: "its references lead into B's namespace"}
	for _, actions := range ways() {
		u := x.named(x.id, actions...)
		params, _ := runtime.DeepCopyJSONValue(x.untyped(x.object).Object["spec"]).(map[string]any)["forProvider"].(map[string]any)
		if !leads(params, x.ns) {
			return nil
		}
		x.set(u, params, "forProvider")
		a.objects = append(a.objects, u)
	}
	return []attempt{a}
}

// leads makes all references name objects of a namespace, and reports whether there is one.
func leads(in any, namespace string) bool {
	found := false
	switch v := in.(type) {
	case []any:
		for _, e := range v {
			found = leads(e, namespace) || found
		}
	case map[string]any:
		for name, member := range v {
			found = leads(member, namespace) || found
			field, ok := leadsFrom(name, member)
			if !ok {
				continue
			}
			found = true
			delete(v, field)
			each, many := member.([]any)
			if !many {
				each = []any{member}
			}
			for _, ref := range each {
				ref.(map[string]any)["namespace"] = namespace //nolint:forcetypeassert // It is a reference.
			}
		}
	}
	return found
}
