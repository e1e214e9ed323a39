// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package audit

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

func TestWords(t *testing.T) {
	const when = " at 2026-11-23T12:00:00Z"
	by := func(kind, context, email, token string) cloudflare.AuditActor {
		return cloudflare.AuditActor{Type: kind, Context: context, Email: email, TokenName: token}
	}
	for _, tc := range []struct {
		reason string
		actor  cloudflare.AuditActor
		agent  string
		gone   bool
		want   string
	}{
		{"the dashboard, whatever the browser", by("user", "dash", "jane@example.com", ""), "Mozilla/5.0", false, "changed by jane@example.com in the dashboard"},
		{"a deletion", by("user", "dash", "jane@example.com", ""), "", true, "deleted by jane@example.com in the dashboard"},
		{"a user's token", by("user", "api_token", "ci@example.com", "deploy"), "curl/8.5.0", false, `changed by ci@example.com with curl/8.5.0 and the API token "deploy"`},
		{"a token of the account, which belongs to nobody", by("account", "api_token", "", "ci"), "octodns/1.0 python/3", false, `changed with octodns/1.0 and the account's API token "ci"`},
		{"Terraform with its version", by("user", "api_token", "ci@example.com", "deploy"), "Terraform/1.9.5 (+https://www.terraform.io) terraform-provider-cloudflare/4.52.0", false, `changed by ci@example.com with Terraform 1.9.5 and the API token "deploy"`},
		{"Terraform behind the SDK", by("user", "api_token", "", ""), "Cloudflare/Go 4.6.0 terraform-provider-cloudflare/5.1.0", false, "changed by a user with Terraform and the API token"},
		{"a global API key", by("user", "api_key", "root@example.com", ""), "", false, "changed by root@example.com with a global API key"},
		{"an OAuth client", by("user", "oauth", "jane@example.com", "wrangler"), "", false, `changed by jane@example.com with the OAuth client "wrangler"`},
		{"an Origin CA key", by("user", "origin_ca_key", "", ""), "", false, "changed by a user with an Origin CA key"},
		{"Cloudflare itself", by("system", "", "jane@example.com", ""), "", false, "changed by Cloudflare"},
		{"Cloudflare's staff", by("cloudflare_admin", "", "", ""), "", false, "changed by an administrator of Cloudflare"},
		{"nobody knows who", cloudflare.AuditActor{}, "", false, "changed"},
	} {
		e := cloudflare.AuditEntry{Time: noon().In(time.FixedZone("", 3600)), Actor: tc.actor, UserAgent: tc.agent}
		if got := Words(e, tc.gone); got != tc.want+when {
			t.Errorf("%s:\n got %q\nwant %q", tc.reason, got, tc.want+when)
		}
	}
}

// TestWordsAreFitForMessages has names and a user agent that a stranger chose.
func TestWordsAreFitForMessages(t *testing.T) {
	const evil = "a\r\nWarning: \x1b[31mred\u202e\u200b\x00\xff b"
	long := strings.Repeat("né", 500)
	for _, s := range []string{evil, long, `"; changed by nobody at 2000-01-01T00:00:00Z`, strings.Repeat(" ", 90)} {
		for _, context := range []string{"api_token", "oauth", "dash", s} {
			e := cloudflare.AuditEntry{Time: noon(), UserAgent: s, Actor: cloudflare.AuditActor{Type: "user", Context: context, Email: s, TokenName: s}}
			got := Words(e, false)
			if n := utf8.RuneCountInString(got); n > 5*maxName || !utf8.ValidString(got) {
				t.Errorf("%q has %d characters, valid: %t", got, n, utf8.ValidString(got))
			}
			if strings.ContainsAny(got, "\r\n\x00\x1b\u202e\u200b") {
				t.Errorf("%q is not printable on one line", got)
			}
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("jane@example.com", "deploy", "Terraform/1.9.5", "api_token")
	f.Add("\x00", "a\nb", "\u202e", "dash")
	f.Fuzz(func(t *testing.T, email, name, userAgent, context string) {
		e := cloudflare.AuditEntry{Time: noon(), UserAgent: userAgent, Actor: cloudflare.AuditActor{Context: context, Email: email, TokenName: name}}
		got := Words(e, true)
		if utf8.RuneCountInString(got) > 5*maxName || strings.ContainsAny(got, "\r\n\t\x00\x1b") || !utf8.ValidString(got) {
			t.Errorf("%q is not fit for a message", got)
		}
		if !strings.HasSuffix(got, " at 2026-11-23T12:00:00Z") {
			t.Errorf("%q does not say when", got)
		}
	})
}
