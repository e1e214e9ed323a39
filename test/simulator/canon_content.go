// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"encoding/base64"
	"net/netip"
	"strings"
)

func ipv4Content(content string) (string, *Error) {
	addr, err := netip.ParseAddr(content)
	if err != nil || !addr.Is4() {
		return "", invalid(CodeContent, "Content for A record must be a valid IPv4 address.")
	}
	return addr.String(), nil
}

// ipv6Content returns the address in the form of RFC 5952.
func ipv6Content(content string) (string, *Error) {
	addr, err := netip.ParseAddr(content)
	if err != nil || !addr.Is6() || addr.Zone() != "" {
		return "", invalid(CodeContent, "Content for AAAA record must be a valid IPv6 address.")
	}
	return addr.String(), nil
}

func targetContent(typeName string) func(string) (string, *Error) {
	return func(content string) (string, *Error) {
		target, ok := canonicalTarget(content)
		if !ok {
			return "", invalid(CodeTarget, "Content for %s record is invalid.", typeName)
		}
		return target, nil
	}
}

// mxContent returns a canonical host name, or "." for a domain that accepts no mail
// (RFC 7505).
func mxContent(content string) (string, *Error) {
	if content == "." {
		return content, nil
	}
	target, ok := canonicalTarget(content)
	if !ok {
		return "", invalid(CodeMXContent, "Content for MX record must be a hostname.")
	}
	return target, nil
}

func base64Content(content string) (string, *Error) {
	content = strings.Join(strings.Fields(content), "")
	raw, err := base64.StdEncoding.DecodeString(content)
	if err != nil || len(raw) == 0 {
		return "", invalid(CodeContent, "Content for OPENPGPKEY record must be base64.")
	}
	return content, nil
}

// publicAddress reports whether an origin behind the proxy can have an address. It
// cannot have an address that is private, loopback, link-local, unique local or
// carrier-grade NAT (RFC 6598).
func publicAddress(content string) bool {
	addr, err := netip.ParseAddr(content)
	if err != nil {
		return false
	}
	addr = addr.Unmap()
	return !addr.IsPrivate() && !addr.IsLoopback() && !addr.IsLinkLocalUnicast() &&
		!netip.MustParsePrefix("100.64.0.0/10").Contains(addr)
}
