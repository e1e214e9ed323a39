// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ownership

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// A Mark is a TXT record of external-dns' registry.
type Mark struct {
	// Name is the name of the TXT record: punycode, lower case, no trailing dot.
	Name string
	// Owner is the ID of the external-dns that made it (--txt-owner-id), and Resource the object that it was
	// made for (KIND/NAMESPACE/NAME).
	Owner, Resource string
	// Sealed is true for a text that may be a mark that external-dns has encrypted. Only its name can be read,
	// and only the name decides whose mark it is.
	Sealed bool
}

// Parse returns the mark in a TXT record of that name and text, or false if it is none. The text is that of the
// record's strings, joined and without their quotes.
func Parse(name, text string) (Mark, bool) {
	m := Mark{Name: name, Sealed: isSealed(strings.Trim(text, `"`))}
	if m.Sealed {
		return m, true
	}
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
		case "external-dns/resource":
			m.Resource = value
		}
	}
	if !found {
		return Mark{}, false
	}
	return m, true
}

// sealedLen is the least length of an encrypted mark in base64: a nonce of 12 bytes, "heritage=external-dns" in
// the format of gzip, which takes 44 bytes and more, and a tag of 16 bytes.
const sealedLen = 96

// isSealed reports whether a text may be a mark that external-dns has encrypted (--txt-encrypt-enabled):
// AES-GCM with the nonce in front, in base64 with padding (sigs.k8s.io/external-dns/endpoint/crypto.go,
// EncryptText).
func isSealed(text string) bool {
	if len(text) < sealedLen || len(text)%4 != 0 {
		return false
	}
	_, err := base64.StdEncoding.Strict().DecodeString(text)
	return err == nil
}

// String returns the mark's owner and the name of the mark.
func (m Mark) String() string {
	switch {
	case m.Sealed:
		return fmt.Sprintf("external-dns (its mark is encrypted, so that the owner is not known: the TXT record %s)", m.Name)
	case m.Resource == "":
		return fmt.Sprintf("external-dns (owner %q, by the TXT record %s)", m.Owner, m.Name)
	}
	return fmt.Sprintf("external-dns (owner %q, resource %q, by the TXT record %s)", m.Owner, m.Resource, m.Name)
}

// acmeClient names the owner of an answer to an ACME challenge.
const acmeClient = "an ACME client such as cert-manager"

// tunnelOf returns the ID of the tunnel to which a CNAME leads, "" if it leads to none. Both cloudflared
// (tunnel route dns) and the dashboard (public hostnames) make such a record, with the content
// UUID.cfargotunnel.com:
// https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/routing-to-tunnel/dns/
func tunnelOf(content string) string {
	id, ok := strings.CutSuffix(strings.ToLower(strings.TrimSuffix(content, ".")), ".cfargotunnel.com")
	if !ok || len(id) != len("00000000-0000-0000-0000-000000000000") {
		return ""
	}
	for i, c := range []byte(id) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (c == '-') || !dash && !isHex(c) {
			return ""
		}
	}
	return id
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' }

// isChallenge reports whether a TXT record of that name answers an ACME challenge: of the type dns-01 (RFC 8555
// section 8.4), or of dns-account-01, which puts a label of the account in front.
func isChallenge(name string) bool {
	first, rest, _ := strings.Cut(name, ".")
	if first == "_acme-challenge" {
		return true
	}
	second, _, _ := strings.Cut(rest, ".")
	return strings.HasPrefix(first, "_") && second == "_acme-challenge"
}
