// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func TestCanonicalForms(t *testing.T) {
	hex := strings.Repeat("ab", 20)
	cases := map[string]struct {
		reason string
		body   object
		want   object // Members of the response.
	}{
		"Relative":        {"a relative name is completed", a("www", "192.0.2.1"), object{"name": "www.example.com", "content": "192.0.2.1", "ttl": 300.0, "proxied": false, "proxiable": true}},
		"Apex":            {"@ is the zone", a("@", "192.0.2.1"), object{"name": "example.com"}},
		"ApexFQDN":        {"the zone's name is the zone", a("EXAMPLE.com", "192.0.2.1"), object{"name": "example.com"}},
		"TrailingDot":     {"no trailing dot", a("www.example.com.", "192.0.2.1"), object{"name": "www.example.com"}},
		"MixedCase":       {"lower case", a("WwW.Example.COM", "192.0.2.1"), object{"name": "www.example.com"}},
		"IDN":             {"punycode", a("Bücher", "192.0.2.1"), object{"name": "xn--bcher-kva.example.com"}},
		"Suffix":          {"a name that merely ends like the zone is relative", a("notexample.com", "192.0.2.1"), object{"name": "notexample.com.example.com"}},
		"Wildcard":        {"a wildcard label", a("*.Dev", "192.0.2.1"), object{"name": "*.dev.example.com"}},
		"DefaultTTL":      {"automatic without ttl", with(a("x", "192.0.2.1"), object{"ttl": remove}), object{"ttl": 1.0}},
		"AAAA":            {"RFC 5952", object{"type": "AAAA", "name": "x", "content": "2001:DB8:0:0:0:0:0:1"}, object{"content": "2001:db8::1"}},
		"ProxiedTTL":      {"a proxied record's ttl is 1", with(a("x", "192.0.2.1"), object{"proxied": true, "ttl": 300}), object{"ttl": 1.0, "proxied": true}},
		"CNAME":           {"lower case without dot", object{"type": "CNAME", "name": "x", "content": "Target.Example.NET."}, object{"content": "target.example.net"}},
		"CNAMEIDN":        {"targets are punycode, too", object{"type": "CNAME", "name": "x", "content": "bücher.example"}, object{"content": "xn--bcher-kva.example"}},
		"MX":              {"lower case without dot, priority at the top", object{"type": "MX", "name": "@", "content": "MX.example.net.", "priority": 10}, object{"content": "mx.example.net", "priority": 10.0}},
		"MXInData":        {"priority is moving into data", object{"type": "MX", "name": "@", "content": "mx.example.net", "data": object{"priority": 7}}, object{"priority": 7.0}},
		"NullMX":          {"RFC 7505", object{"type": "MX", "name": "@", "content": ".", "priority": 0}, object{"content": ".", "priority": 0.0}},
		"NS":              {"lower case without dot", object{"type": "NS", "name": "sub", "content": "NS1.example.net."}, object{"content": "ns1.example.net", "proxiable": false}},
		"PTR":             {"lower case without dot", object{"type": "PTR", "name": "1.2", "content": "Host.example.net."}, object{"content": "host.example.net"}},
		"TXTRaw":          {"unquoted stays raw", object{"type": "TXT", "name": "x", "content": "v=spf1 -all"}, object{"content": "v=spf1 -all"}},
		"TXTRawLong":      {"unquoted is not split", object{"type": "TXT", "name": "x", "content": strings.Repeat("x", 300)}, object{"content": strings.Repeat("x", 300)}},
		"TXTQuoted":       {"quoted stays quoted", object{"type": "TXT", "name": "x", "content": `"a" "b\"\065"`}, object{"content": `"a" "b\"A"`}},
		"TXTQuotedLong":   {"quoted is split", object{"type": "TXT", "name": "x", "content": `"` + strings.Repeat("x", 300) + `"`}, object{"content": `"` + strings.Repeat("x", 255) + `" "` + strings.Repeat("x", 45) + `"`}},
		"TXTBytes":        {"any byte can be escaped", object{"type": "TXT", "name": "x", "content": `"\000\255"`}, object{"content": `"\000\255"`}},
		"OPENPGPKEY":      {"without white space", object{"type": "OPENPGPKEY", "name": "x", "content": "AQID BAUG"}, object{"content": "AQIDBAUG"}},
		"CAA":             {"lower-case tag, quoted value", object{"type": "CAA", "name": "@", "data": object{"flags": 0, "tag": "ISSUE", "value": "letsencrypt.org"}}, object{"content": `0 issue "letsencrypt.org"`, "data": object{"flags": 0.0, "tag": "issue", "value": "letsencrypt.org"}}},
		"CERT":            {"content is rendered", object{"type": "CERT", "name": "x", "data": object{"type": 1, "key_tag": 2, "algorithm": 8, "certificate": "AQ ID"}}, object{"content": "1 2 8 AQID"}},
		"DNSKEY":          {"content is rendered", object{"type": "DNSKEY", "name": "x", "data": object{"flags": 257, "protocol": 3, "algorithm": 13, "public_key": "AQID"}}, object{"content": "257 3 13 AQID"}},
		"HTTPS":           {"the target keeps its dot, values are quoted and sorted by key", object{"type": "HTTPS", "name": "x", "data": object{"priority": 1, "target": "Svc.example.net.", "value": "port=8443 alpn=h3,h2"}}, object{"content": `1 svc.example.net. alpn="h3,h2" port="8443"`}},
		"HTTPSNoDot":      {"and gets none", object{"type": "HTTPS", "name": "x", "data": object{"priority": 1, "target": "svc.example.net", "value": ""}}, object{"content": "1 svc.example.net"}},
		"SVCB":            {"the alias form", object{"type": "SVCB", "name": "x", "data": object{"priority": 0, "target": "."}}, object{"content": "0 .", "data": object{"priority": 0.0, "target": ".", "value": ""}}},
		"NAPTR":           {"the replacement keeps its dot", object{"type": "NAPTR", "name": "x", "data": object{"order": 100, "preference": 10, "flags": "u", "service": "E2U+sip", "regex": "!^.*$!sip:a@b!", "replacement": "."}}, object{"content": `100 10 "u" "E2U+sip" "!^.*$!sip:a@b!" .`}},
		"SMIMEA":          {"upper-case hex", object{"type": "SMIMEA", "name": "x", "data": object{"usage": 3, "selector": 0, "matching_type": 1, "certificate": "ab cd"}}, object{"content": "3 0 1 ABCD"}},
		"TLSA":            {"upper-case hex", object{"type": "TLSA", "name": "_443._tcp", "data": object{"usage": 3, "selector": 1, "matching_type": 1, "certificate": "abcd"}}, object{"content": "3 1 1 ABCD"}},
		"SSHFP":           {"upper-case hex", object{"type": "SSHFP", "name": "x", "data": object{"algorithm": 4, "type": 1, "fingerprint": hex}}, object{"content": "4 1 " + strings.ToUpper(hex)}},
		"SRV":             {"content without priority, with tabs", object{"type": "SRV", "name": "_sip._tcp", "data": object{"priority": 10, "weight": 5, "port": 5060, "target": "SIP.example.net."}}, object{"content": "5\t5060\tsip.example.net", "data": object{"priority": 10.0, "weight": 5.0, "port": 5060.0, "target": "sip.example.net"}}},
		"SRVNone":         {"no service", object{"type": "SRV", "name": "_imap._tcp", "data": object{"priority": 0, "weight": 0, "port": 0.0, "target": "."}}, object{"content": "0\t0\t."}},
		"URI":             {"priority at the top", object{"type": "URI", "name": "x", "priority": 3, "data": object{"weight": 1, "target": "https://example.com/a"}}, object{"content": `1 "https://example.com/a"`, "priority": 3.0, "data": object{"weight": 1.0, "target": "https://example.com/a"}}},
		"LOC":             {"defaults of RFC 1876", object{"type": "LOC", "name": "x", "data": object{"lat_degrees": 37, "lat_direction": "N", "long_degrees": 122, "long_minutes": 23, "long_seconds": 35.5, "long_direction": "W", "altitude": -2}}, object{"content": "IN LOC 37 0 0 N 122 23 35.5 W -2m 1m 10000m 10m"}},
		"TagsAreASet":     {"duplicates go, names compare case-insensitively", with(a("x", "192.0.2.1"), object{"tags": []string{"Team:dns", "team:dns", "a", "team:web"}}), object{"tags": []any{"a", "Team:dns", "team:web"}}},
		"EmptyComment":    {"no comment is null", with(a("x", "192.0.2.1"), object{"comment": ""}), object{"comment": nil}},
		"Settings":        {"as sent", with(a("x", "192.0.2.1"), object{"settings": object{"ipv4_only": true}}), object{"settings": object{"ipv4_only": true}}},
		"Flatten":         {"on a plan that has it", object{"type": "CNAME", "name": "x", "content": "a.example", "settings": object{"flatten_cname": true}}, object{"settings": object{"flatten_cname": true}}},
		"FlattenProxied":  {"dropped in silence under proxied", object{"type": "CNAME", "name": "x", "content": "a.example", "proxied": true, "settings": object{"flatten_cname": true}}, object{"settings": object{}}},
		"PrivateRouting":  {"private addresses can be proxied with it", with(a("x", "10.0.0.1"), object{"proxied": true, "private_routing": true}), object{"private_routing": true, "proxied": true}},
		"UnknownMembers":  {"are ignored, as clients in production send them", with(a("x", "192.0.2.1"), object{"zone_id": "x", "locked": false, "data": object{"tag": ""}}), object{"content": "192.0.2.1"}},
		"PriorityIgnored": {"where the type has none", with(a("x", "192.0.2.1"), object{"priority": 10}), object{"content": "192.0.2.1"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, simulator.PlanPro)
			created := w.create(tc.body)
			read := w.object(w.must(http.MethodGet, w.records(created["id"].(string)), nil))
			if diff := cmp.Diff(created, read); diff != "" {
				t.Errorf("%s: POST and GET differ:\n%s", tc.reason, diff)
			}
			for member, want := range tc.want {
				if diff := cmp.Diff(want, created[member]); diff != "" {
					t.Errorf("%s: %s: -want +got:\n%s", tc.reason, member, diff)
				}
			}
		})
	}
}

func TestRecordShape(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	got := w.create(with(a("www", "192.0.2.1"), object{"comment": "hello", "tags": []string{"a:b"}}))
	id := got["id"].(string)
	if len(id) != 32 {
		t.Errorf("id %q has not 32 digits", id)
	}
	stamp := "2026-03-01T12:00:00.123456Z"
	want := object{
		"id": id, "name": "www.example.com", "type": "A", "content": "192.0.2.1", "proxiable": true, "proxied": false, "ttl": 300.0,
		"settings": object{}, "meta": object{}, "comment": "hello", "tags": []any{"a:b"}, "private_routing": false,
		"created_on": stamp, "modified_on": stamp, "comment_modified_on": stamp, "tags_modified_on": stamp,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, former := range []string{"zone_id", "zone_name", "locked", "data", "priority"} {
		if _, ok := got[former]; ok {
			t.Errorf("an A record has the member %s", former)
		}
	}
}

func TestPatchKeepsAndPutResets(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	full := with(a("www", "192.0.2.1"), object{"comment": "hello", "tags": []string{"a:b"}, "settings": object{"ipv4_only": true}, "private_routing": true})
	id := w.id(full)

	w.sim.Advance(1_000_000_000)
	patched := w.object(w.must(http.MethodPatch, w.records(id), object{"content": "192.0.2.2"}))
	wantPatched := object{
		"id": id, "content": "192.0.2.2", "comment": "hello", "tags": []any{"a:b"}, "ttl": 300.0, "private_routing": true,
		"settings":   object{"ipv4_only": true},
		"created_on": "2026-03-01T12:00:00.123456Z", "modified_on": "2026-03-01T12:00:01.123456Z",
		"comment_modified_on": "2026-03-01T12:00:00.123456Z",
	}
	for member, want := range wantPatched {
		if diff := cmp.Diff(want, patched[member]); diff != "" {
			t.Errorf("after PATCH: %s: -want +got:\n%s", member, diff)
		}
	}
	put := w.object(w.must(http.MethodPut, w.records(id), object{"type": "A", "name": "www", "content": "192.0.2.3"}))
	wantPut := object{
		"id": id, "content": "192.0.2.3", "comment": nil, "tags": []any{}, "ttl": 1.0, "settings": object{}, "private_routing": false,
		"created_on": "2026-03-01T12:00:00.123456Z",
	}
	for member, want := range wantPut {
		if diff := cmp.Diff(want, put[member]); diff != "" {
			t.Errorf("after PUT: %s: -want +got:\n%s", member, diff)
		}
	}
}

func TestPatchOfEachField(t *testing.T) {
	srv := object{"type": "SRV", "name": "_sip._tcp", "data": object{"priority": 1, "weight": 2, "port": 3, "target": "sip.example.com"}}
	mx := object{"type": "MX", "name": "@", "content": "mx.example.com", "priority": 10}
	cases := map[string]struct {
		reason string
		before object
		patch  object
		want   object
	}{
		"Name":           {"a record can be renamed and keeps its ID", a("www", "192.0.2.1"), object{"name": "web"}, object{"name": "web.example.com"}},
		"SameType":       {"the type may be repeated", a("www", "192.0.2.1"), object{"type": "A", "content": "192.0.2.9"}, object{"content": "192.0.2.9"}},
		"Proxied":        {"proxied takes the ttl with it", a("www", "192.0.2.1"), object{"proxied": true}, object{"proxied": true, "ttl": 1.0}},
		"Unproxied":      {"the ttl stays automatic", with(a("www", "192.0.2.1"), object{"proxied": true}), object{"proxied": false}, object{"proxied": false, "ttl": 1.0}},
		"Data":           {"data is replaced as a whole", srv, object{"data": object{"priority": 9, "weight": 2, "port": 3, "target": "sip.example.com"}}, object{"content": "2\t3\tsip.example.com", "priority": 9.0}},
		"MXContent":      {"the priority stays", mx, object{"content": "mx2.example.com"}, object{"priority": 10.0, "content": "mx2.example.com"}},
		"MXPriority":     {"the content stays", mx, object{"priority": 20}, object{"priority": 20.0, "content": "mx.example.com"}},
		"CommentNull":    {"null takes the comment away", with(a("www", "192.0.2.1"), object{"comment": "x"}), object{"comment": nil}, object{"comment": nil}},
		"TagsEmpty":      {"an empty list takes the tags away", with(a("www", "192.0.2.1"), object{"tags": []string{"a"}}), object{"tags": []string{}}, object{"tags": []any{}}},
		"Nothing":        {"a patch may be empty", a("www", "192.0.2.1"), object{}, object{"content": "192.0.2.1"}},
		"SettingsChange": {"settings are replaced", with(a("www", "192.0.2.1"), object{"settings": object{"ipv4_only": true}}), object{"settings": object{"ipv6_only": true}}, object{"settings": object{"ipv6_only": true}}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, simulator.PlanPro)
			id := w.id(tc.before)
			got := w.object(w.must(http.MethodPatch, w.records(id), tc.patch))
			for member, want := range with(tc.want, object{"id": id}) {
				if diff := cmp.Diff(want, got[member]); diff != "" {
					t.Errorf("%s: %s: -want +got:\n%s", tc.reason, member, diff)
				}
			}
		})
	}
}

func TestDeleteAnswersTheID(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	id := w.id(a("www", "192.0.2.1"))
	got := w.must(http.MethodDelete, w.records(id), nil)
	if diff := cmp.Diff(`{"id":"`+id+`"}`, string(got.Result)); diff != "" {
		t.Error(diff)
	}
	if gone := w.do(http.MethodGet, w.records(id), nil); gone.status != http.StatusNotFound || gone.code() != simulator.CodeRecordNotFound {
		t.Errorf("GET after DELETE: %d/%d", gone.status, gone.code())
	}
	if len(w.sim.Records(w.zone.ID)) != 0 {
		t.Error("the record is still there")
	}
}

func TestUsage(t *testing.T) {
	quotas := map[simulator.Plan]float64{simulator.PlanFree: 200, simulator.PlanPro: 3500, simulator.PlanBusiness: 3500, simulator.PlanEnterprise: 1000000}
	for plan, quota := range quotas {
		w := newWorld(t, plan)
		w.create(a("www", "192.0.2.1"))
		got := w.object(w.must(http.MethodGet, w.records("usage"), nil))
		if diff := cmp.Diff(object{"record_usage": 1.0, "record_quota": quota}, got); diff != "" {
			t.Errorf("%s: %s", plan, diff)
		}
	}
	w := newWorld(t, simulator.PlanFree)
	old, err := w.sim.AddZone(w.account.ID, "old.example", simulator.ZoneOptions{CreatedOn: start().AddDate(-3, 0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	got := w.object(w.must(http.MethodGet, "/zones/"+old.ID+"/dns_records/usage", nil))
	if got["record_quota"] != 1000.0 {
		t.Errorf("a Free zone that predates September 2024 has a quota of %v, not 1000", got["record_quota"])
	}
}

func TestEveryTypeOnceInAZone(t *testing.T) {
	w := newWorld(t, simulator.PlanEnterprise)
	for typ, body := range oneOfEachType() {
		if typ == "DS" {
			w.create(object{"type": "NS", "name": body["name"], "content": "ns.example.net", "ttl": 300})
		}
		if got := w.create(body); got["type"] != typ {
			t.Errorf("created %v instead of %s", got["type"], typ)
		}
	}
	if got := len(w.sim.Records(w.zone.ID)); got != 22 {
		t.Errorf("the zone has %d records, not 22", got)
	}
	w.must(http.MethodGet, w.records(), nil) // Checks all responses against the document.
}

// oneOfEachType returns valid records of all 21 types, each with its own name.
func oneOfEachType() map[string]object {
	data := map[string]string{
		"CAA": `{"flags":0,"tag":"issue","value":"ca.example"}`, "CERT": `{"type":1,"key_tag":2,"algorithm":8,"certificate":"AQID"}`,
		"DNSKEY": `{"flags":257,"protocol":3,"algorithm":13,"public_key":"AQID"}`, "DS": `{"key_tag":1,"algorithm":13,"digest_type":2,"digest":"ABCD"}`,
		"HTTPS": `{"priority":1,"target":".","value":"alpn=\"h2\""}`, "SVCB": `{"priority":1,"target":"svc.example.","value":"port=\"443\""}`,
		"LOC":    `{"lat_degrees":1,"lat_minutes":2,"lat_seconds":3.5,"lat_direction":"N","long_degrees":4,"long_minutes":5,"long_seconds":6,"long_direction":"E","altitude":7,"size":8,"precision_horz":9,"precision_vert":10}`,
		"NAPTR":  `{"order":1,"preference":2,"flags":"s","service":"SIP+D2U","regex":"","replacement":"_sip._udp.example.com."}`,
		"SMIMEA": `{"usage":3,"selector":0,"matching_type":1,"certificate":"ABCD"}`, "TLSA": `{"usage":3,"selector":1,"matching_type":1,"certificate":"ABCD"}`,
		"SRV": `{"priority":1,"weight":2,"port":3,"target":"sip.example.com"}`, "SSHFP": `{"algorithm":4,"type":2,"fingerprint":"ABCD"}`,
		"URI": `{"weight":1,"target":"https://example.com/"}`,
	}
	content := map[string]string{
		"A": "192.0.2.1", "AAAA": "2001:db8::1", "CNAME": "target.example.net", "MX": "mx.example.net", "NS": "ns.example.net",
		"OPENPGPKEY": "AQID", "PTR": "host.example.net", "TXT": `"hello world"`,
	}
	all := map[string]object{}
	for typ, raw := range data {
		var members object
		if err := json.Unmarshal([]byte(raw), &members); err != nil {
			panic(err)
		}
		all[typ] = object{"type": typ, "name": strings.ToLower(typ) + ".types", "ttl": 300, "data": members}
	}
	for typ, value := range content {
		all[typ] = object{"type": typ, "name": strings.ToLower(typ) + ".types", "ttl": 300, "content": value}
	}
	all["MX"]["priority"], all["URI"]["priority"] = 10, 11
	return all
}
