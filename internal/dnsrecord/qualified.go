// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"fmt"
	"strings"
)

// InZone reports whether name is the zone of that name or below it. Both names are in
// canonical form.
func InZone(name, zone string) bool {
	above, ok := strings.CutSuffix(name, zone)
	return ok && (above == "" || above[len(above)-1] == '.')
}

// CommonName returns the longest name that a and b are both at or below, "" if there is
// none. Both names are in canonical form.
func CommonName(a, b string) string {
	if InZone(a, b) {
		return b
	}
	for at := range b {
		if (at == 0 || b[at-1] == '.') && InZone(a, b[at:]) {
			return b[at:]
		}
	}
	return ""
}

// leastLabels is how many labels a name has to share with the records of a zone to count
// as fully qualified: the name of a public zone has at least as many.
const leastLabels = 2

// CheckQualified returns nil if a declared name is fully qualified in a zone whose name
// is not known. common is the longest name that all records of the zone are at or below,
// "" if the zone has no records. The zone's name is common or an ancestor of it.
//
// A name at or below common is fully qualified. A name that shares nothing with common is
// not in the zone. Any other name has to share two labels with common, or to end in a
// dot. It can then be relative only if the zone's name has more labels than the name
// shares with common; the API's answer shows that. If the zone has no records, only that
// answer can tell. The error is a *FieldError on "name".
func CheckQualified(name, common string) error {
	ascii, absolute, p := canonicalName(name)
	switch {
	case p != nil:
		return p.at("name")
	case common == "":
		return nil
	}
	shared := CommonName(ascii, common)
	switch {
	case shared == common:
		return nil
	case absolute && shared == "":
		return &FieldError{
			Field: "name", Value: name, Reason: fmt.Sprintf("is outside the zone, all records of which are in %s", common),
			Fix: "choose the zone that the name belongs to",
		}
	case absolute, strings.Count(shared, ".")+1 >= leastLabels:
		return nil
	}
	return &FieldError{
		Field: "name", Value: name, Reason: "may be relative to the zone, the name of which is not known",
		Fix: "write the fully qualified name with a trailing dot like www.example.com., or give the credential the permission Zone: Read",
	}
}
