// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package dnsname is how the function reads domain names: as the provider does, so
// that what the one plans is what the other makes. Both are tested by the rows of
// internal/dnsrecord/testdata/conformance.json. Pure.
package dnsname

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/idna"
)

const (
	maxName  = 253 // characters of a name without its trailing dot, RFC 1035 section 2.3.4
	maxLabel = 63  // characters of a label, RFC 1035 section 2.3.4
)

// FQDN is the canonical full name of a record: punycode, lower case, no trailing dot.
// Name is "@", relative to the zone, or fully qualified; with a trailing dot it has to
// be in the zone.
func FQDN(zone, name string) (string, error) {
	zone, err := Zone(zone)
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(name) == "@" {
		return zone, nil
	}
	full, absolute, err := canonical(name)
	switch {
	case err != nil:
		return "", err
	case Within(full, zone):
		return full, nil
	case absolute:
		return "", fmt.Errorf("%q is outside the zone %s", name, zone)
	}
	full += "." + zone
	if len(full) > maxName {
		return "", fmt.Errorf("%q is longer than %d characters together with its zone", name, maxName)
	}
	return full, nil
}

// Zone is the canonical name of a zone.
func Zone(name string) (string, error) {
	zone, err := Canonical(name)
	if err == nil && strings.Contains(zone, "*") {
		return "", fmt.Errorf("%q has a wildcard in it, which a zone has not", name)
	}
	return zone, err
}

// Target is the canonical name that a record leads to, which is absolute with and
// without its trailing dot. An address is no name, and one label is none of the
// Internet.
func Target(name string) (string, error) {
	target, err := Canonical(name)
	if err != nil {
		return "", err
	}
	if !strings.Contains(target, ".") {
		return "", fmt.Errorf("%q is not a full hostname", name)
	}
	if last := target[strings.LastIndexByte(target, '.')+1:]; strings.Trim(last, "0123456789") == "" {
		return "", fmt.Errorf("%q is an address where a name is needed", name)
	}
	return target, nil
}

// Canonical is a name in punycode and lower case, without its trailing dot.
func Canonical(name string) (string, error) {
	ascii, _, err := canonical(name)
	return ascii, err
}

// Within tells whether a canonical name is a domain or below it: whole labels, not
// letters.
func Within(name, domain string) bool {
	return name == domain || strings.HasSuffix(name, "."+domain)
}

func canonical(name string) (ascii string, absolute bool, err error) {
	ascii = strings.TrimSpace(name)
	if strings.ContainsFunc(ascii, func(r rune) bool { return r >= 0x80 }) {
		if ascii, err = punycode(ascii); err != nil {
			return "", false, fmt.Errorf("%q is not a valid internationalised domain name", name)
		}
	}
	ascii, absolute = strings.CutSuffix(strings.ToLower(ascii), ".")
	if err := check(ascii); err != nil {
		return "", false, fmt.Errorf("%q %w", name, err)
	}
	return ascii, absolute, nil
}

// punycode maps names as browsers do (UTS #46, non-transitional), and keeps what host
// names have not: "_" and "*".
func punycode(name string) (string, error) {
	return idna.New(
		idna.MapForLookup(),
		idna.Transitional(false),
		idna.StrictDomainName(false),
		idna.CheckHyphens(false),
	).ToASCII(name)
}

func check(ascii string) error {
	switch {
	case ascii == "":
		return errors.New("is not a domain name")
	case len(ascii) > maxName:
		return fmt.Errorf("is longer than %d characters", maxName)
	}
	for label := range strings.SplitSeq(ascii, ".") {
		switch {
		case label == "":
			return errors.New("has an empty label")
		case len(label) > maxLabel:
			return fmt.Errorf("has a label longer than %d characters", maxLabel)
		case strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_*/") != "":
			return errors.New("is not a domain name")
		}
	}
	return nil
}
