// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package journal

import "slices"

// keys returns the keys of entries.
func keys(entries []Entry) map[entryKey]bool {
	out := make(map[entryKey]bool, len(entries))
	for _, e := range entries {
		out[e.key()] = true
	}
	return out
}

// without returns the entries that are not among records.
func without(entries []Entry, records []*record) []Entry {
	ended := make(map[entryKey]bool, len(records))
	for _, r := range records {
		ended[r.key()] = true
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return ended[e.key()] })
}

// both returns the entries that are also among others.
func both(entries, others []Entry) []Entry {
	known := keys(others)
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return !known[e.key()] })
}

// holding returns the records that are among entries.
func holding(entries []Entry, records []*record) (out []*record) {
	known := keys(entries)
	for _, r := range records {
		if known[r.key()] {
			out = append(out, r)
		}
	}
	return out
}
