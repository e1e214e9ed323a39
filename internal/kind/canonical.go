// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// hexID is an ID that Cloudflare generates: 32 hexadecimal digits, or a UUID. The case of its
	// letters has no meaning.
	hexID = regexp.MustCompile(`^(?i:[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)
	// numberID is a number with leading zeros.
	numberID = regexp.MustCompile(`^0+\d+$`)
)

// CanonicalID returns the identity of a resource in one form for all spellings that the API may treat
// as equal. An ID that Cloudflare generates gets lower case letters, and a number gets no leading
// zeros. The form of a name that its user chooses depends on the field's Canonical: the API tells most
// names apart by case.
func (d Description) CanonicalID(id string) string {
	canonical := d.field(d.IDPath()).Canonical
	switch {
	case d.Shape == Fragment:
		return id // A key is canonical from the start.
	case d.Shape == Singleton:
		return d.canonicalParameters(id)
	case canonical != nil:
		return canonical(id)
	case slices.Contains(d.Natural, d.IDPath()):
		return id
	case numberID.MatchString(id) && !hexID.MatchString(id):
		return strings.TrimLeft(id[:len(id)-1], "0") + id[len(id)-1:]
	}
	return canonicalHex(id)
}

// CanonicalParameter returns the value of a path parameter in one form for all spellings that the API may
// treat as equal.
func (d Description) CanonicalParameter(name, value string) string {
	if canonical := d.field(name).Canonical; canonical != nil {
		return canonical(value)
	}
	return canonicalHex(value)
}

// IsUnique reports whether an ID is of the form that Cloudflare assigns to one resource only, across
// all accounts and kinds.
func IsUnique(id string) bool { return hexID.MatchString(id) }

// canonicalParameters applies CanonicalParameter to each part of the identity of a Singleton.
func (d Description) canonicalParameters(id string) string {
	o, _ := ParseOperation(d.Read)
	names, values := o.Parameters(), strings.Split(id, "/")
	if len(names) != len(values) {
		return id
	}
	for i, name := range names {
		values[i] = d.CanonicalParameter(name, values[i])
	}
	return strings.Join(values, "/")
}

func canonicalHex(id string) string {
	if hexID.MatchString(id) {
		return strings.ToLower(id)
	}
	return id
}
