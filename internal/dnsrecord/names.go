// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"strings"

	"golang.org/x/net/idna"
)

const (
	maxName  = 253 // characters of a name without its trailing dot, RFC 1035 section 2.3.4
	maxLabel = 63  // characters of a label, RFC 1035 section 2.3.4
)

// FQDN returns the canonical name of a record: punycode, lower case, no trailing dot.
// name is "@" (the zone itself), relative to the zone, or fully qualified. A name that is
// the zone or ends in "."+zone is fully qualified. A name with a trailing dot has to be
// fully qualified. Any other name is relative. If zone is "" (unknown), only a fully
// qualified name is accepted. Errors are *FieldError on "name" or "zoneName".
func FQDN(zone, name string) (string, error) {
	if zone == "" {
		return fqdnWithoutZone(name)
	}
	zone, err := ZoneName(zone)
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(name) == "@" {
		return zone, nil
	}
	ascii, absolute, p := canonicalName(name)
	if p != nil {
		return "", p.at("name")
	}
	if ascii == zone || strings.HasSuffix(ascii, "."+zone) {
		return ascii, nil
	}
	if absolute {
		return "", &FieldError{
			Field: "name", Value: name, Reason: "is outside the zone " + zone,
			Fix: "leave the trailing dot out to make it relative to the zone, or choose the zone it belongs to",
		}
	}
	if full := ascii + "." + zone; len(full) <= maxName {
		return full, nil
	}
	return "", &FieldError{Field: "name", Value: name, Reason: "is longer than 253 characters together with its zone", Fix: "shorten it"}
}

func fqdnWithoutZone(name string) (string, error) {
	if strings.TrimSpace(name) == "@" {
		return "", relativeWithoutZone(name)
	}
	ascii, _, p := canonicalName(name)
	if p != nil {
		return "", p.at("name")
	}
	if !strings.Contains(ascii, ".") {
		return "", relativeWithoutZone(name)
	}
	return ascii, nil
}

func relativeWithoutZone(name string) error {
	return &FieldError{
		Field: "name", Value: name, Reason: "is relative to a zone whose name is not known",
		Fix: "write the fully qualified name like www.example.com, or name the zone with zoneName",
	}
}

// ZoneName returns the canonical name of a zone: punycode, lower case, no trailing dot.
// Its error is a *FieldError on "zoneName".
func ZoneName(name string) (string, error) {
	ascii, _, p := canonicalName(name)
	if p == nil && strings.Contains(ascii, "*") {
		p = &problem{name, "has a wildcard in it", "use the plain name of the zone like example.com"}
	}
	if p != nil {
		return "", p.at("zoneName")
	}
	return ascii, nil
}

// canonicalName returns a domain name in lower-case ASCII without a trailing dot.
// absolute is true if the name had a trailing dot. The root is refused.
func canonicalName(name string) (ascii string, absolute bool, p *problem) {
	ascii = strings.TrimSpace(name)
	if !isASCII(ascii) {
		mapped, err := punycode(ascii)
		if err != nil {
			return "", false, &problem{name, "is not a valid internationalised domain name", "check its characters, or write it in punycode (xn--...)"}
		}
		ascii = mapped
	}
	ascii = strings.ToLower(ascii)
	ascii, absolute = strings.CutSuffix(ascii, ".")
	return ascii, absolute, checkName(name, ascii)
}

// punycode maps Unicode names as browsers do (UTS #46, non-transitional), but keeps "_"
// and "*": DNS names are not only host names.
func punycode(name string) (string, error) {
	return idna.New(
		idna.MapForLookup(),
		idna.Transitional(false),
		idna.StrictDomainName(false),
		idna.CheckHyphens(false),
	).ToASCII(name)
}

func checkName(name, ascii string) *problem {
	switch {
	case ascii == "":
		return &problem{name, "is not a domain name", "write a name like www.example.com"}
	case len(ascii) > maxName:
		return &problem{name, "is longer than 253 characters", "shorten it"}
	}
	for label := range strings.SplitSeq(ascii, ".") {
		if label == "" {
			return &problem{name, "has an empty label", "remove the extra dot"}
		}
		if len(label) > maxLabel {
			return &problem{name, "has a label longer than 63 characters", "shorten the part between two dots"}
		}
		for i := range len(label) {
			if !isNameByte(label[i]) {
				return &problem{name, "is not a domain name", "use only letters, digits and the characters - _ * / between the dots"}
			}
		}
	}
	return nil
}

// isNameByte reports whether c may be in a host name, a service label, a wildcard or a
// classless reverse delegation (RFC 2317).
func isNameByte(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		return true
	}
	return c == '-' || c == '_' || c == '*' || c == '/'
}

// target returns the canonical form of a name that rdata points to. Such a name is always
// absolute, with or without a trailing dot. The result has no trailing dot.
func target(name string) (string, *problem) {
	ascii, _, p := canonicalName(name)
	if p != nil {
		return "", p
	}
	if looksLikeAddress(ascii) {
		return "", &problem{name, "is an IP address where a domain name is needed", "use the name of the host, or a record of type A or AAAA"}
	}
	return ascii, nil
}

// looksLikeAddress reports whether the last label of a name is a number. No top-level
// domain is a number, so such a name is an IPv4 address, well formed or not. An IPv6
// address is not a valid name, so it does not get here.
func looksLikeAddress(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	for i := range len(last) {
		if !isDigit(last[i]) {
			return false
		}
	}
	return true
}

// targetOrRoot is target, but also accepts ".", which means "nothing here" in MX (RFC
// 7505) and SRV (RFC 2782).
func targetOrRoot(name string) (string, *problem) {
	if strings.TrimSpace(name) == "." {
		return ".", nil
	}
	return target(name)
}

// dottedTarget returns a target as the API keeps it in SVCB, HTTPS and NAPTR: with its
// trailing dot.
func dottedTarget(name string) (string, *problem) {
	ascii, p := targetOrRoot(name)
	if p != nil || ascii == "." {
		return ascii, p
	}
	return ascii + ".", nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
