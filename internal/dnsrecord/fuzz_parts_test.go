// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// FuzzNames reads any text as a name within a zone, and as the name of a zone. An
// accepted name is canonical: read again it is the same, and it is short enough to be
// sent.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"@", "", ".", "www", "www.example.com.", "*", "*.a", "a..b", "B\u00fccher", "xn--bcher-kva", "_dmarc", "a\x00b", "-a", "\u200d", "\xff", "a.example.com.example.com"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if full, err := dnsrecord.FQDN(zone, name); err == nil {
			again, err := dnsrecord.FQDN(zone, full)
			if err != nil || again != full || len(full) > 253 {
				t.Errorf("%q is %q, and that is %q (%v)", name, full, again, err)
			}
		}
		if z, err := dnsrecord.ZoneName(name); err == nil {
			if again, err := dnsrecord.ZoneName(z); err != nil || again != z || len(z) > 253 {
				t.Errorf("%q is the zone %q, and that is %q (%v)", name, z, again, err)
			}
		}
	})
}

// FuzzTXT makes a record of any text.
func FuzzTXT(f *testing.F) {
	for _, s := range []string{"", " ", "v=spf1 -all", `"a" "b"`, `"a`, `a"b`, `\`, `"\`, `"\256"`, `"\000"`, "\xff", "\n", `"" ""`, `"a"b`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, content string) {
		r, err := dnsrecord.Parse(zone, dnsrecord.Input{Name: "@", Type: "TXT", Content: &content})
		if err != nil {
			return
		}
		live := dnsrecord.FromLive(dnsrecord.Live{Name: zone, Type: "TXT", Content: r.Content, TTL: 1})
		if live.Content != r.Content {
			t.Errorf("%q is %q, read back %q", content, r.Content, live.Content)
		}
		if len(r.Content) > 4*4096+3*64 {
			t.Errorf("%d bytes became %d", len(content), len(r.Content))
		}
	})
}

// FuzzData makes records of each type from any data, as a user writes it and as the API
// answers it.
func FuzzData(f *testing.F) {
	for rrtype, data := range map[string]string{
		"SRV": `{"priority":10,"weight":5,"port":5060,"target":"sip.example.net"}`, "CAA": `{"flags":0,"tag":"issue","value":"x"}`,
		"LOC":   `{"lat_degrees":52,"lat_minutes":22,"lat_seconds":23.1,"lat_direction":"N","long_degrees":4,"long_minutes":53,"long_seconds":32,"long_direction":"E","altitude":-2.5,"size":1}`,
		"TLSA":  `{"usage":3,"selector":1,"matching_type":1,"certificate":"abcd"}`,
		"NAPTR": `{"order":100,"preference":10,"flags":"u","service":"E2U+sip","regex":"!^.*$!sip:a!","replacement":"."}`,
		"SSHFP": `{"algorithm":1,"type":1,"fingerprint":"ab"}`, "CERT": `{"type":"PKIX","key_tag":1,"algorithm":8,"certificate":"AAAA"}`,
		"HTTPS": `{"priority":1,"target":".","value":"alpn=\"h2\""}`, "URI": `{"weight":1,"target":"https://example.net/"}`,
		"DS": `{"key_tag":"1","algorithm":1e0,"digest_type":2,"digest":"AB"}`, "MX": `{"target":null}`, "A": `{"x":[]}`,
	} {
		f.Add(rrtype, []byte(data))
	}
	f.Fuzz(func(t *testing.T, rrtype string, raw []byte) {
		var data dnsrecord.Data
		if json.Unmarshal(raw, &data) != nil {
			return
		}
		live := dnsrecord.FromLive(dnsrecord.Live{Name: zone, Type: rrtype, Data: data, TTL: 1})
		if diffs := dnsrecord.Diff(live, live); len(diffs) > 0 {
			t.Errorf("a live record differs from itself: %v", diffs)
		}
		r, err := dnsrecord.Parse(zone, dnsrecord.Input{Name: "@", Type: rrtype, Data: data})
		if err != nil {
			return
		}
		again, err := dnsrecord.Parse(zone, dnsrecord.Input{Name: "@", Type: rrtype, Content: ptr(r.Presentation())})
		if err != nil {
			t.Fatalf("its own presentation %q cannot be read: %v", r.Presentation(), err)
		}
		if diff := cmp.Diff(r, again); diff != "" {
			t.Errorf("it is not stable (-first +again):\n%s", diff)
		}
	})
}
