// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import "slices"

// nowhere is the position of a declared element that has no live one.
const nowhere = -1

// A match says which live element stands for each declared one of a list.
type match struct {
	d       Description
	general string
	f       Field
	want    []any
	live    []any
	// at has the position of the live element for each declared one, or nowhere; by the
	// position of the declared element for each live one.
	at, by []int
	// unique is true where each declared element has a key of its own, and each live one that has a key.
	unique bool
}

// matching pairs the elements of a set: those that are equal first, then as many as can be
// of those in which nothing declared differs, and last those with the same key.
func matching(d Description, general string, f Field, want, live []any) *match {
	m := &match{d: d, general: general, f: f, want: want, live: live, at: none(len(want)), by: none(len(live))}
	if m.pairByKey() {
		return m
	}
	m.search()
	return m
}

// pairByKey pairs the elements by their keys where these are unique: it is what search would find, without a look
// at each pair of elements. It reports false, and pairs nothing, where they are not.
func (m *match) pairByKey() bool {
	at := make(map[string]int, len(m.live))
	for j, l := range m.live {
		key := m.f.keyOf(l)
		if _, twice := at[key]; twice && key != "" {
			return false
		}
		at[key] = j
	}
	declared := make(map[string]bool, len(m.want))
	for _, w := range m.want {
		key := m.f.keyOf(w)
		if key == "" || declared[key] {
			return false
		}
		declared[key] = true
	}
	for i, w := range m.want {
		if j, ok := at[m.f.keyOf(w)]; ok {
			m.pair(i, j)
		}
	}
	m.unique = true
	return true
}

// search pairs the elements that are equal, then those in which nothing declared differs, then those of one key.
func (m *match) search() {
	holds := table(m.want, m.live, m.holds)
	m.greedy(func(i, j int) bool { return holds[i][j] && m.within(m.live[j], m.want[i]) })
	for i := range m.want {
		if m.at[i] == nowhere {
			m.augment(i, holds, make([]bool, len(m.live)))
		}
	}
	m.greedy(m.sameKey)
}

// none is a list of n times nowhere.
func none(n int) []int { return slices.Repeat([]int{nowhere}, n) }

// table has what is true of each declared element and each live one.
func table(want, live []any, is func(w, l any) bool) [][]bool {
	out := make([][]bool, len(want))
	for i, w := range want {
		out[i] = make([]bool, len(live))
		for j, l := range live {
			out[i][j] = is(w, l)
		}
	}
	return out
}

// holds reports whether nothing that w declares differs in l, its key in particular.
func (m *match) holds(w, l any) bool {
	key := m.f.keyOf(w)
	return (key == "" || key == m.f.keyOf(l)) && m.within(w, l)
}

// within reports whether nothing that w declares differs in l.
func (m *match) within(w, l any) bool {
	c := comparison{d: m.d}
	c.value("", m.general+"[]", w, l)
	return len(c.out) == 0
}

func (m *match) sameKey(i, j int) bool {
	key := m.f.keyOf(m.want[i])
	return key != "" && key == m.f.keyOf(m.live[j])
}

// greedy pairs what has no pair yet.
func (m *match) greedy(is func(i, j int) bool) {
	for i := range m.want {
		for j := range m.live {
			if m.at[i] == nowhere && m.by[j] == nowhere && is(i, j) {
				m.pair(i, j)
			}
		}
	}
}

func (m *match) pair(i, j int) { m.at[i], m.by[j] = j, i }

// augment finds a live element for the declared one at i, for which others may move to
// another one that they may have.
func (m *match) augment(i int, may [][]bool, seen []bool) bool {
	for j := range m.live {
		if !may[i][j] || seen[j] {
			continue
		}
		seen[j] = true
		if m.by[j] == nowhere || m.augment(m.by[j], may, seen) {
			m.pair(i, j)
			return true
		}
	}
	return false
}

// whole reports whether all elements have a pair, in which nothing declared differs.
func (m *match) whole() bool {
	for i, j := range m.at {
		if j == nowhere || !m.within(m.want[i], m.live[j]) {
			return false
		}
	}
	return len(m.want) == len(m.live)
}

// elements are the live elements by the declared ones, nil where there is none, and rest
// those that nothing declared stands for.
func (m *match) elements() (pairs, rest []any) {
	pairs = make([]any, len(m.want))
	for i, j := range m.at {
		if j != nowhere {
			pairs[i] = m.live[j]
		}
	}
	for j, i := range m.by {
		if i == nowhere {
			rest = append(rest, m.live[j])
		}
	}
	return pairs, rest
}

// inOrder pairs the elements of a list by their positions.
func inOrder(d Description, general string, f Field, want, live []any) *match {
	m := &match{d: d, general: general, f: f, want: want, live: live, at: none(len(want)), by: none(len(live))}
	for i := range min(len(want), len(live)) {
		m.pair(i, i)
	}
	return m
}

// certain takes back the pairs of which it is not certain that they are the same: there
// is another element that it could be as well, and they are not equal.
func (m *match) certain() {
	if m.unique {
		return // No other element has that key.
	}
	var doubtful []int
	for i, j := range m.at {
		if j != nowhere && !m.equal(i, j) && m.rivals(i, j) {
			doubtful = append(doubtful, i)
		}
	}
	for _, i := range doubtful {
		m.by[m.at[i]], m.at[i] = nowhere, nowhere
	}
}

func (m *match) equal(i, j int) bool {
	return m.holds(m.want[i], m.live[j]) && m.within(m.live[j], m.want[i])
}

// rivals reports whether the declared element at i could be another live one than that at
// j, or that one another declared one. Elements that have an equal one are no rivals.
func (m *match) rivals(i, j int) bool {
	for k := range m.live {
		if k != j && !m.taken(k) && m.could(i, k) {
			return true
		}
	}
	for k := range m.want {
		if k != i && !m.settled(k) && m.could(k, j) {
			return true
		}
	}
	return false
}

// could reports whether a declared element may be a live one: by their key, or by all that
// is declared.
func (m *match) could(i, j int) bool {
	return m.sameKey(i, j) || m.holds(m.want[i], m.live[j])
}

func (m *match) settled(i int) bool { return m.at[i] != nowhere && m.equal(i, m.at[i]) }

func (m *match) taken(j int) bool { return m.by[j] != nowhere && m.equal(m.by[j], j) }
