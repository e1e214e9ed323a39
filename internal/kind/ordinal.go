// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"cmp"
	"slices"
	"strings"
)

// ranked returns the list at a path in the order of its elements' ordinals. An element without an ordinal has its
// position, counted from 1.
func (d Description) ranked(general string, list []any) []any {
	name := d.ordinal(general + "[]")
	if name == "" {
		return list
	}
	type rank struct {
		at      float64
		element any
	}
	ranks := make([]rank, 0, len(list))
	for i, e := range list {
		r := rank{at: float64(i + 1), element: e}
		m, _ := object(e)
		if text, ok := scalar(m[name]); ok && number(text) != nil {
			r.at, _ = number(text).Float64()
		}
		ranks = append(ranks, r)
	}
	slices.SortStableFunc(ranks, func(a, b rank) int { return cmp.Compare(a.at, b.at) })
	out := make([]any, 0, len(list))
	for _, r := range ranks {
		out = append(out, r.element)
	}
	return out
}

// ordinal returns the name of the ordinal of the objects at a path, "" if they have none.
func (d Description) ordinal(general string) string {
	for path, f := range d.Fields {
		if name, ok := strings.CutPrefix(path, general+"."); ok && f.Ordinal {
			return name
		}
	}
	return ""
}
