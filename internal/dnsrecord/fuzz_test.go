// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// FuzzParse looks for panics, for canonical forms that are not stable, and for live
// records that cannot be compared.
func FuzzParse(f *testing.F) {
	for _, seed := range [][4]string{
		{"@", "A", "192.0.2.1", ""},
		{"www", "MX", "10 mail.example.net.", ""},
		{"*", "TXT", `"a\200" "b"`, ""},
		{"_sip._tcp", "SRV", "10 5 5060 sip.example.net.", "target"},
		{"bücher", "HTTPS", `1 . alpn="h2,h3" key667="\001x" mandatory=alpn`, "value"},
		{"a", "SVCB", `1 . alpn=h2\\,h3`, "value"},
		{"a", "LOC", "52 22 23.1 N 4 53 32 E -2.5m 1m 0.01m 15m", "size"},
		{"a", "NAPTR", `100 10 "u" "E2U+sip" "!^.*$!sip:\\1@example.net!" .`, "regex"},
		{"a", "CAA", `0 issue "\"x\""`, "value"},
		{"a", "URI", `10 1 "https://example.net/"`, "target"},
		{"a", "CERT", "PKIX 1 RSASHA256 AAAA", "certificate"},
		{"a", "TLSA", "3 1 1 (ab\ncd)", "certificate"},
		{"a", "DS", "1 8 2 ab ; x", "key_tag"},
		{"a", "OPENPGPKEY", "AAA", ""},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	f.Fuzz(func(t *testing.T, name, rrtype, content, member string) {
		live := dnsrecord.FromLive(dnsrecord.Live{Name: name, Type: rrtype, Content: content, Data: dnsrecord.Data{member: content}})
		if diffs := dnsrecord.Diff(live, live); len(diffs) > 0 {
			t.Fatalf("a live record differs from itself: %v", diffs)
		}
		for _, in := range []dnsrecord.Input{
			{Name: name, Type: rrtype, Content: &content},
			{Name: name, Type: rrtype, Data: dnsrecord.Data{member: content}},
		} {
			r, err := dnsrecord.Parse(zone, in)
			if err != nil {
				if err.Error() == "" {
					t.Fatal("an error says nothing")
				}
				continue
			}
			again, err := dnsrecord.Parse(zone, dnsrecord.Input{Name: r.Name, Type: r.Type, Content: ptr(r.Presentation())})
			if err != nil {
				t.Fatalf("cannot parse its own presentation %q: %v", r.Presentation(), err)
			}
			if diff := cmp.Diff(r, again); diff != "" {
				t.Fatalf("not stable (-first +again):\n%s", diff)
			}
			if diffs := dnsrecord.Diff(r, dnsrecord.FromLive(asLive(t, r.Body()))); len(diffs) > 0 {
				t.Fatalf("sent and read back differ: %v", diffs)
			}
		}
	})
}
