// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package gateway

import (
	"testing"

	"pgregory.net/rapid"
)

func TestCanonicalExpression(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, a, b string
		same         bool
	}{
		{"spaces between words", `dns.fqdn  ==   "a.example"`, `dns.fqdn == "a.example"`, true},
		{"lines", "dns.fqdn == \"a.example\"\n  or dns.fqdn == \"b.example\"\n", `dns.fqdn == "a.example" or dns.fqdn == "b.example"`, true},
		{"spaces beside brackets", `any( dns.domains[*] in {"a.example"  "b.example" } )`, `any(dns.domains[*] in {"a.example" "b.example"})`, true},
		{"spaces in quotes", `http.request.uri == "a b"`, `http.request.uri == "a  b"`, false},
		{"a quote in quotes", `http.request.uri == "a\"  b"`, `http.request.uri == "a\" b"`, false},
		{"capital letters", `dns.fqdn == "A.example"`, `dns.fqdn == "a.example"`, false},
		{"words that a space divides", `not in`, `notin`, false},
		{"nothing", "", " \n", true},
		{"quotes that nobody closes", `a == "b  c`, `a == "b c`, false},
	} {
		if got := canonicalExpression(tc.a) == canonicalExpression(tc.b); got != tc.same {
			t.Errorf("%s: %q and %q are the same: %t, want %t", tc.reason, canonicalExpression(tc.a), canonicalExpression(tc.b), got, tc.same)
		}
	}
}

// TestCanonicalExpressionOfItself expects that the canonical form of any text is its own canonical form.
func TestCanonicalExpressionOfItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab \n\t\"\\(){}[],=ü"))).Draw(t, "expression")
		once := canonicalExpression(text)
		if twice := canonicalExpression(once); twice != once {
			t.Errorf("%q becomes %q, and that %q", text, once, twice)
		}
	})
}
