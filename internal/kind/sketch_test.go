// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// pairwise returns the candidates of a match by comparing each declared element with each live one.
func pairwise(m *match) [][]int {
	out := make([][]int, len(m.want))
	for i, w := range m.want {
		for j, l := range m.live {
			if m.holds(w, l) {
				out[i] = append(out[i], j)
			}
		}
	}
	return out
}

// TestSketchesHideNoCandidate expects that a comparison by sketches finds the same candidates as a
// comparison of each element with each, and so the same pairs and differences.
func TestSketchesHideNoCandidate(t *testing.T) {
	t.Parallel()
	lower := func(s string) string { return strings.ToLower(s) }
	descriptions := map[string]Description{
		"plain": {Fields: map[string]Field{"list": {Set: true}}},
		"keyed": {Fields: map[string]Field{"list": {Set: true, Key: "k"}}},
		"everything": {Fields: map[string]Field{
			"list": {Set: true, Key: "k"}, "list[].a": {Canonical: lower}, "list[].b": {Default: json.Number("1")}, "list[].c": {KeepZero: true},
			"list[].o": {OneOf: true}, "list[].o.b": {Expanded: "id"}, "list[].d": {WriteOnly: true}, "list[].e": {Answer: "e"}, "list[].l": {Set: true},
		}},
		"one of":   {Fields: map[string]Field{"list": {Set: true}, "list[]": {OneOf: true}}},
		"exact":    {Fields: map[string]Field{"list": {Set: true}, "list[]": {Exact: true}}},
		"expanded": {Fields: map[string]Field{"list": {Set: true}, "list[]": {Expanded: "a"}}},
	}
	for name, d := range descriptions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := &chance{rand.New(rand.NewPCG(1, 2))}
			found, paired := 0, 0
			for range 1000 {
				short := newMatch(d, "list", d.field("list"), g.list(), g.list())
				if g.IntN(2) == 0 { // In half of the rounds, the declared elements are live, too.
					short.live = append(short.live, slices.Clone(short.want)...)
					short.by = none(len(short.live))
				}
				got, want := short.candidates(), pairwise(short)
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("%v in %v: the sketches leave %v, and %v hold", short.want, short.live, got, want)
				}
				for _, all := range want {
					found += len(all)
				}
				long := oldSearch(d, short.want, short.live)
				short.search()
				if !slices.Equal(short.at, long.at) || !slices.Equal(short.by, long.by) {
					t.Fatalf("%v in %v: pairs %v, and pairwise %v", short.want, short.live, short.at, long.at)
				}
				short.certain()
				long.oldCertain()
				if !slices.Equal(short.at, long.at) {
					t.Fatalf("%v in %v: certain are %v, and pairwise %v", short.want, short.live, short.at, long.at)
				}
				paired += len(short.at) - len(slices.DeleteFunc(slices.Clone(short.at), func(j int) bool { return j != nowhere }))
			}
			if found < 500 || paired < 500 {
				t.Errorf("%d candidates and %d pairs are too few to show it", found, paired)
			}
		})
	}
}

// chance makes random values.
type chance struct{ *rand.Rand }

func (g *chance) list() []any {
	var out []any
	for range g.IntN(5) {
		out = append(out, g.element(0))
	}
	return out
}

func (g *chance) element(depth int) any {
	if depth == 0 && g.IntN(4) > 0 || depth > 0 && depth < 3 && g.IntN(5) == 0 {
		out := Document{}
		for _, name := range []string{"a", "b", "c", "d", "e", "k", "o", "l", "id"} {
			if g.IntN(6) == 0 {
				out[name] = g.element(depth + 1)
			}
		}
		return out
	}
	some := []any{nil, "", "x", "X", "1", json.Number("1"), json.Number("1.0"), json.Number("0"), true, false, []any{"x", "1"}, []any{json.Number("1")}, FreeFormMap{"m": "x"}, Document{}}
	return some[g.IntN(len(some))]
}

// pairwiseMatch is a match without sketches.
type pairwiseMatch struct {
	*match

	table [][]bool
}

func oldSearch(d Description, want, live []any) *pairwiseMatch {
	m := &pairwiseMatch{match: newMatch(d, "list", d.field("list"), want, live)}
	for _, w := range want {
		var row []bool
		for _, l := range live {
			row = append(row, m.holds(w, l))
		}
		m.table = append(m.table, row)
	}
	m.oldGreedy(m.oldEqual)
	for i := range m.want {
		if m.at[i] == nowhere {
			m.oldAugment(i, make([]bool, len(m.live)))
		}
	}
	m.oldGreedy(m.oldSameKey)
	return m
}

func (m *pairwiseMatch) oldEqual(i, j int) bool {
	return m.table[i][j] && m.within(m.live[j], m.want[i])
}

func (m *pairwiseMatch) oldSameKey(i, j int) bool {
	key := m.f.keyOf(m.want[i])
	return key != "" && key == m.f.keyOf(m.live[j])
}

func (m *pairwiseMatch) oldGreedy(is func(i, j int) bool) {
	for i := range m.want {
		for j := range m.live {
			if m.at[i] == nowhere && m.by[j] == nowhere && is(i, j) {
				m.pair(i, j)
			}
		}
	}
}

func (m *pairwiseMatch) oldAugment(i int, seen []bool) bool {
	for j := range m.live {
		if !m.table[i][j] || seen[j] {
			continue
		}
		seen[j] = true
		if m.by[j] == nowhere || m.oldAugment(m.by[j], seen) {
			m.pair(i, j)
			return true
		}
	}
	return false
}

func (m *pairwiseMatch) oldCertain() {
	settled := func(i int) bool { return m.at[i] != nowhere && m.oldEqual(i, m.at[i]) }
	taken := func(j int) bool { return m.by[j] != nowhere && m.oldEqual(m.by[j], j) }
	could := func(i, j int) bool { return m.oldSameKey(i, j) || m.table[i][j] }
	var doubtful []int
	for i, j := range m.at {
		if j == nowhere || settled(i) {
			continue
		}
		rivals := false
		for k := range m.live {
			rivals = rivals || k != j && !taken(k) && could(i, k)
		}
		for k := range m.want {
			rivals = rivals || k != i && !settled(k) && could(k, j)
		}
		if rivals {
			doubtful = append(doubtful, i)
		}
	}
	for _, i := range doubtful {
		m.by[m.at[i]], m.at[i] = nowhere, nowhere
	}
}

// addresses returns n rules of a group, each with its own address.
func addresses(n int, host string) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = Document{"email": Document{"email": fmt.Sprintf("person-%d@%s", i, host)}}
	}
	return out
}

// TestSetsAreComparedInLinearTime expects that twenty times the elements take about twenty times the work, and not four
// hundred times, for equal elements and for all different ones. Each comparison of two elements allocates.
func TestSetsAreComparedInLinearTime(t *testing.T) {
	d := Description{Fields: map[string]Field{"include": {Set: true}}}
	work := func(n int, host string) float64 {
		want, live := Document{"include": addresses(n, "example.com")}, Document{"include": addresses(n, host)}
		return testing.AllocsPerRun(1, func() {
			d.Differences(want, live)
			d.UpdateBody(want, live)
		})
	}
	for _, host := range []string{"example.com", "example.net"} {
		small, large := work(500, host), work(10000, host)
		if large > 25*small {
			t.Errorf("live at %s: 500 elements take %.0f allocations, and 10,000 %.0f", host, small, large)
		}
	}
}

func BenchmarkLargeSet(b *testing.B) {
	d := Description{Fields: map[string]Field{"include": {Set: true}}}
	for _, n := range []int{1000, 10000} {
		want, live := Document{"include": addresses(n, "example.com")}, Document{"include": addresses(n, "example.com")}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				d.Differences(want, live)
			}
		})
	}
}
