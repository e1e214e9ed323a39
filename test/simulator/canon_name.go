// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Limits of RFC 1035 section 2.3.4, without the root's dot.
const (
	maxNameLength  = 253
	maxLabelLength = 63
)

// toASCII returns a domain name in lower case and punycode, and reports whether the
// name is valid. It keeps a trailing dot.
func toASCII(name string) (string, bool) {
	if name == "" || !utf8.ValidString(name) {
		return "", false
	}
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			profile := idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false), idna.CheckHyphens(false))
			ascii, err := profile.ToASCII(name)
			return strings.ToLower(ascii), err == nil
		}
	}
	return strings.ToLower(name), true
}

// wellFormed reports whether Cloudflare accepts an ASCII name without trailing dot.
// Besides host names, Cloudflare accepts service labels, wildcards as the whole first
// label, and the labels of RFC 2317.
func wellFormed(name string, wildcard bool) bool {
	if name == "" || len(name) > maxNameLength {
		return false
	}
	first := true
	for label := range strings.SplitSeq(name, ".") {
		if !wellFormedLabel(label) && (label != "*" || !first || !wildcard) {
			return false
		}
		first = false
	}
	return true
}

func wellFormedLabel(label string) bool {
	if label == "" || len(label) > maxLabelLength {
		return false
	}
	for i := range len(label) {
		switch c := label[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '_', c == '/':
		default:
			return false
		}
	}
	return true
}

// canonicalName returns the FQDN of a record: punycode, lower case, no trailing dot.
func canonicalName(name, zone string) (string, *Error) {
	if name == "@" {
		return zone, nil
	}
	ascii, ok := toASCII(name)
	if !ok {
		return "", invalid(CodeName, "DNS name is invalid.")
	}
	ascii, absolute := strings.CutSuffix(ascii, ".")
	inside := atOrBelow(ascii, zone)
	if !inside && absolute {
		return "", invalid(CodeName, "DNS name is invalid.")
	}
	if !inside {
		ascii += "." + zone
	}
	if !wellFormed(ascii, true) {
		return "", invalid(CodeName, "DNS name is invalid.")
	}
	return ascii, nil
}

// canonicalTarget returns a host name that content or data points to: punycode, lower
// case, no trailing dot.
func canonicalTarget(host string) (string, bool) {
	ascii, ok := toASCII(host)
	if !ok {
		return "", false
	}
	ascii = strings.TrimSuffix(ascii, ".")
	return ascii, wellFormed(ascii, false) && !looksLikeAddress(ascii)
}

// looksLikeAddress reports whether the last label of a name is a number. No top-level
// domain is a number, and so the name is an address in the wrong place.
func looksLikeAddress(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	for i := range len(last) {
		if last[i] < '0' || last[i] > '9' {
			return false
		}
	}
	return true
}
