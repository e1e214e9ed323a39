// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

func TestWithArticle(t *testing.T) {
	for word, want := range map[string]string{
		"Tunnel":           "a Tunnel",
		"AccessGroup":      "an AccessGroup",
		"UniversalSSL":     "a UniversalSSL",
		"R2Bucket":         "an R2Bucket",
		"mTLS certificate": "an mTLS certificate",
		"KVNamespace":      "a KVNamespace",
		"DNSSEC":           "a DNSSEC",
		"IP access rule":   "an IP access rule",
		"URL":              "a URL",
		"rule":             "a rule",
		"email address":    "an email address",
	} {
		if got := kind.WithArticle(word); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
