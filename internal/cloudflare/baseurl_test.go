// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"errors"
	"strings"
	"testing"
)

func TestCheckBaseURL(t *testing.T) {
	const good, insecure, bad = "good", "insecure", "bad"
	for _, tc := range []struct{ reason, url, want string }{
		{"the public API", DefaultBaseURL, good},
		{"TLS to any host", "https://cloudflare.internal:8443/client/v4", good},
		{"this machine, by IPv4", "http://127.0.0.1:8787/client/v4", good},
		{"any address of this machine", "http://127.9.8.7", good},
		{"this machine, by IPv6", "http://[::1]:8787", good},
		{"this machine, by name", "http://localhost:8787", good},
		{"another machine", "http://api.cloudflare.com/client/v4", insecure},
		{"an address of another machine", "http://10.99.0.1:8443/client/v4", insecure},
		{"all addresses are none", "http://0.0.0.0:8787", insecure},
		{"a name that begins as an address", "http://127.0.0.1.example.com", insecure},
		{"a name that begins as the name", "http://localhost.example.com", insecure},
		{"a user is no host", "http://localhost@example.com", insecure},
		{"no scheme", "api.cloudflare.com", bad},
		{"another scheme", "ftp://localhost", bad},
		{"no host", "https:///client/v4", bad},
		{"a port alone", "https://:443", bad},
		{"no URL", "https://%zz", bad},
		{"a password for another machine", "http://user:hunter2@example.com", insecure},
		{"a token for another machine", "http://hunter2@example.com/?token=hunter2", insecure},
		{"a password for another scheme", "ftp://user:hunter2@example.com", bad},
		{"a password in what is no URL", "user:hunter2@example.com", bad},
	} {
		err := CheckBaseURL(tc.url)
		got := good
		switch {
		case errors.As(err, new(*InsecureURLError)):
			got = insecure
		case err != nil:
			got = bad
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the error shows a password: %v", tc.reason, err)
		}
		if got != tc.want {
			t.Errorf("%s: %s is %s: %v, want %s", tc.reason, tc.url, got, err, tc.want)
		}
	}
}
