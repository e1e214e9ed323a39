// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import "slices"

// nowhere is the position of a declared element that has no live one.
const nowhere = -1

// A match says which live element stands for each declared element of a list.
type match struct {
	d       Description
	general string
	f       Field
	want    []any
	live    []any
	// exact are the paths of the description's exact objects.
	exact []string
	// at has the position of the live element for each declared one, or nowhere. by has the
	// position of the declared element for each live one, or nowhere.
	at, by []int
	// holding has, for each declared element, the live elements in which nothing of it differs. held
	// has the declared elements for each live one. They are empty if the elements are paired by
	// position or by key.
	holding, held [][]int
	// unique is true if each declared element has its own key, and so has each live element with a key.
	unique bool
}

func newMatch(d Description, general string, f Field, want, live []any) *match {
	return &match{d: d, general: general, f: f, want: want, live: live, exact: d.exacts(), at: none(len(want)), by: none(len(live))}
}

// matching pairs the elements of a set. It pairs equal elements first, then as many as possible
// of those in which nothing declared differs, and last those with the same key.
func matching(d Description, general string, f Field, want, live []any) *match {
	m := newMatch(d, general, f, want, live)
	if m.pairByKey() {
		return m
	}
	m.search()
	return m
}

// pairByKey pairs the elements by their keys if these are unique. The result is that of search, without comparing
// each pair of elements. It returns false, and pairs nothing, if the keys are not unique.
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

// search pairs equal elements first, then those in which nothing declared differs, then those with the same key.
func (m *match) search() {
	m.holding = m.candidates()
	m.held = make([][]int, len(m.live))
	for i, all := range m.holding {
		for _, j := range all {
			m.held[j] = append(m.held[j], i)
		}
	}
	// If each of the two is the only candidate of the other, it does not matter whether they are equal.
	m.greedy(m.holding, func(i, j int) bool {
		return len(m.holding[i]) == 1 && len(m.held[j]) == 1 || m.within(m.live[j], m.want[i])
	})
	seen := none(len(m.live))
	for i := range m.want {
		if m.at[i] == nowhere {
			m.augment(i, i, seen)
		}
	}
	m.greedy(m.alike(m.want, m.live), func(int, int) bool { return true })
}

// none returns a list of n times nowhere.
func none(n int) []int { return slices.Repeat([]int{nowhere}, n) }

// alike returns, for each of some elements, the positions of those of others that have the same key, in their order.
func (m *match) alike(some, others []any) [][]int {
	out := make([][]int, len(some))
	if m.f.Key == "" {
		return out
	}
	by := make(map[string][]int, len(others))
	for j, l := range others {
		key := m.f.keyOf(l)
		by[key] = append(by[key], j)
	}
	for i, w := range some {
		if key := m.f.keyOf(w); key != "" {
			out[i] = by[key]
		}
	}
	return out
}

// holds reports whether nothing that w declares differs in l, and w has no key or the same as l.
func (m *match) holds(w, l any) bool {
	key := m.f.keyOf(w)
	return (key == "" || key == m.f.keyOf(l)) && m.within(w, l)
}

// within reports whether nothing that w declares differs in l.
func (m *match) within(w, l any) bool {
	c := comparison{d: m.d, exact: m.exact}
	c.value("", m.general+"[]", w, l)
	return len(c.out) == 0
}

// greedy pairs each unpaired element with the first of its unpaired candidates for which is returns true.
func (m *match) greedy(may [][]int, is func(i, j int) bool) {
	for i := range m.want {
		for _, j := range may[i] {
			if m.at[i] == nowhere && m.by[j] == nowhere && is(i, j) {
				m.pair(i, j)
			}
		}
	}
}

func (m *match) pair(i, j int) { m.at[i], m.by[j] = j, i }

// augment finds a live element for the declared one at i. Declared elements that are paired already
// may move to another candidate of theirs. Elements that it has visited are marked with the round.
func (m *match) augment(i, round int, seen []int) bool {
	for _, j := range m.holding[i] {
		if seen[j] == round {
			continue
		}
		seen[j] = round
		if m.by[j] == nowhere || m.augment(m.by[j], round, seen) {
			m.pair(i, j)
			return true
		}
	}
	return false
}

// whole reports whether all elements have a pair in which nothing declared differs.
func (m *match) whole() bool {
	for i, j := range m.at {
		if j == nowhere || !m.within(m.want[i], m.live[j]) {
			return false
		}
	}
	return len(m.want) == len(m.live)
}

// elements returns the live element for each declared one, nil if there is none, and the live elements that are left.
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
	m := newMatch(d, general, f, want, live)
	for i := range min(len(want), len(live)) {
		m.pair(i, i)
	}
	return m
}

// certain removes the pairs that are not certain: pairs of elements that are not equal, and of
// which one could have another partner.
func (m *match) certain() {
	if m.unique {
		return // No other element has that key.
	}
	r := m.rivalry()
	var doubtful []int
	for i, j := range m.at {
		if j != nowhere && !r.equal[i] && r.rivals(i, j) {
			doubtful = append(doubtful, i)
		}
	}
	for _, i := range doubtful {
		m.by[m.at[i]], m.at[i] = nowhere, nowhere
	}
}

// A rivalry says which elements could have another partner.
type rivalry struct {
	*match

	// equal is true for each declared element that equals its live partner.
	equal []bool
	// keyed has, for each declared element, the live elements with its key. keyedBy has the
	// declared ones for each live element.
	keyed, keyedBy [][]int
}

func (m *match) rivalry() rivalry {
	r := rivalry{match: m, equal: make([]bool, len(m.want)), keyed: m.alike(m.want, m.live), keyedBy: m.alike(m.live, m.want)}
	for i, j := range m.at {
		r.equal[i] = j != nowhere && m.holds(m.want[i], m.live[j]) && m.within(m.live[j], m.want[i])
	}
	return r
}

// rivals reports whether the declared element at i could have another live partner than that at j, or
// the live one another declared partner, by their keys or by all that is declared. Elements with an
// equal partner are no rivals.
func (r rivalry) rivals(i, j int) bool {
	otherLive := func(k int) bool { return k != j && (r.by[k] == nowhere || !r.equal[r.by[k]]) }
	otherWant := func(k int) bool { return k != i && !r.equal[k] }
	return slices.ContainsFunc(r.keyed[i], otherLive) || slices.ContainsFunc(r.holding[i], otherLive) ||
		slices.ContainsFunc(r.keyedBy[j], otherWant) || slices.ContainsFunc(r.held[j], otherWant)
}
