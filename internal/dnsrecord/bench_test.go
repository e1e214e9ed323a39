// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord_test

import (
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

func benchInputs() []dnsrecord.Input {
	return []dnsrecord.Input{
		content("A", "192.0.2.1"),
		content("AAAA", "2001:db8::1"),
		content("CAA", `0 issue "letsencrypt.org"`),
		content("CNAME", "www.example.net."),
		content("HTTPS", `1 . alpn="h2,h3" ipv4hint=192.0.2.1`),
		content("MX", "10 mail.example.net."),
		content("SRV", "10 5 5060 sip.example.net."),
		content("TXT", "v=spf1 include:_spf.example.net ~all"),
	}
}

func BenchmarkParse(b *testing.B) {
	for _, in := range benchInputs() {
		b.Run(in.Type, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := dnsrecord.Parse(zone, in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFromLive(b *testing.B) {
	for _, in := range benchInputs() {
		live := asLive(b, mustParse(b, in).Body())
		b.Run(in.Type, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if dnsrecord.FromLive(live).Type != in.Type {
					b.Fatal("the type got lost")
				}
			}
		})
	}
}

func BenchmarkDiff(b *testing.B) {
	for _, in := range benchInputs() {
		desired := mustParse(b, in)
		live := dnsrecord.FromLive(asLive(b, desired.Body()))
		b.Run(in.Type, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if len(dnsrecord.Diff(desired, live)) > 0 {
					b.Fatal("equal records differ")
				}
			}
		})
	}
}
