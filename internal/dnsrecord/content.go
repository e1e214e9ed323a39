// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"encoding/base64"
	"net/netip"
	"strings"
)

// ipv4 accepts only four decimal numbers without leading zeros.
func ipv4(content string) (string, *problem) {
	addr, err := netip.ParseAddr(content)
	if err != nil || !addr.Is4() {
		return "", &problem{content, "is not an IPv4 address", "use four decimal numbers like 192.0.2.1"}
	}
	return spell(addr, content), nil
}

// ipv6 returns the form of RFC 5952, and an IPv4-mapped address as ::ffff:192.0.2.1.
func ipv6(content string) (string, *problem) {
	addr, err := netip.ParseAddr(content)
	if err != nil || !addr.Is6() || addr.Zone() != "" {
		return "", &problem{content, "is not an IPv6 address", "use an address like 2001:db8::1, without a zone or a prefix length"}
	}
	return spell(addr, content), nil
}

// spell returns addr.String(). It returns content itself if that is the same.
func spell(addr netip.Addr, content string) string {
	var longest [len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")]byte
	if canonical := addr.AppendTo(longest[:0]); string(canonical) != content {
		return string(canonical)
	}
	return content
}

// reachableByProxy reports whether the API accepts an address behind the proxy (it
// answers 9003 if not). content is canonical. It returns true for content that is not an
// address, which other checks refuse.
func reachableByProxy(content string) bool {
	addr, err := netip.ParseAddr(content)
	if err != nil {
		return true
	}
	addr = addr.Unmap()
	return !addr.IsPrivate() && !addr.IsLoopback() && !addr.IsLinkLocalUnicast() && !isCGNAT(addr)
}

// isCGNAT reports whether addr is in the shared address space of RFC 6598.
func isCGNAT(addr netip.Addr) bool {
	return netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64, 0, 0}), 10).Contains(addr)
}

// base64Text returns the text with padding. It ignores white space, as presentation
// format does, and accepts a missing padding.
func base64Text(s string) (string, *problem) {
	compact := withoutBlanks(s)
	raw, err := base64.StdEncoding.DecodeString(compact)
	if err != nil {
		raw, err = base64.RawStdEncoding.DecodeString(compact)
	}
	if err != nil || len(raw) == 0 {
		return "", &problem{s, "is not base64", "use the characters A-Z a-z 0-9 + / and = as padding"}
	}
	return base64.StdEncoding.EncodeToString(raw), nil
}

// hexText returns the text in upper case, as the API renders it. It ignores white space.
func hexText(s string) (string, *problem) {
	compact := withoutBlanks(s)
	if compact == "" || len(compact)%2 != 0 {
		return "", &problem{s, "is not a whole number of hexadecimal bytes", "use two of 0-9 a-f for every byte"}
	}
	for i := range len(compact) {
		if !isHexDigit(compact[i]) {
			return "", &problem{s, "is not hexadecimal", "use two of 0-9 a-f for every byte"}
		}
	}
	return strings.ToUpper(compact), nil
}

func isHexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func withoutBlanks(s string) string {
	if !strings.ContainsAny(s, " \t\r\n") {
		return s
	}
	return strings.Join(strings.Fields(s), "")
}
