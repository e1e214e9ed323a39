// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"slices"
	"strconv"
	"strings"
)

// to returns a change of one field.
func to(path string, value any) map[string]any { return map[string]any{path: value} }

// long returns a text of n characters.
func long(n int) string { return strings.Repeat("a", n) }

// list returns n different texts.
func list(n int) []any {
	var out []any
	for i := range n {
		out = append(out, long(i+1))
	}
	return out
}

const (
	someID  = "00000000000000000000000000000002"
	observe = "Observe"
	params  = "spec.forProvider"
)

// refusals returns the manifests that the CRDs promise to refuse. TestEveryPromiseHasARow compares
// them with the CRDs.
func refusals() []refusal {
	return slices.Concat(
		managedRefusals("Record"), managedRefusals("Zone"), recordRefusals(), dataRefusals(), recordRules(), recordImmutable(), zoneRefusals(),
		configRefusals("ProviderConfig"), configRefusals("ClusterProviderConfig"), clusterConfigRefusals(),
	)
}

// managedRefusals returns the refusals that all managed resources share.
func managedRefusals(kind string) []refusal {
	return []refusal{
		{kind: kind, field: "spec", keyword: "required", change: to("spec", nil), reason: "an object without a spec"},
		{kind: kind, field: "spec.forProvider", keyword: "required", change: to("spec.forProvider", nil), reason: "a spec without parameters"},
		{kind: kind, field: "spec.adoptionPolicy", keyword: "enum", says: `"Never"`, change: to("spec.adoptionPolicy", "Always"), instead: to("spec.adoptionPolicy", "Never"), reason: "an unknown adoption policy"},
		{kind: kind, field: "spec.deletionPolicy", keyword: "enum", says: `"Orphan"`, change: to("spec.deletionPolicy", "Keep"), instead: to("spec.deletionPolicy", "Orphan"), reason: "an unknown deletion policy"},
		{
			kind: kind, field: "spec.managementPolicies[]", keyword: "enum", says: `"LateInitialize"`,
			change: to("spec.managementPolicies", []any{"Observe", "Destroy"}), instead: to("spec.managementPolicies", []any{"Observe", "LateInitialize"}), reason: "an unknown management policy",
		},
		{kind: kind, field: "spec.providerConfigRef.kind", keyword: "required", change: to("spec.providerConfigRef", map[string]any{"name": "x"}), reason: "a config of no kind"},
		{kind: kind, field: "spec.providerConfigRef.name", keyword: "required", change: to("spec.providerConfigRef", map[string]any{"kind": "ProviderConfig"}), reason: "a config without a name"},
		{kind: kind, field: "spec.writeConnectionSecretToRef.name", keyword: "required", change: to("spec.writeConnectionSecretToRef", map[string]any{}), reason: "a Secret without a name"},
	}
}

// recordRefusals returns the refusals of single fields of a Record.
func recordRefusals() []refusal {
	const (
		comment, content, name = params + ".comment", params + ".content", params + ".name"
		priority, tags, ttl    = params + ".priority", params + ".tags", params + ".ttl"
		zoneID, zoneName       = params + ".zoneId", params + ".zoneName"
		ref, selector          = params + ".zoneIdRef", params + ".zoneIdSelector"
	)
	named := map[string]any{zoneID: nil, zoneName: long(255)}
	mx := func(n int64) map[string]any { return map[string]any{params + ".type": "MX", priority: n} }
	policy := func(field string, value string) map[string]any {
		parent, member, _ := strings.Cut(field, ".policy.")
		return to(parent, map[string]any{"name": "x", "policy": map[string]any{member: value}})
	}
	rows := []refusal{
		{kind: "Record", field: comment, keyword: "maxLength", says: "500", change: to(comment, long(501)), instead: to(comment, long(500)), reason: "Cloudflare has 500 characters for a comment"},
		{kind: "Record", field: comment, keyword: "rule", says: "comment must be a single line", change: to(comment, "a\nb"), instead: to(comment, "a b"), reason: "a comment of two lines"},
		{kind: "Record", field: comment, keyword: "rule", says: "comment must be a single line", change: to(comment, "a\rb"), reason: "a carriage return is a line's end, too"},
		{kind: "Record", field: content, keyword: "maxLength", says: "20480", change: to(content, long(20481)), instead: to(content, long(20480)), reason: "content that is too long"},
		{kind: "Record", field: name, keyword: "minLength", says: "at least 1", change: to(name, ""), instead: to(name, "@"), reason: "the zone's own name is @"},
		{kind: "Record", field: name, keyword: "maxLength", says: "255", change: to(name, long(256)), instead: to(name, long(255)), reason: "no name of DNS is longer"},
		{kind: "Record", field: priority, keyword: "minimum", says: "0", change: mx(-1), instead: mx(0), reason: "a negative priority"},
		{kind: "Record", field: priority, keyword: "maximum", says: "65535", change: mx(65536), instead: mx(65535), reason: "a priority has 16 bits"},
		{kind: "Record", field: tags, keyword: "maxItems", says: "20", change: to(tags, list(21)), instead: to(tags, list(20)), reason: "Cloudflare has 20 tags a record"},
		{kind: "Record", field: tags + "[]", keyword: "set", says: "a:1", change: to(tags, []any{"a:1", "a:1"}), instead: to(tags, []any{"a:1", "a:2"}), reason: "a tag twice"},
		{kind: "Record", field: tags + "[]", keyword: "maxLength", says: "133", change: to(tags, []any{long(134)}), instead: to(tags, []any{long(133)}), reason: "a tag that is too long"},
		{kind: "Record", field: ttl, keyword: "rule", says: "ttl must be 1 (automatic) or 60 to 86400 seconds (30 to 59 on Enterprise only)", change: to(ttl, int64(29)), instead: to(ttl, int64(30)), reason: "a ttl no plan has"},
		{kind: "Record", field: ttl, keyword: "rule", says: "ttl must be 1 (automatic) or 60 to 86400 seconds (30 to 59 on Enterprise only)", change: to(ttl, int64(86401)), instead: to(ttl, int64(86400)), reason: "a ttl of more than a day"},
		{kind: "Record", field: ttl, keyword: "rule", says: "ttl must be 1 (automatic) or 60 to 86400 seconds (30 to 59 on Enterprise only)", change: to(ttl, int64(0)), instead: to(ttl, int64(1)), reason: "automatic is 1"},
		{kind: "Record", field: params + ".type", keyword: "enum", says: `"AAAA"`, change: to(params+".type", "BOGUS"), instead: to(params+".type", "TXT"), reason: "a type that does not exist"},
		{kind: "Record", field: params + ".type", keyword: "enum", says: `"AAAA"`, change: to(params+".type", "a"), reason: "types are written in capitals"},
		{kind: "Record", field: zoneID, keyword: "pattern", says: "^[0-9a-f]{32}$", change: to(zoneID, "../accounts"), instead: to(zoneID, someID), reason: "an ID that would leave its path"},
		{kind: "Record", field: zoneName, keyword: "minLength", says: "at least 1", change: map[string]any{zoneID: nil, zoneName: ""}, reason: "a zone without a name"},
		{kind: "Record", field: zoneName, keyword: "maxLength", says: "255", change: map[string]any{zoneID: nil, zoneName: long(256)}, instead: named, reason: "a zone name that is too long"},
		{kind: "Record", field: ref + ".name", keyword: "required", change: to(ref, map[string]any{}), instead: to(ref, map[string]any{"name": "x"}), reason: "a reference to nothing"},
	}
	rows = append(rows, adoptFromRefusals()...)
	rows = append(rows, tunnelRefusals()...)
	for _, from := range []string{ref, selector} {
		resolution, resolve := from+".policy.resolution", from+".policy.resolve"
		rows = append(rows,
			refusal{kind: "Record", field: resolution, keyword: "enum", says: `"Optional"`, change: policy(resolution, "Sometimes"), instead: policy(resolution, "Optional"), reason: "an unknown policy of resolution"},
			refusal{kind: "Record", field: resolve, keyword: "enum", says: `"IfNotPresent"`, change: policy(resolve, "Never"), instead: policy(resolve, "IfNotPresent"), reason: "an unknown policy of resolving"})
	}
	return rows
}

// recordRules returns the refusals that depend on several fields of a Record.
func recordRules() []refusal {
	rule := func(field, says, reason string, change, instead map[string]any) refusal {
		return refusal{kind: "Record", field: field, keyword: "rule", says: says, change: change, instead: instead, reason: reason}
	}
	const (
		identity = "forProvider.name and forProvider.type are required unless managementPolicies only observe"
		value    = "forProvider.content, data or tunnelIdRef is required unless managementPolicies only observe"
		policies = "spec.managementPolicies"
		oneZone  = "zoneName cannot be combined with zoneIdRef or zoneIdSelector"
	)
	observing := []any{observe}
	with := func(changes ...any) map[string]any {
		out := map[string]any{}
		for i := 0; i < len(changes); i += 2 {
			out[params+"."+changes[i].(string)] = changes[i+1]
		}
		return out
	}
	data := map[string]any{"port": int64(1)}
	return []refusal{
		rule("spec", identity, "a record without a name", with("name", nil), map[string]any{params + ".name": nil, policies: observing}),
		rule("spec", identity, "a record without a type", with("type", nil), map[string]any{params + ".type": nil, policies: observing}),
		rule("spec", identity, "who updates needs both", map[string]any{params + ".name": nil, policies: []any{observe, "Update"}}, nil),
		configKind("Record"),
		rule("spec", value, "a record of nothing", with("content", nil), map[string]any{params + ".content": nil, policies: observing}),
		rule(params, "set content or data, not both", "which one counts?", with("data", data), with("data", data, "content", nil, "type", "SRV")),
		rule(params, "name the zone with one of zoneId, zoneIdRef, zoneIdSelector or zoneName", "no zone at all", with("zoneId", nil), with("zoneId", nil, "zoneName", "example.org")),
		rule(params, oneZone, "two zones, by reference and by name", with("zoneId", nil, "zoneName", "example.org", "zoneIdRef", map[string]any{"name": "x"}), nil),
		rule(params, oneZone, "two zones, by labels and by name", with("zoneId", nil, "zoneName", "example.org", "zoneIdSelector", map[string]any{}), nil),
		rule(params, "only A, AAAA and CNAME records can be proxied: set proxied to false or leave it out", "a text behind the proxy", with("type", "TXT", "proxied", true), with("type", "TXT", "proxied", false)),
		rule(params, `an MX record needs a priority: set priority, or write it in content ("10 mail.example.com.")`, "a mail server without a priority", with("type", "MX", "content", "mail.example.net"), with("type", "MX", "content", "10 mail.example.net")),
		rule(params, "only MX, URI, SRV, HTTPS and SVCB records have a priority: leave it out", "an address with a priority", with("priority", int64(1)), with("type", "SRV", "priority", int64(1))),
		rule(params, "settings.flattenCname is for CNAME records only", "an address is nothing to flatten", with("settings", map[string]any{"flattenCname": true}), with("settings", map[string]any{"flattenCname": false})),
	}
}

// tunnelRefusals returns the refusals of a record that refers to a tunnel.
func tunnelRefusals() []refusal {
	const id, ref, selector = params + ".tunnelId", params + ".tunnelIdRef", params + ".tunnelIdSelector"
	aTunnel := map[string]any{"name": "x"}
	leads := func(field string, value any, more ...any) map[string]any {
		out := map[string]any{params + ".type": "CNAME", params + ".content": nil, field: value}
		for i := 0; i < len(more); i += 2 {
			out[params+"."+more[i].(string)] = more[i+1]
		}
		return out
	}
	rule := func(says, reason string, change, instead map[string]any) refusal {
		return refusal{kind: "Record", field: params, keyword: "rule", says: says, change: change, instead: instead, reason: reason}
	}
	rows := []refusal{
		rule("a tunnel takes the place of content and data: leave them out", "which one counts?", leads(ref, aTunnel, "content", "www.example.net"), leads(ref, aTunnel)),
		rule("a record of a tunnel is a CNAME: set type to CNAME", "an address is no tunnel", leads(ref, aTunnel, "type", "A"), leads(selector, map[string]any{})),
		rule("a tunnel answers only through Cloudflare's proxy: set proxied to true or leave it out", "nobody could reach it", leads(ref, aTunnel, "proxied", false), leads(ref, aTunnel, "proxied", true)),
		{kind: "Record", field: id, keyword: "pattern", says: "^[0-9a-f]{8}", change: leads(id, "../tunnels"), instead: leads(id, "c1744f8b-faa1-48a4-9e5c-02ac921467fa"), reason: "an ID that would be another name"},
		{kind: "Record", field: ref + ".name", keyword: "required", change: leads(ref, map[string]any{}), instead: leads(ref, aTunnel), reason: "a reference to nothing"},
	}
	for _, from := range []string{ref, selector} {
		for member, values := range map[string][2]string{"resolution": {"Sometimes", "Optional"}, "resolve": {"Never", "IfNotPresent"}} {
			with := func(value string) map[string]any {
				return leads(from, map[string]any{"name": "x", "policy": map[string]any{member: value}})
			}
			rows = append(rows, refusal{
				kind: "Record", field: from + ".policy." + member, keyword: "enum", says: `"` + values[1] + `"`,
				change: with(values[0]), instead: with(values[1]), reason: "an unknown policy",
			})
		}
	}
	return rows
}

// adoptFromRefusals returns the refusals of the controllers to adopt from.
func adoptFromRefusals() []refusal {
	const from = "spec.adoptFrom"
	all := []any{"ExternalDNS", "ACME", "Tunnel"}
	return []refusal{
		{kind: "Record", field: from + "[]", keyword: "enum", says: `"ACME"`, change: to(from, []any{"Terraform"}), instead: to(from, all), reason: "a controller that marks nothing"},
		{kind: "Record", field: from + "[]", keyword: "set", says: "ACME", change: to(from, []any{"ACME", "ACME"}), instead: to(from, []any{"ACME"}), reason: "a controller twice"},
		{kind: "Record", field: from, keyword: "maxItems", says: "3", change: to(from, append(all, "ACME")), instead: to(from, all), reason: "there are three of them"},
	}
}

// configKind returns the rule of a managed kind about the kind of its provider config.
func configKind(kind string) refusal {
	const field = "spec.providerConfigRef"
	return refusal{
		kind: kind, field: "spec", keyword: "rule", says: "providerConfigRef.kind must be ProviderConfig or ClusterProviderConfig",
		change: to(field, map[string]any{"kind": "ProviderConfigs", "name": "default"}), instead: to(field, map[string]any{"kind": "ClusterProviderConfig", "name": "default"}),
		reason: "a kind that is misspelt",
	}
}

// recordImmutable returns the refused changes of a Record: they would make it another record.
func recordImmutable() []refusal {
	rule := func(field, says, reason string, was, change, instead map[string]any) refusal {
		return refusal{kind: "Record", field: field, keyword: "rule", says: says, was: was, change: change, instead: instead, reason: reason}
	}
	const (
		zoneID, zoneName, ref = params + ".zoneId", params + ".zoneName", params + ".zoneIdRef"
		immutable             = " is immutable: to keep the live record, set spec.deletionPolicy to Orphan first; then delete this object and create another"
	)
	named := map[string]any{zoneID: nil, zoneName: "example.org"}
	refersTo := func(name string) map[string]any { return to(ref, map[string]any{"name": name}) }
	return []refusal{
		rule(params+".type", "type"+immutable, "another type", map[string]any{}, to(params+".type", "TXT"), to(params+".content", "192.0.2.2")),
		rule(zoneID, "zoneId"+immutable, "another zone, by ID", map[string]any{}, to(zoneID, someID), to(params+".name", "www2")),
		rule(zoneName, "zoneName"+immutable, "another zone, by name", named, to(zoneName, "example.net"), to(params+".name", "www2")),
		rule(params, "zoneIdRef is resolved to zoneId: to refer to another Zone object of the same zone, remove zoneId in the same edit", "another zone, by reference", refersTo("a"), refersTo("b"), to(ref, nil)),
	}
}

// zoneRefusals returns the refusals of a Zone.
func zoneRefusals() []refusal {
	const (
		account, name, servers = params + ".accountId", params + ".name", params + ".vanityNameServers"
		immutable              = " is immutable: to keep the zone, leave spec.deletionPolicy at Orphan; then delete this object and create another"
	)
	return []refusal{
		configKind("Zone"),
		{
			kind: "Zone", field: "spec", keyword: "rule", says: "forProvider.name is required unless managementPolicies only observe",
			change: to(name, nil), instead: map[string]any{name: nil, "spec.managementPolicies": []any{observe}}, reason: "a zone without a name",
		},
		{kind: "Zone", field: params, keyword: "rule", says: "name" + immutable, was: map[string]any{}, change: to(name, "example.net"), instead: to(params+".paused", true), reason: "another zone"},
		{
			kind: "Zone", field: params, keyword: "rule", says: "accountId" + immutable,
			was: to(account, someID), change: to(account, strings.Repeat("3", 32)), instead: to(account, nil), reason: "a zone of another account is another zone",
		},
		{kind: "Zone", field: account, keyword: "pattern", says: "^[0-9a-f]{32}$", change: to(account, strings.Repeat("A", 32)), instead: to(account, someID), reason: "IDs are written small"},
		{kind: "Zone", field: name, keyword: "minLength", says: "at least 1", change: to(name, ""), instead: to(name, "x"), reason: "a zone without a name"},
		{kind: "Zone", field: name, keyword: "maxLength", says: "255", change: to(name, long(256)), instead: to(name, long(255)), reason: "no name of DNS is longer"},
		{kind: "Zone", field: params + ".type", keyword: "enum", says: `"partial"`, change: to(params+".type", "half"), instead: to(params+".type", "partial"), reason: "a type that does not exist"},
		{kind: "Zone", field: servers, keyword: "maxItems", says: "10", change: to(servers, list(11)), instead: to(servers, list(10)), reason: "too many name servers"},
		{kind: "Zone", field: servers + "[]", keyword: "set", says: "ns1", change: to(servers, []any{"ns1", "ns1"}), instead: to(servers, []any{"ns1", "ns2"}), reason: "a name server twice"},
		{kind: "Zone", field: servers + "[]", keyword: "maxLength", says: "253", change: to(servers, []any{long(254)}), instead: to(servers, []any{long(253)}), reason: "no host name is longer"},
	}
}

// configRefusals returns the refusals that both kinds of provider configs share.
func configRefusals(kind string) []refusal {
	const (
		secret, source = "spec.credentials.secretRef", "spec.credentials.source"
		limit, most    = "spec.rateLimit", "spec.rateLimit.requestsPerFiveMinutes"
	)
	rows := []refusal{
		{kind: kind, field: "spec", keyword: "required", change: to("spec", nil), reason: "a config without a spec"},
		{kind: kind, field: "spec.credentials", keyword: "required", change: to("spec.credentials", nil), reason: "a config without a credential"},
		{kind: kind, field: secret, keyword: "required", change: to(secret, nil), reason: "a credential that is nowhere"},
		{kind: kind, field: "spec.accountId", keyword: "pattern", says: "^[0-9a-f]{32}$", change: to("spec.accountId", "my account"), instead: to("spec.accountId", someID), reason: "a name is no ID"},
		{kind: kind, field: source, keyword: "enum", says: `"Secret"`, change: to(source, "Environment"), instead: to(source, "Secret"), reason: "credentials come from Secrets only"},
		{kind: kind, field: most, keyword: "required", change: to(limit, map[string]any{}), reason: "a limit without a number"},
		{kind: kind, field: most, keyword: "minimum", says: "1", change: to(most, int64(0)), instead: to(most, int64(1)), reason: "a credential that may not be used"},
		{kind: kind, field: most, keyword: "maximum", says: "1000000", change: to(most, int64(1000001)), instead: to(most, int64(1000000)), reason: "a limit that is none"},
		{kind: kind, field: "spec.secretsForObservers", keyword: "enum", says: `"Publish"`, change: to("spec.secretsForObservers", "Always"), instead: to("spec.secretsForObservers", "Publish"), reason: "a choice that does not exist"},
	}
	rows = append(rows, limitRefusals(kind)...)
	for _, field := range []string{secret + ".name", secret + ".key"} {
		rows = append(rows,
			refusal{kind: kind, field: field, keyword: "required", change: to(field, nil), reason: "which Secret, which key?"},
			refusal{kind: kind, field: field, keyword: "minLength", says: "at least 1", change: to(field, ""), instead: to(field, "x"), reason: "which Secret, which key?"},
			refusal{kind: kind, field: field, keyword: "maxLength", says: "253", change: to(field, long(254)), instead: to(field, long(253)), reason: "Kubernetes has no longer names"})
	}
	return rows
}

// numbered returns n different short texts.
func numbered(n int) []any {
	var out []any
	for i := range n {
		out = append(out, "a"+strconv.Itoa(i))
	}
	return out
}

// limitRefusals returns the refusals of the limits of a provider config.
func limitRefusals(kind string) []refusal {
	var rows []refusal
	for _, tc := range []struct {
		field      string
		most, item int
		// wrong is an invalid element, or "" for none. pattern is the pattern in its message.
		wrong, pattern string
	}{
		{"spec.allowedKinds", 128, 128, "dns.example.com", `^([A-Z][A-Za-z0-9]*|[a-z][a-z0-9]*(\.cloudflare\.m\.crossplane\.io)?)$`},
		{"spec.allowedZones", 64, 253, "*.example.com", `^[^*/:\s]+$`},
		{"spec.allowedAccounts", 64, 128, "", ""},
	} {
		element := tc.field + "[]"
		rows = append(rows,
			refusal{kind: kind, field: tc.field, keyword: "minItems", says: "at least 1", change: to(tc.field, []any{}), instead: to(tc.field, []any{"a"}), reason: "a list that allows nothing"},
			refusal{kind: kind, field: tc.field, keyword: "maxItems", says: strconv.Itoa(tc.most), change: to(tc.field, numbered(tc.most+1)), instead: to(tc.field, numbered(tc.most)), reason: "a list that nobody reads"},
			refusal{kind: kind, field: element, keyword: "set", says: "a", change: to(tc.field, []any{"a", "a"}), instead: to(tc.field, []any{"a", "b"}), reason: "the same twice"},
			refusal{kind: kind, field: element, keyword: "minLength", says: "at least 1", change: to(tc.field, []any{""}), instead: to(tc.field, []any{"a"}), reason: "nothing has no name"},
			refusal{kind: kind, field: element, keyword: "maxLength", says: strconv.Itoa(tc.item), change: to(tc.field, []any{long(tc.item + 1)}), instead: to(tc.field, []any{long(tc.item)}), reason: "no name is longer"})
		if tc.wrong != "" {
			rows = append(rows, refusal{kind: kind, field: element, keyword: "pattern", says: tc.pattern, change: to(tc.field, []any{tc.wrong}), instead: to(tc.field, []any{"a"}), reason: "names are exact"})
		}
	}
	return rows
}

// clusterConfigRefusals returns the refusals of the namespace of the Secret, and of the selector of
// namespaces.
func clusterConfigRefusals() []refusal {
	const field, selector = "spec.credentials.secretRef.namespace", "spec.allowedNamespaces.matchExpressions"
	row := func(keyword, says string, change, instead map[string]any) refusal {
		return refusal{kind: "ClusterProviderConfig", field: field, keyword: keyword, says: says, change: change, instead: instead, reason: "in which namespace?"}
	}
	return []refusal{
		row("required", "", to(field, nil), nil),
		row("minLength", "at least 1", to(field, ""), to(field, "x")),
		row("maxLength", "63", to(field, long(64)), to(field, long(63))),
		{kind: "ClusterProviderConfig", field: "spec.allowedNamespaces.matchExpressions[].key", keyword: "required", change: to(selector, []any{map[string]any{"operator": "Exists"}}), reason: "which label?"},
		{kind: "ClusterProviderConfig", field: "spec.allowedNamespaces.matchExpressions[].operator", keyword: "required", change: to(selector, []any{map[string]any{"key": "team"}}), reason: "what about the label?"},
	}
}
