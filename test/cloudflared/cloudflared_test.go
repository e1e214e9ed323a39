// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflared_test

import (
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/cloudflared"
)

func TestRefuses(t *testing.T) {
	t.Parallel()
	last := cloudflared.Rule{Service: "http_status:404"}
	for name, tc := range map[string]struct {
		reason string
		rules  []cloudflared.Rule
		want   string
	}{
		"None":          {"a tunnel leads somewhere", nil, "no rules"},
		"LastAlone":     {"what a tunnel without hostnames has", []cloudflared.Rule{last}, ""},
		"Hostname":      {"a hostname and the rest", []cloudflared.Rule{{Hostname: "a.example.com", Service: "http://a:80"}, last}, ""},
		"NoLast":        {"requests for other hostnames have to end somewhere", []cloudflared.Rule{{Hostname: "a.example.com", Service: "http://a:80"}}, "last rule"},
		"LastWithPath":  {"that is not all requests", []cloudflared.Rule{{Path: "/a", Service: "http://a:80"}}, "last rule"},
		"AllBeforeLast": {"nothing comes after it", []cloudflared.Rule{last, {Hostname: "a.example.com", Service: "http://a:80"}, last}, "rule 1: it matches all"},
		"StarInFront":   {"a star alone is all hostnames", []cloudflared.Rule{{Hostname: "*", Service: "http://a:80"}, last}, "rule 1: it matches all"},
		"Wildcard":      {"in front", []cloudflared.Rule{{Hostname: "*.example.com", Service: "http://a:80"}, last}, ""},
		"WildcardIn":    {"in the middle", []cloudflared.Rule{{Hostname: "a.*.example.com", Service: "http://a:80"}, last}, "wildcard"},
		"TwoWildcards":  {"one at most", []cloudflared.Rule{{Hostname: "*.*.example.com", Service: "http://a:80"}, last}, "wildcard"},
		"Port":          {"a rule matches the hostname of a request and no port", []cloudflared.Rule{{Hostname: "a.example.com:443", Service: "http://a:80"}, last}, "port"},
		"Path":          {"an expression", []cloudflared.Rule{{Hostname: "a.example.com", Path: `\.(jpg|png)$`, Service: "http://a:80"}, last}, ""},
		"NoExpression":  {"a shell's pattern", []cloudflared.Rule{{Hostname: "a.example.com", Path: "*.jpg", Service: "http://a:80"}, last}, "repetition"},
		"NoService":     {"a rule has one", []cloudflared.Rule{{Hostname: "a.example.com"}, last}, "no scheme"},
		"NoScheme":      {"a service is a URL", []cloudflared.Rule{{Hostname: "a.example.com", Service: "localhost"}, last}, "no scheme"},
		"ServicePath":   {"the path is that of the request", []cloudflared.Rule{{Hostname: "a.example.com", Service: "http://a:80/b"}, last}, "has a path"},
		"TwoServices":   {"one a rule", []cloudflared.Rule{{Hostname: "a.example.com", Service: "http://a:80,http://b:80"}, last}, "invalid port"},
		"Status":        {"a number", []cloudflared.Rule{{Service: "http_status:gone"}}, "invalid syntax"},
		"Socket":        {"of a file", []cloudflared.Rule{{Hostname: "a.example.com", Service: "unix:/run/a.sock"}, last}, ""},
		"BuiltIn":       {"a test page", []cloudflared.Rule{{Hostname: "a.example.com", Service: "hello_world"}, last}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := cloudflared.Refuses(tc.rules)
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: got %v, want %q", tc.reason, err, tc.want)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	rules, err := cloudflared.Rules(map[string]any{"ingress": []any{
		map[string]any{"hostname": "a.example.com", "path": "^/api", "service": "http://api:80"},
		map[string]any{"hostname": "a.example.com", "service": "http://a:80"},
		map[string]any{"hostname": "*.example.com", "service": "http://any:80"},
		map[string]any{"service": "http_status:404"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for request, want := range map[string]string{
		"a.example.com/api/x": "http://api:80",
		"a.example.com/x":     "http://a:80",
		"b.example.com/api":   "http://any:80",
		"example.org/":        "http_status:404",
	} {
		host, path, _ := strings.Cut(request, "/")
		if got, ok := cloudflared.Match(rules, host, "/"+path); !ok || got.Service != want {
			t.Errorf("%s goes to %q, want %q", request, got.Service, want)
		}
	}
	if got, ok := cloudflared.Match(nil, "a.example.com", "/"); ok {
		t.Errorf("without rules a request goes to %q", got.Service)
	}
}
