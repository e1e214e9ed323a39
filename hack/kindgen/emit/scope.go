// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

const hexID = "// +kubebuilder:validation:Pattern=`^[0-9a-f]{32}$`\n"

// scopeFields writes the fields that name the account or the zone.
func scopeFields(b *strings.Builder, k *model.Kind) {
	if k.Scope.InAccount() {
		text := "The ID of the account (32 hexadecimal characters). Left out, it is the provider config's accountId."
		if k.Scope == kind.Either {
			text = "The ID of the account (32 hexadecimal characters). Left out along with the zone, it is the provider config's accountId."
		}
		comment(b, text)
		fmt.Fprintf(b, "// +optional\n%s", hexID)
		rule(b, "self == oldSelf", "accountId"+isImmutable)
		fmt.Fprintf(b, "AccountID *string `json:\"accountId,omitempty\" wire:\"account_id,path\"`\n")
	}
	if !k.Scope.InZone() {
		return
	}
	comment(b, "The ID of the zone (32 hexadecimal characters).")
	fmt.Fprintf(b, "// +optional\n%s", hexID)
	rule(b, "self == oldSelf", "zoneId"+isImmutable)
	fmt.Fprintf(b, "ZoneID *string `json:\"zoneId,omitempty\" wire:\"zone_id,path\" ref:\"zone.Zone\"`\n")
	references(b, &model.Node{Type: model.String}, "zoneId", "zone.Zone")
	comment(b, `The name of the zone ("example.com"), looked up with the credential at hand. It needs a token that can read zones. Beside it, zoneId must be the ID of the same zone.`)
	fmt.Fprintf(b, "// +optional\n// +kubebuilder:validation:MinLength=1\n// +kubebuilder:validation:MaxLength=255\n")
	rule(b, "self == oldSelf", "zoneName"+isImmutable)
	fmt.Fprintf(b, "ZoneName *string `json:\"zoneName,omitempty\"`\n")
}

// scopeRules writes the rules about these fields, and about fields in the path.
func scopeRules(b *strings.Builder, k *model.Kind) {
	const anyID = "has(self.zoneId) || has(self.zoneIdRef) || has(self.zoneIdSelector)"
	if k.Scope.InZone() {
		rule(b, "!has(self.zoneName) || !(has(self.zoneIdRef) || has(self.zoneIdSelector))", "zoneName cannot be combined with zoneIdRef or zoneIdSelector")
		rule(b, "!has(oldSelf.zoneIdRef) || !has(oldSelf.zoneId) || !has(self.zoneIdRef) || !has(self.zoneId) || self.zoneIdRef.name == oldSelf.zoneIdRef.name",
			"zoneIdRef is resolved to zoneId: to refer to another Zone object of the same zone, remove zoneId in the same edit")
	}
	switch k.Scope {
	case kind.Zone:
		rule(b, anyID+" || has(self.zoneName)", "name the zone with one of zoneId, zoneIdRef, zoneIdSelector or zoneName")
	case kind.Either:
		rule(b, "!has(self.accountId) || !("+anyID+" || has(self.zoneName))", "set accountId or a zone, not both")
	case kind.Account, kind.User:
	}
	for _, p := range k.Params {
		if p.Origin == model.Path && p.Required {
			rule(b, present(k, p, "self."), message(k, p)+" is required")
		}
	}
}

// present returns the rule that a field, or a reference to its value, is set.
func present(k *model.Kind, m *model.Node, of string) string {
	name := jsonName(m)
	if m.Secret() {
		name = secretName(m)
	}
	names := []string{name}
	if model.Ref(k.Description, m) != "" {
		one := name
		if m.Type == model.List {
			one = strings.TrimSuffix(name, "s")
			names = append(names, one+"Refs", one+"Selector")
		} else {
			names = append(names, one+"Ref", one+"Selector")
		}
	}
	for i, n := range names {
		names[i] = "has(" + of + n + ")"
	}
	return strings.Join(names, " || ")
}

// message returns the name of a field, with the fields that can replace it.
func message(k *model.Kind, m *model.Node) string {
	if m.Secret() {
		return secretName(m)
	}
	name := jsonName(m)
	if model.Ref(k.Description, m) == "" {
		return name
	}
	if m.Type == model.List {
		one := strings.TrimSuffix(name, "s")
		return "one of " + name + ", " + one + "Refs and " + one + "Selector"
	}
	return "one of " + name + ", " + name + "Ref and " + name + "Selector"
}

// requiredRules writes the fields that the policies to create or update require.
func requiredRules(b *strings.Builder, k *model.Kind) {
	const observes = "!('*' in self.managementPolicies || 'Create' in self.managementPolicies || 'Update' in self.managementPolicies)"
	for _, m := range append(headers(k), k.Spec.Members...) {
		if !m.Required || m.Type == model.Any {
			continue // CEL does not see a value of any type: the provider refuses its absence.
		}
		text := message(k, m)
		if !strings.HasPrefix(text, "one of ") {
			text = "forProvider." + text
		} else {
			text += " in forProvider"
		}
		rule(b, observes+" || "+present(k, m, "self.forProvider."), text+" is required unless managementPolicies only observe")
	}
	if k.Choice == nil {
		return
	}
	var has, fields []string
	for _, name := range k.Choice.Members {
		field := where(k, name)
		has, fields = append(has, "has(self."+field+")"), append(fields, field)
	}
	if k.Choice.Optional {
		rule(b, "["+strings.Join(has, ", ")+"].filter(x, x).size() <= 1", "at most one of "+strings.Join(fields, ", ")+" may be set")
		return
	}
	rule(b, observes+" || ["+strings.Join(has, ", ")+"].filter(x, x).size() == 1",
		"exactly one of "+strings.Join(fields, ", ")+" is required unless managementPolicies only observe")
}

// where returns the path of a member of the body in the spec.
func where(k *model.Kind, name string) string { return "forProvider." + jsonName(k.Spec.Member(name)) }

func headers(k *model.Kind) []*model.Node {
	var out []*model.Node
	for _, p := range k.Params {
		if p.Origin == model.Header {
			out = append(out, p)
		}
	}
	return out
}
