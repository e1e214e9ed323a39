// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ssl

import (
	"encoding/pem"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCanonicalPEM(t *testing.T) {
	block := func(body string) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte(body)}))
	}
	leaf, issuer := block("leaf"), block("issuer")
	for _, tc := range []struct{ reason, a, b string }{
		{"the last line end", leaf, strings.TrimSpace(leaf)},
		{"line ends of Windows", leaf, strings.ReplaceAll(leaf, "\n", "\r\n")},
		{"a line between two", leaf + issuer, leaf + "\n" + issuer},
		{"words before", leaf, "subject=/CN=a\n" + leaf},
	} {
		if canonicalPEM(tc.a) != canonicalPEM(tc.b) {
			t.Errorf("%s is a difference", tc.reason)
		}
	}
	for _, tc := range []struct{ reason, a, b string }{
		{"another certificate", leaf, issuer},
		{"an issuer more", leaf, leaf + issuer},
		{"another order", leaf + issuer, issuer + leaf},
		{"no PEM at all", leaf, "leaf"},
		{"two texts that are no PEM", "a", "b"},
	} {
		if canonicalPEM(tc.a) == canonicalPEM(tc.b) {
			t.Errorf("%s is no difference", tc.reason)
		}
	}
}

func TestCanonicalPEMIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, body := range rapid.SliceOfN(rapid.SliceOf(rapid.Byte()), 0, 3).Draw(t, "blocks") {
			text += string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: body})) + rapid.SampledFrom([]string{"", "\n", "x\n"}).Draw(t, "between")
		}
		once := canonicalPEM(text)
		if twice := canonicalPEM(once); twice != once {
			t.Errorf("got %q, then %q", once, twice)
		}
	})
}
