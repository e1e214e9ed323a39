// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

func TestFromLiveKeepsWhatItCannotParse(t *testing.T) {
	cases := map[string]struct {
		reason string
		live   string
		want   dnsrecord.Record
	}{
		"UnknownType": {
			"a type of the future is kept literally", `{"name":"X.example.com","type":"NEW","content":"Some Thing","priority":"7","data":{"a":1.0,"b":"2","c":true,"d":null,"e":[1],"f":1.5}}`,
			dnsrecord.Record{Name: "x.example.com", Type: "NEW", Content: "Some Thing", Priority: ptr(uint16(7)), Data: dnsrecord.Data{"a": int64(1), "b": "2", "c": "true", "d": "", "e": "[1]", "f": 1.5}},
		},
		"UnknownNoData": {
			"with or without data", `{"name":"example.com","type":"NEW","content":"c"}`,
			dnsrecord.Record{Name: "example.com", Type: "NEW", Content: "c"},
		},
		"BadName": {
			"a name that is none is lower case", `{"name":"A B.example.com.","type":"A","content":"192.0.2.1"}`,
			dnsrecord.Record{Name: "a b.example.com", Type: "A", Content: "192.0.2.1"},
		},
		"BadAddress": {
			"content that is no address is kept", `{"name":"example.com","type":"A","content":"Nope"}`,
			dnsrecord.Record{Name: "example.com", Type: "A", Content: "Nope"},
		},
		"BadTXT": {
			"text that is badly quoted is text", `{"name":"example.com","type":"TXT","content":"\"a\" b"}`,
			dnsrecord.Record{Name: "example.com", Type: "TXT", Content: `"\"a\" b"`},
		},
		"BadSRV": {
			"content that does not split is kept", `{"name":"example.com","type":"SRV","content":"x","priority":1}`,
			dnsrecord.Record{Name: "example.com", Type: "SRV", Content: "x"},
		},
		"OddMember": {
			"an odd member leaves the others comparable", `{"name":"example.com","type":"TLSA","content":"c","data":{"usage":"three","selector":1,"matching_type":{"x":1},"certificate":"ab","new":1}}`,
			dnsrecord.Record{Name: "example.com", Type: "TLSA", Content: "c", Data: dnsrecord.Data{"usage": "three", "selector": int64(1), "matching_type": `{"x":1}`, "certificate": "AB"}},
		},
		"MissingMember": {
			"as does a missing one", `{"name":"example.com","type":"TLSA","content":"c","data":{"usage":3,"selector":null}}`,
			dnsrecord.Record{Name: "example.com", Type: "TLSA", Content: "c", Data: dnsrecord.Data{"usage": int64(3)}},
		},
		"URINoPriority": {
			"a missing priority is 0", `{"name":"example.com","type":"URI","content":"c","data":{"weight":1,"target":"x"}}`,
			dnsrecord.Record{Name: "example.com", Type: "URI", Content: "c", Priority: ptr(uint16(0)), Data: dnsrecord.Data{"weight": int64(1), "target": "x"}},
		},
		"BadPriority": {
			"as is one that is none", `{"name":"example.com","type":"MX","content":"mail.example.net","priority":-1}`,
			dnsrecord.Record{Name: "example.com", Type: "MX", Content: "mail.example.net", Priority: ptr(uint16(0))},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := dnsrecord.FromLive(decode(t, tc.live))
			tc.want.TTL, tc.want.Proxied, tc.want.Comment = ptr(int64(0)), ptr(false), ptr("")
			tc.want.Tags, tc.want.Settings = []string{}, &dnsrecord.Settings{}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if got.Data == nil && got.Priority == nil && got.Presentation() != got.Content {
				t.Errorf("%s: it is presented as %s, not as %s", tc.reason, got.Presentation(), got.Content)
			}
			if !dnsrecord.Equal(got, dnsrecord.FromLive(decode(t, tc.live))) {
				t.Errorf("%s: it differs from itself", tc.reason)
			}
		})
	}
}

func TestFromLiveComparesUnknownTypesLiterally(t *testing.T) {
	a := dnsrecord.FromLive(decode(t, `{"name":"example.com","type":"NEW","content":"c","data":{"some_key":1,"old":2}}`))
	b := dnsrecord.FromLive(decode(t, `{"name":"example.com","type":"NEW","content":"C","data":{"some_key":"x","new":3}}`))
	want := `data.new: live 3, desired ""; data.old: live "", desired 2; data.someKey: live x, desired 1; content: live C, desired c`
	if got := words(dnsrecord.Diff(a, b)); got != want {
		t.Errorf("Diff = %s\nwant   %s", got, want)
	}
	if a.Key() == b.Key() {
		t.Errorf("two different records have the key %v", a.Key())
	}
}

func TestFromLiveTakesGoValues(t *testing.T) {
	// A Live made by hand rather than by encoding/json.
	live := dnsrecord.Live{Name: "example.com", Type: "NEW", Data: dnsrecord.Data{"bad": func() {}, "n": int32(1)}}
	got := dnsrecord.FromLive(live)
	if diff := cmp.Diff(dnsrecord.Data{"bad": "func()", "n": int64(1)}, got.Data); diff != "" {
		t.Errorf("a value without JSON is its type (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("NEW", got.Body()["type"]); diff != "" {
		t.Error(diff)
	}
}

func TestForeign(t *testing.T) {
	cases := map[string]struct {
		reason, meta, want string
	}{
		"None":     {"most records are ours to manage", `{}`, ""},
		"Null":     {"meta may be missing", `null`, ""},
		"False":    {"a flag that is off says nothing", `{"read_only":false,"managed_by_argo_tunnel":false,"email_routing":null,"source":"primary"}`, ""},
		"ReadOnly": {"read_only has no owner to name", `{"read_only":true}`, "Cloudflare (read-only)"},
		"Email":    {"the owner is reported rather than that it is read-only", `{"email_routing":true,"read_only":true}`, "Email Routing"},
		"Tunnel":   {"tunnels write records themselves", `{"managed_by_argo_tunnel":true}`, "Cloudflare Tunnel"},
		"TunnelID": {"or name themselves by ID", `{"tunnel_id":"c1744f8b"}`, "Cloudflare Tunnel"},
		"Spectrum": {"Spectrum does too", `{"spectrum":{"app":"x"}}`, "Spectrum"},
		"Empty":    {"an empty text names nobody", `{"spectrum_app_id":""}`, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			owner, ok := decode(t, `{"meta":`+tc.meta+`}`).Foreign()
			if owner != tc.want || ok != (tc.want != "") {
				t.Errorf("%s: Foreign() = %q, %v; want %q", tc.reason, owner, ok, tc.want)
			}
		})
	}
}

func TestTypes(t *testing.T) {
	want := []string{
		"A", "AAAA", "CAA", "CERT", "CNAME", "DNSKEY", "DS", "HTTPS", "LOC", "MX", "NAPTR", "NS", "OPENPGPKEY",
		"PTR", "SMIMEA", "SRV", "SSHFP", "SVCB", "TLSA", "TXT", "URI",
	}
	if diff := cmp.Diff(want, dnsrecord.Types()); diff != "" {
		t.Errorf("the API has these 21 types (-want +got):\n%s", diff)
	}
	proxiable := []string{"A", "AAAA", "CNAME"}
	plain := []string{"A", "AAAA", "CNAME", "MX", "NS", "OPENPGPKEY", "PTR", "TXT"}
	for _, rrtype := range want {
		if got := dnsrecord.Proxiable(rrtype); got != slices.Contains(proxiable, rrtype) {
			t.Errorf("Proxiable(%s) = %v", rrtype, got)
		}
		_, err := dnsrecord.Parse(zone, dnsrecord.Input{Name: "www", Type: rrtype, Data: dnsrecord.Data{}})
		var fe *dnsrecord.FieldError
		if !errors.As(err, &fe) || (fe.Field == "data") != slices.Contains(plain, rrtype) {
			t.Errorf("%s with data: got error %v, want one that says whether the type has data", rrtype, err)
		}
	}
	if dnsrecord.Proxiable("NEW") {
		t.Error("an unknown type is not proxiable")
	}
}
