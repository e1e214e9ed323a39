// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"cmp"
	"slices"
	"strings"
)

// nearest returns the names that are most similar to want, the most similar first. It returns at
// most three, and none that differs in more than half of its length.
func nearest(want string, names []string) []string {
	const most = 3
	type near struct {
		name string
		far  int
	}
	var all []near
	names = slices.Clone(names)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if far := distance(strings.ToLower(want), strings.ToLower(name)); 2*far <= max(len(want), len(name)) {
			all = append(all, near{name, far})
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(a.far, b.far) })
	var out []string
	for _, n := range all[:min(most, len(all))] {
		out = append(out, n.name)
	}
	return out
}

// distance returns how many bytes have to be added, removed or replaced to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
