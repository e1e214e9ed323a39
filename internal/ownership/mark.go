// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ownership

import (
	"fmt"
	"strings"
)

// A Mark is a TXT record of external-dns' registry.
type Mark struct {
	// Name of the TXT record: punycode, lower case, no trailing dot.
	Name string
	// Owner is the ID of the external-dns that made it (--txt-owner-id).
	Owner string
}

// Parse gives the mark that a TXT record of that name and text is, or false. The text
// is what the record's strings hold, joined and without their quotes.
func Parse(name, text string) (Mark, bool) {
	m := Mark{Name: name}
	found := false
	// Some versions wrote quotes within the quotes.
	for token := range strings.SplitSeq(strings.Trim(text, `"`), ",") {
		key, value, _ := strings.Cut(strings.TrimSpace(token), "=")
		switch key {
		case "heritage":
			if value != "external-dns" {
				return Mark{}, false
			}
			found = true
		case "external-dns/owner":
			m.Owner = value
		}
	}
	if !found {
		return Mark{}, false
	}
	return m, true
}

// String names the mark's owner and the mark.
func (m Mark) String() string {
	return fmt.Sprintf("external-dns (owner %q, by the TXT record %s)", m.Owner, m.Name)
}

// acmeClient is whoever owns an answer to an ACME challenge.
const acmeClient = "an ACME client such as cert-manager"

// isChallenge reports whether a TXT record of that name answers an ACME challenge: of
// the type dns-01 (RFC 8555 section 8.4), or of dns-account-01, which puts a label
// of the account in front.
func isChallenge(name string) bool {
	first, rest, _ := strings.Cut(name, ".")
	if first == "_acme-challenge" {
		return true
	}
	second, _, _ := strings.Cut(rest, ".")
	return strings.HasPrefix(first, "_") && second == "_acme-challenge"
}
