// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package export

import "strings"

const (
	// idLength is how many characters of an ID are in an object's name.
	idLength = 8
	// nameLength leaves room for a type and an ID within the 253 characters of an object's name.
	nameLength = 200
)

// objectName returns the name of the object of a record: the record's name, its type, and the
// first characters of its ID, which tell records with the same name and type apart. An ID never
// changes, so the name stays when other records are added or deleted.
func objectName(fqdn, typ, id string) string {
	return subdomain(fqdn) + "-" + strings.ToLower(typ) + "-" + id[:min(idLength, len(id))]
}

// subdomain returns name in the form of an object's name (RFC 1123). Characters that only DNS
// allows are replaced or left out.
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
