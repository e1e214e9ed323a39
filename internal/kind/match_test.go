// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPairByKey expects that, if keys are unique, pairing by keys has the same result as the search.
func TestPairByKey(t *testing.T) {
	t.Parallel()
	f := Field{Set: true, Key: "k"}
	d := Description{Fields: map[string]Field{"list": f}}
	rng := rand.New(rand.NewPCG(1, 2))
	elements := func(keyless bool) []any {
		var out []any
		for i := range 6 {
			if rng.IntN(2) == 0 {
				continue
			}
			e := Document{"k": fmt.Sprint("key", i), "v": fmt.Sprint(rng.IntN(2))}
			if keyless && rng.IntN(3) == 0 {
				delete(e, "k")
			}
			out = append(out, e)
		}
		rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		return out
	}
	paired := 0
	for range 2000 {
		short := &match{d: d, general: "list", f: f, want: elements(false), live: elements(true)}
		short.at, short.by = none(len(short.want)), none(len(short.live))
		long := *short
		long.at, long.by = none(len(short.want)), none(len(short.live))
		if !short.pairByKey() {
			t.Fatalf("%v and %v have unique keys", short.want, short.live)
		}
		long.search()
		if !slices.Equal(short.at, long.at) || !slices.Equal(short.by, long.by) {
			t.Fatalf("%v in %v: the keys pair %v, the search %v", short.want, short.live, short.at, long.at)
		}
		long.certain()
		if !slices.Equal(short.at, long.at) {
			t.Fatalf("%v in %v: the search is certain of %v alone, and the keys pair %v", short.want, short.live, long.at, short.at)
		}
		paired += len(short.want) - len(slices.DeleteFunc(slices.Clone(short.at), func(j int) bool { return j != nowhere }))
	}
	if paired < 1000 {
		t.Errorf("%d pairs are too few to show it", paired)
	}
	for reason, lists := range map[string][2][]any{
		"two of one key are declared": {{Document{"k": "a"}, Document{"k": "a"}}, {}},
		"one is declared without":     {{Document{"v": "a"}}, {}},
		"two of one key are live":     {{Document{"k": "a"}}, {Document{"k": "b"}, Document{"k": "b"}}},
	} {
		m := &match{d: d, general: "list", f: f, want: lists[0], live: lists[1], at: none(len(lists[0])), by: none(len(lists[1]))}
		if m.pairByKey() || !slices.Equal(m.at, none(len(lists[0]))) {
			t.Errorf("%s: it pairs %v", reason, m.at)
		}
	}
}
