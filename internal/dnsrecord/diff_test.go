// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

func TestDiffOrder(t *testing.T) {
	desired := mustParse(t, dnsrecord.Input{
		Name: "a", Type: "URI", Content: ptr(`1 2 "https://a/"`), TTL: ptr(int64(60)), Proxied: ptr(false),
		Comment: ptr("mine"), Tags: []string{"b:2", "a:1"}, Settings: &dnsrecord.Settings{IPv4Only: true},
	})
	live := dnsrecord.FromLive(decode(t, `{"name":"b.example.com","type":"URI","priority":3,"data":{"weight":4,"target":"https://b/"},
		"ttl":120,"proxied":true,"comment":"theirs","tags":[],"settings":{"ipv6_only":true}}`))
	want := []dnsrecord.Difference{
		{Field: "name", Live: "b.example.com", Desired: "a.example.com"},
		{Field: "data.weight", Live: "4", Desired: "2"},
		{Field: "data.target", Live: "https://b/", Desired: "https://a/"},
		{Field: "priority", Live: "3", Desired: "1"},
		{Field: "ttl", Live: "120", Desired: "60"},
		{Field: "proxied", Live: "true", Desired: "false"},
		{Field: "comment", Live: "theirs", Desired: "mine"},
		{Field: "tags", Live: "", Desired: "a:1, b:2"},
		{Field: "settings.ipv4Only", Live: "false", Desired: "true"},
		{Field: "settings.ipv6Only", Live: "true", Desired: "false"},
	}
	if diff := cmp.Diff(want, dnsrecord.Diff(desired, live)); diff != "" {
		t.Errorf("differences come in one order (-want +got):\n%s", diff)
	}
}

func TestDiffOfAnotherType(t *testing.T) {
	desired := mustParse(t, content("CNAME", "a.example.net"))
	live := dnsrecord.FromLive(decode(t, `{"name":"www.example.com","type":"A","content":"192.0.2.1"}`))
	want := "type: live A, desired CNAME; content: live 192.0.2.1, desired a.example.net"
	if got := words(dnsrecord.Diff(desired, live)); got != want {
		t.Errorf("Diff = %s, want %s", got, want)
	}
}

// TestDiffOfDeclarations compares two declarations: a field that one leaves out has the
// API's default.
func TestDiffOfDeclarations(t *testing.T) {
	full := mustParse(t, with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) {
		in.TTL, in.Proxied, in.Comment, in.Tags, in.Settings = ptr(int64(1)), ptr(false), ptr(""), []string{}, &dnsrecord.Settings{}
	}))
	bare := mustParse(t, content("A", "192.0.2.1"))
	if diffs := dnsrecord.Diff(full, bare); len(diffs) > 0 {
		t.Errorf("defaults differ from nothing: %v", diffs)
	}
	if diffs := dnsrecord.Diff(bare, full); len(diffs) > 0 {
		t.Errorf("nothing differs from defaults: %v", diffs)
	}
	mx := mustParse(t, content("MX", "5 a.example.net"))
	noPriority := mx
	noPriority.Priority = nil
	if got, want := words(dnsrecord.Diff(mx, noPriority)), "priority: live 0, desired 5"; got != want {
		t.Errorf("Diff = %s, want %s", got, want)
	}
}

func TestBody(t *testing.T) {
	cases := map[string]struct {
		reason string
		in     dnsrecord.Input
		want   string
	}{
		"Least": {
			"ttl is required by the API's schema, nothing else is sent unasked", content("A", "192.0.2.1"),
			`{"name":"www.example.com","type":"A","content":"192.0.2.1","ttl":1}`,
		},
		"Most": {"all that is managed is sent", with(content("CNAME", "A.example.net."), func(in *dnsrecord.Input) {
			in.TTL, in.Proxied, in.Comment, in.Tags, in.Settings = ptr(int64(300)), ptr(false), ptr("c"), []string{"B:x"}, &dnsrecord.Settings{FlattenCNAME: true, IPv4Only: true}
		}), `{"name":"www.example.com","type":"CNAME","content":"a.example.net","ttl":300,"proxied":false,"comment":"c","tags":["b:x"],"settings":{"flatten_cname":true,"ipv4_only":true}}`},
		"Empty": {"empty is sent too", with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) {
			in.Comment, in.Tags, in.Settings = ptr(""), []string{}, &dnsrecord.Settings{}
		}), `{"name":"www.example.com","type":"A","content":"192.0.2.1","ttl":1,"comment":"","tags":[],"settings":{}}`},
		"Proxied": {"under proxied ttl is 1 and flatten_cname is dropped", with(content("CNAME", "a.example.net"), func(in *dnsrecord.Input) {
			in.TTL, in.Proxied, in.Settings = ptr(int64(300)), ptr(true), &dnsrecord.Settings{FlattenCNAME: true}
		}), `{"name":"www.example.com","type":"CNAME","content":"a.example.net","ttl":1,"proxied":true,"settings":{}}`},
		"Unproxiable": {
			"proxied is not sent to a type that knows none", with(content("TXT", "x"), func(in *dnsrecord.Input) { in.Proxied = ptr(false) }),
			`{"name":"www.example.com","type":"TXT","content":"\"x\"","ttl":1}`,
		},
		"MX": {
			"an MX record's priority is top-level", content("MX", "10 mail.example.net."),
			`{"name":"www.example.com","type":"MX","content":"mail.example.net","priority":10,"ttl":1}`,
		},
		"SRV": {
			"structured types travel as data without content", content("SRV", "10 5 5060 sip.example.net."),
			`{"name":"www.example.com","type":"SRV","data":{"priority":10,"weight":5,"port":5060,"target":"sip.example.net"},"ttl":1}`,
		},
		"URI": {
			"a URI record's priority is not in data", content("URI", `10 5 "https://x/"`),
			`{"name":"www.example.com","type":"URI","data":{"weight":5,"target":"https://x/"},"priority":10,"ttl":1}`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			sameJSON(t, tc.reason, mustParse(t, tc.in).Body(), tc.want)
		})
	}
}

func TestPatch(t *testing.T) {
	cases := map[string]struct {
		reason string
		in     dnsrecord.Input
		live   string
		want   string
	}{
		"Nothing": {"no difference, no patch", content("A", "192.0.2.1"), `{"name":"www.example.com","type":"A","content":"192.0.2.1"}`, `null`},
		"Content": {
			"only what differs is sent", with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) { in.Comment = ptr("c") }),
			`{"name":"www.example.com","type":"A","content":"192.0.2.2","comment":"c","tags":["a:b"]}`, `{"content":"192.0.2.1"}`,
		},
		"Name": {"a name may change in place", content("A", "192.0.2.1"), `{"name":"old.example.com","type":"A","content":"192.0.2.1"}`, `{"name":"www.example.com"}`},
		"Type": {"a type is sent for the API to refuse", content("PTR", "a.example.net"), `{"name":"www.example.com","type":"NS","content":"a.example.net"}`, `{"type":"PTR"}`},
		"Data": {
			"a change inside data sends the whole data", content("SRV", "10 5 5060 sip.example.net."),
			`{"name":"www.example.com","type":"SRV","data":{"priority":10,"weight":5,"port":5061,"target":"sip.example.net"}}`,
			`{"data":{"priority":10,"weight":5,"port":5060,"target":"sip.example.net"}}`,
		},
		"Priority": {"a priority stands for itself", content("MX", "10 mail.example.net."), `{"name":"www.example.com","type":"MX","content":"mail.example.net","priority":5}`, `{"priority":10}`},
		"Proxied": {
			"going behind the proxy needs no ttl", with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) { in.Proxied, in.TTL = ptr(true), ptr(int64(300)) }),
			`{"name":"www.example.com","type":"A","content":"192.0.2.1","ttl":120}`, `{"proxied":true}`,
		},
		"Unproxied": {
			"leaving it does", with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) { in.Proxied, in.TTL = ptr(false), ptr(int64(300)) }),
			`{"name":"www.example.com","type":"A","content":"192.0.2.1","ttl":1,"proxied":true}`, `{"proxied":false,"ttl":300}`,
		},
		"Attributes": {
			"emptying is a change", with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) { in.Comment, in.Tags = ptr(""), []string{} }),
			`{"name":"www.example.com","type":"A","content":"192.0.2.1","comment":"c","tags":["a:b"]}`, `{"comment":"","tags":[]}`,
		},
		"Settings": {"settings say what is on and what goes off, whether the API merges or replaces them", with(content("CNAME", "a.example.net"), func(in *dnsrecord.Input) {
			in.Settings = &dnsrecord.Settings{FlattenCNAME: true}
		}), `{"name":"www.example.com","type":"CNAME","content":"a.example.net","settings":{"flatten_cname":true,"ipv4_only":true}}`, `{"settings":{"flatten_cname":true,"ipv4_only":false}}`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			patch := mustParse(t, tc.in).Patch(dnsrecord.FromLive(decode(t, tc.live)))
			sameJSON(t, tc.reason, patch, tc.want)
		})
	}
}

func TestBodiesAreTheCallers(t *testing.T) {
	r := mustParse(t, with(content("SRV", "10 5 5060 sip.example.net."), func(in *dnsrecord.Input) { in.Tags = []string{"a:b"} }))
	live := dnsrecord.FromLive(decode(t, `{"type":"SRV"}`))
	for name, body := range map[string]map[string]any{"Body": r.Body(), "Patch": r.Patch(live)} {
		body["data"].(map[string]any)["port"] = 1
		body["tags"].([]string)[0] = "x"
		if r.Data["port"] != int64(5060) || r.Tags[0] != "a:b" {
			t.Errorf("a change of the %s changed the record to %+v", name, r)
		}
	}
}

func sameJSON(t *testing.T, reason string, got any, want string) {
	t.Helper()
	b, err := json.Marshal(got)
	if err != nil {
		t.Fatalf("%s: cannot marshal: %v", reason, err)
	}
	var a, w any
	if err := json.Unmarshal(b, &a); err != nil {
		t.Fatalf("%s: cannot unmarshal %s: %v", reason, b, err)
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatalf("%s: cannot unmarshal %s: %v", reason, want, err)
	}
	if diff := cmp.Diff(w, a); diff != "" {
		t.Errorf("%s (-want +got):\n%s", reason, diff)
	}
}

func TestKey(t *testing.T) {
	same := map[string]struct {
		reason string
		a, b   dnsrecord.Input
		want   bool
	}{
		"Spelling":    {"spelling is not identity", content("AAAA", "2001:DB8::1"), content("AAAA", "2001:db8:0::1"), true},
		"Forms":       {"nor is the form", content("SRV", "1 2 3 sip.example.net."), structured("SRV", dnsrecord.Data{"priority": 1, "weight": 2, "port": 3, "target": "sip.example.net"}), true},
		"MX":          {"an MX record's priority is", content("MX", "10 mail.example.net"), content("MX", "20 mail.example.net"), false},
		"URI":         {"and a URI record's", content("URI", `1 2 "x"`), content("URI", `2 2 "x"`), false},
		"SRV":         {"and an SRV record's", content("SRV", "1 2 3 sip.example.net."), content("SRV", "2 2 3 sip.example.net."), false},
		"Attributes":  {"ttl is not", content("A", "192.0.2.1"), with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) { in.TTL = ptr(int64(60)) }), true},
		"SameContent": {"types are", content("NS", "a.example.net"), content("PTR", "a.example.net"), false},
	}
	for name, tc := range same {
		t.Run(name, func(t *testing.T) {
			a, b := mustParse(t, tc.a), mustParse(t, tc.b)
			if got := a.Key() == b.Key(); got != tc.want {
				t.Errorf("%s: keys %v and %v", tc.reason, a.Key(), b.Key())
			}
		})
	}
}
