// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// TestEchoesAreNews expects an echo if an answer is neither what was sent nor what was there before.
func TestEchoesAreNews(t *testing.T) {
	d := kind.Description{Fields: map[string]kind.Field{"pool": {Ref: "Pool"}, "pools[]": {Ref: "Pool"}}}
	for _, tc := range []struct {
		reason, want, before, answer string
		echoes                       int
	}{
		{"Cloudflare writes it in another form", `{"a":"x"}`, `{"a":"y"}`, `{"a":"X"}`, 1},
		{"Cloudflare writes a new one in another form", `{"a":"x"}`, `{}`, `{"a":"X"}`, 1},
		{"it was what is declared before, and has another form by now", `{"a":"x"}`, `{"a":"x"}`, `{"a":"X"}`, 1},
		{"the answer is from before the write", `{"a":"x"}`, `{"a":"y"}`, `{"a":"y"}`, 0},
		{"a creation does not know the field", `{"a":"x"}`, `{}`, `{}`, 0},
		{"a field inside is as before", `{"a":{"b":"x"}}`, `{"a":{"b":"y"}}`, `{"a":{"b":"y"}}`, 0},
		{"another element of a list is as before", `{"a":["x","z"]}`, `{"a":["y","z"]}`, `{"a":["y","z"]}`, 0},
		{"an element of a list has another form", `{"a":["x","z"]}`, `{"a":["y","z"]}`, `{"a":["X","z"]}`, 1},
		{"a list has another order", `{"a":["x","y","z"]}`, `{}`, `{"a":["z","y","x"]}`, 0},
		{"a list of objects has another order", `{"a":[{"n":"x"},{"n":"y"}]}`, `{}`, `{"a":[{"n":"y"},{"n":"x"}]}`, 0},
		{"it refers to another resource", `{"pool":"x"}`, `{"pool":"y"}`, `{"pool":"z"}`, 0},
		{"an element refers to another resource", `{"pools":["x"]}`, `{"pools":["y"]}`, `{"pools":["z"]}`, 0},
	} {
		if got := d.Echoes(doc(t, tc.want), doc(t, tc.before), doc(t, tc.answer), nil); len(got) != tc.echoes {
			t.Errorf("%s: got %v, want %d", tc.reason, got, tc.echoes)
		}
	}
}
