// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package journal

import "slices"

// keys are the keys of entries.
func keys(entries []Entry) map[entryKey]bool {
	out := make(map[entryKey]bool, len(entries))
	for _, e := range entries {
		out[e.key()] = true
	}
	return out
}

// without gives the entries that are not those of records.
func without(entries []Entry, records []*record) []Entry {
	ended := make(map[entryKey]bool, len(records))
	for _, r := range records {
		ended[r.key()] = true
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return ended[e.key()] })
}

// both gives those of entries that are among others.
func both(entries, others []Entry) []Entry {
	known := keys(others)
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return !known[e.key()] })
}

// holding gives the records that are among entries.
func holding(entries []Entry, records []*record) (out []*record) {
	known := keys(entries)
	for _, r := range records {
		if known[r.key()] {
			out = append(out, r)
		}
	}
	return out
}
