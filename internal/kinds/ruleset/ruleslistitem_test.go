// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ruleset_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/ruleset"
)

func keyOf(path string, v any) string {
	element := kind.Document{}
	kind.Put(element, path, v)
	return ruleset.RulesListItem().FragmentKey(element)
}

// TestItemKeys expects one key for all notations of a value.
func TestItemKeys(t *testing.T) {
	for _, tc := range []struct {
		reason, path string
		value        any
		want         string
	}{
		{"an address", "ip", "192.0.2.1", "192.0.2.1"},
		{"trap 15, #2538: the prefix of a host", "ip", "192.0.2.1/32", "192.0.2.1"},
		{"bits behind the prefix", "ip", "192.0.2.1/24", "192.0.2.0/24"},
		{"trap 22, #2352: zeros and upper case in IPv6", "ip", "2001:0DB8:0:0:0::1", "2001:db8::1"},
		{"the prefix of a host in IPv6", "ip", "2001:db8::1/128", "2001:db8::1"},
		{"a network in IPv6", "ip", "2001:DB8:0::/32", "2001:db8::/32"},
		{"what is no address is for Cloudflare to refuse", "ip", "192.0.2.300", "192.0.2.300"},
		{"a host name", "hostname.url_hostname", "*.App.Example.com", "*.app.example.com"},
		{"a number", "asn", json.Number("64496"), "64496"},
		{"the host of a URL, and not its path", "redirect.source_url", "HTTPS://Example.com/Path?Q", "https://example.com/Path?Q"},
		{"a URL without a scheme", "redirect.source_url", "Example.com/Path", "example.com/Path"},
		{"a URL without a path", "redirect.source_url", "example.com", "example.com/"},
		{"a query without a path", "redirect.source_url", "Example.com?Q", "example.com?Q"},
		{"nothing but a scheme", "redirect.source_url", "https://", "https://"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			if got := keyOf(tc.path, tc.value); got != tc.want {
				t.Errorf("the key of %v is %q, want %q", tc.value, got, tc.want)
			}
		})
	}
}

// TestItemKeysAreStable expects that the value that Cloudflare stores for a key has the same key.
func TestItemKeysAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.SampledFrom([]string{"ip", "hostname.url_hostname", "redirect.source_url"}).Draw(t, "path")
		text := rapid.OneOf(
			rapid.String(),
			rapid.StringMatching(`[0-9]{1,3}(\.[0-9]{1,3}){3}(/[0-9]{1,2})?`),
			rapid.StringMatching(`[0-9A-Fa-f:]{2,20}(/[0-9]{1,3})?`),
			rapid.StringMatching(`(https?://)?[A-Za-z.]{0,9}(/[A-Za-z]{0,3})?`),
		).Draw(t, "text")
		key := keyOf(path, text)
		if again := keyOf(path, key); again != key {
			t.Fatalf("the key of %q is %q, and the key of that %q", text, key, again)
		}
		if text != "" && strings.TrimSpace(key) == "" && strings.TrimSpace(text) != "" {
			t.Fatalf("%q has no key", text)
		}
	})
}
