// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"maps"
	"slices"
	"strings"
)

// Key returns the identity of a record. To the API, two records with the same Key are
// one.
func (r Record) Key() Key {
	k := Key{Name: r.Name, Type: r.Type}
	t, known := lookup(r.Type)
	switch {
	case known && t.structured() && r.Data != nil:
		k.Rdata = t.render(r.fullData(), "", true)
	case known:
		k.Rdata = r.Presentation()
	default:
		k.Rdata = literalKey(r)
	}
	return k
}

// literalKey returns all rdata of a record whose type is not known.
func literalKey(r Record) string {
	var b strings.Builder
	b.WriteString(r.Content)
	for _, key := range slices.Sorted(maps.Keys(r.Data)) {
		b.WriteString("\n" + key + "=" + show(r.Data[key]))
	}
	return b.String()
}

// fullData returns the data, with the priority as a member if the type has one.
func (r Record) fullData() Data {
	if r.Priority == nil {
		return r.Data
	}
	data := maps.Clone(r.Data)
	data["priority"] = int64(*r.Priority)
	return data
}
