// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAPIURL: without TLS, the API token is sent only to this machine.
func TestAPIURL(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("a-token"), 0o600); err != nil {
		t.Fatal(err)
	}
	for url, refused := range map[string]bool{
		"https://cloudflare.internal/client/v4": false, "http://127.0.0.1:8787/client/v4": false,
		"http://api.cloudflare.com/client/v4": true, "api.cloudflare.com": true,
	} {
		c := connection{tokenFile: file, apiURL: url}
		_, err := c.cloudflare(t.Context())
		if (err != nil) != refused || err != nil && !strings.Contains(err.Error(), "--cloudflare-api-url") {
			t.Errorf("%s: %v, want a refusal: %t", url, err, refused)
		}
	}
}
