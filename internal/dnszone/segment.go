// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"cmp"
	"slices"
)

// A segment is the writes that one call is to carry out: a group, or a part of one that was refused.
type segment struct {
	execution *execution
	writes    []*pendingWrite
	// tenants are the tenants of the writes, each once.
	tenants []string
	// whole is the refused segment that this is a part of, nil for a group. before is the first part if this is the
	// second.
	whole, before *segment
	// faulty is true once a refusal showed that one of the writes is at fault. large is true once a refusal may be
	// for the number of writes.
	faulty, large bool
	// open is how many parts are not finished. refused is how many writes were refused.
	open, refused int
	finished      bool
}

func newSegment(f *execution, ws []*pendingWrite) *segment {
	s := &segment{execution: f, writes: ws}
	seen := map[string]struct{}{}
	for _, w := range ws {
		if _, ok := seen[w.tenant]; !ok {
			seen[w.tenant] = struct{}{}
			s.tenants = append(s.tenants, w.tenant)
		}
	}
	return s
}

func (s *segment) has(tenant string) bool { return slices.Contains(s.tenants, tenant) }

// faultyForCertain reports whether one of the writes is at fault because one of the whole is and none of the first
// part is. Such writes need not be tried together.
func (s *segment) faultyForCertain() bool {
	return s.before != nil && s.whole.faulty && s.before.finished && s.before.refused == 0
}

// split returns the two parts of ws, which are the writes of s that wait for an outcome. faulty is true if one of
// them is at fault.
func (s *segment) split(ws []*pendingWrite, faulty bool) []*segment {
	s.faulty, s.open = faulty, 2
	ws, at := halve(ws)
	first, second := newSegment(s.execution, ws[:at]), newSegment(s.execution, ws[at:])
	first.whole, second.whole, second.before = s, s, first
	return []*segment{first, second}
}

// halve returns the writes in the order in which they are tried, and the index at which the second part begins. The
// writes of a tenant stay together as long as there are writes of other tenants, so that no tenant waits until the
// fault of another one is found.
func halve(ws []*pendingWrite) (ordered []*pendingWrite, at int) {
	half := (len(ws) + 1) / 2
	ordered = slices.SortedStableFunc(slices.Values(ws), func(a, b *pendingWrite) int { return cmp.Compare(a.tenant, b.tenant) })
	for d := range ordered {
		for _, at := range []int{half - d, half + d} {
			if 0 < at && at < len(ordered) && ordered[at-1].tenant != ordered[at].tenant {
				return ordered, at
			}
		}
	}
	return ordered, half
}

// finish notes that all writes have their outcomes. refused is how many of these are refusals.
func (s *segment) finish(refused int) {
	s.finished, s.refused = true, refused
	if s.large && refused == 0 {
		s.execution.writer.tooMany()
	}
	if s.whole == nil {
		return
	}
	s.whole.refused += refused
	s.whole.open--
	if s.whole.open == 0 {
		s.whole.finish(s.whole.refused)
	}
}

// turns keeps the order in which the tenants that share a zone had their last calls. The zero value is ready.
type turns struct {
	calls int
	// last is the number of the last call of each tenant.
	last map[string]int
}

// next returns the tenant whose last call is longest ago, the first of several, and false if there are no tenants.
func (t *turns) next(tenants []string) (string, bool) {
	if len(tenants) == 0 {
		return "", false
	}
	return slices.MinFunc(tenants, func(a, b string) int { return cmp.Compare(t.last[a], t.last[b]) }), true
}

// had notes a call for tenants.
func (t *turns) had(tenants []string) {
	if t.last == nil {
		t.last = map[string]int{}
	}
	t.calls++
	for _, tenant := range tenants {
		t.last[tenant] = t.calls
	}
}
