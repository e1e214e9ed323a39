// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package audit

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// maxName bounds what is shown of a name that a user of the account chose, in characters.
const maxName = 64

// Words returns by whom, how and when a change was made: "changed by jane@example.com in the
// dashboard at 2026-11-23T12:00:00Z". The text is one line of bounded length.
func Words(e cloudflare.AuditEntry, gone bool) string {
	verb := "changed"
	if gone {
		verb = "deleted"
	}
	words := []string{verb}
	for _, w := range []string{who(e.Actor), how(e)} {
		if w != "" {
			words = append(words, w)
		}
	}
	return fmt.Sprintf("%s at %s", strings.Join(words, " "), e.Time.UTC().Format(time.RFC3339))
}

func who(a cloudflare.AuditActor) string {
	switch email := clean(a.Email); {
	case a.Type == "system":
		return "by Cloudflare"
	case a.Type == "cloudflare_admin":
		return "by an administrator of Cloudflare"
	case email != "":
		return "by " + email
	case a.Type == "user":
		return "by a user"
	}
	return ""
}

// how returns the way of a change: in the dashboard, or with what credential and by which
// program.
func how(e cloudflare.AuditEntry) string {
	if e.Actor.Context == "dash" {
		return "in the dashboard"
	}
	var parts []string
	if p := program(e.UserAgent); p != "" {
		parts = append(parts, p)
	}
	if c := credential(e.Actor); c != "" {
		parts = append(parts, c)
	}
	if len(parts) == 0 {
		return ""
	}
	return "with " + strings.Join(parts, " and ")
}

func credential(a cloudflare.AuditActor) string {
	name := ""
	if n := clean(a.TokenName); n != "" {
		name = fmt.Sprintf(" %q", n)
	}
	switch {
	case a.Context == "api_token" && a.Type == "account":
		return "the account's API token" + name
	case a.Context == "api_token":
		return "the API token" + name
	case a.Context == "api_key":
		return "a global API key"
	case a.Context == "oauth":
		return "the OAuth client" + name
	case a.Context == "origin_ca_key":
		return "an Origin CA key"
	}
	return ""
}

// program returns the program of a user agent: Terraform if the user agent names it, and
// otherwise its first product.
func program(userAgent string) string {
	agent := clean(userAgent)
	if strings.Contains(strings.ToLower(userAgent), "terraform") {
		for product := range strings.FieldsSeq(agent) {
			if version, ok := strings.CutPrefix(strings.ToLower(product), "terraform/"); ok {
				return "Terraform " + version
			}
		}
		return "Terraform"
	}
	first, _, _ := strings.Cut(agent, " ")
	return first
}

// clean makes a text from outside fit for a message: printable, on one line, and short.
func clean(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.TrimSpace(s) {
		if n == maxName {
			return strings.TrimSpace(b.String()) + "..."
		}
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case !unicode.IsPrint(r) || r == unicode.ReplacementChar:
			continue
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}
