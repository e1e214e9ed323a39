// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"slices"
	"strings"
)

// idLength is the length of an ID of an account, a zone or a record.
const idLength = 32

// A requestLog has the latest requests, oldest first, with an index by token and by the IDs
// in their paths. Tests ask repeatedly for the requests that concern them.
type requestLog struct {
	entries []LoggedRequest
	// dropped is the number of entries that were dropped before the first one.
	dropped int
	// index has the numbers of entries by key, counted from the first entry that ever was.
	index map[string][]int
}

// add appends an entry. If the log is full, the oldest tenth is dropped.
func (l *requestLog) add(entry LoggedRequest, limit int) {
	if len(l.entries) >= limit {
		l.drop(1 + limit/10)
	}
	for _, key := range keysOf(&entry) {
		if l.index == nil {
			l.index = map[string][]int{}
		}
		l.index[key] = append(l.index[key], l.dropped+len(l.entries))
	}
	l.entries = append(l.entries, entry)
	if old := len(l.entries) - 1 - bodiesKept; old >= 0 {
		l.entries[old].RequestBody, l.entries[old].ResponseBody = "", ""
	}
}

// drop removes the oldest n entries.
func (l *requestLog) drop(n int) {
	l.entries = slices.Delete(l.entries, 0, n)
	l.dropped += n
	for key, numbers := range l.index {
		kept, _ := slices.BinarySearch(numbers, l.dropped)
		if kept == len(numbers) {
			delete(l.index, key)
			continue
		}
		l.index[key] = slices.Clone(numbers[kept:])
	}
}

// with returns the entries that have a key.
func (l *requestLog) with(key string) []LoggedRequest {
	out := make([]LoggedRequest, 0, len(l.index[key]))
	for _, n := range l.index[key] {
		out = append(out, l.entries[n-l.dropped])
	}
	return out
}

// keysOf returns the token's fingerprint and the IDs in the path, each once.
func keysOf(entry *LoggedRequest) []string {
	var out []string
	if entry.TokenFingerprint != "" {
		out = append(out, entry.TokenFingerprint)
	}
	for part := range strings.SplitSeq(entry.Path, "/") {
		if len(part) == idLength && !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	return out
}

// RequestsWith returns the logged requests with a token, oldest first.
func (s *Server) RequestsWith(token string) []LoggedRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.with(fingerprint(token))
}

// RequestsAbout returns the logged requests whose path has an ID of 32 characters, such as
// that of a zone, oldest first.
func (s *Server) RequestsAbout(id string) []LoggedRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.with(id)
}
