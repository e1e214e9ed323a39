// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package export

import "strings"

const (
	// idLength is how much of an ID an object's name has.
	idLength = 8
	// nameLength leaves room for a type and an ID within the 253 characters that the name of
	// an object may have.
	nameLength = 200
)

// objectName is the name of the object of a record: its name, type and the first characters
// of its ID, which tells records of one name and type apart. As an ID never changes,
// neither does the name when other records come or go.
func objectName(fqdn, typ, id string) string {
	return subdomain(fqdn) + "-" + strings.ToLower(typ) + "-" + id[:min(idLength, len(id))]
}

// subdomain is a name as the name of an object may be (RFC 1123): what DNS allows beyond that
// is replaced or left out.
func subdomain(name string) string {
	name = strings.ReplaceAll(strings.ToLower(strings.TrimSuffix(name, ".")), "*", "wildcard")
	var labels []string
	for label := range strings.SplitSeq(name, ".") {
		label = strings.Trim(strings.Map(allowed, label), "-")
		if label == "" {
			label = "x"
		}
		labels = append(labels, label)
	}
	out := strings.Join(labels, ".")
	return strings.TrimRight(out[:min(nameLength, len(out))], "-.")
}

func allowed(r rune) rune {
	if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
		return r
	}
	return '-'
}
