// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// patched returns a kind with maps of variables, and an object with members that the document requires.
func patched() kind.Description {
	return kind.Description{Mode: kind.MergePatch, ReadOnly: []string{"id", "s.old"}, Fields: map[string]kind.Field{
		"s": {Whole: true}, "c.secret": {Concealed: true}, "e": {Clear: "none"}, "l": {Set: true, Key: "n"},
		"m{}": {By: "m{}.type"}, "m{}.value": {PlainToo: []string{"plain"}},
	}}
}

// variables adds a map with the user's names to the declared document.
func variables(t *testing.T, want, vars string) kind.Document {
	t.Helper()
	out := doc(t, want)
	if vars != "" {
		out["m"] = kind.FreeFormMap(doc(t, vars))
	}
	return out
}

func TestMergePatch(t *testing.T) {
	tests := []struct {
		reason, want, vars, live, body string
	}{
		{"trap 28: nothing differs, nothing is sent", `{"a":1,"o":{"b":2,"p":{"c":3}}}`, `{"X":{"type":"plain","value":"v"}}`, `{"a":1,"o":{"b":2,"d":4,"p":{"c":3}},"m":{"X":{"type":"plain","value":"v"}}}`, `{}`},
		{"only what differs, at any depth", `{"a":1,"o":{"b":2,"p":{"c":3,"d":4}}}`, ``, `{"a":1,"o":{"b":2,"p":{"c":9,"d":4,"e":5}}}`, `{"o":{"p":{"c":3}}}`},
		{"an object that is not there", `{"o":{"b":2,"c":""}}`, ``, `{"o":null}`, `{"o":{"b":2}}`},
		{"a name that differs is sent as a whole", `{}`, `{"X":{"type":"plain","value":"v"}}`, `{"m":{"X":{"type":"plain","value":"w"}}}`, `{"m":{"X":{"type":"plain","value":"v"}}}`},
		{"a name that nobody declares is removed", `{}`, `{"X":{"type":"plain","value":"v"}}`, `{"m":{"X":{"type":"plain","value":"v"},"Y":{"type":"secret"},"Z":null}}`, `{"m":{"Y":null}}`},
		{"the last name goes", `{}`, `{}`, `{"m":{"X":{"type":"plain","value":"v"}}}`, `{"m":{"X":null}}`},
		{"names of a map that nobody declares stay", `{"a":1}`, ``, `{"a":1,"m":{"X":{"type":"plain","value":"v"}}}`, `{}`},
		{"an empty object in a map", `{}`, `{"X":{}}`, `{"m":null}`, `{"m":{"X":{}}}`},
		{"a secret is sent", `{}`, `{"X":{"type":"secret","value":"v"}}`, `{"m":{"X":{"type":"secret","value":"****"}}}`, `{"m":{"X":{"type":"secret","value":"v"}}}`},
		{"a concealed value is sent", `{"c":{"secret":"x","b":1}}`, ``, `{"c":{"secret":"***","b":1}}`, `{"c":{"secret":"x"}}`},
		{"an object of which members are required", `{"s":{"o":{"b":1}}}`, ``, `{"s":{"type":"t","old":true,"o":{"b":2,"c":3}}}`, `{"s":{"o":{"b":1,"c":3},"type":"t"}}`},
		{"that object where nothing differs", `{"s":{"o":{"b":1}}}`, ``, `{"s":{"type":"t","o":{"b":1}}}`, `{}`},
		{"what has to be sent to empty a field", `{"e":""}`, ``, `{"e":"x"}`, `{"e":"none"}`},
		{"what is empty already", `{"e":""}`, ``, `{}`, `{}`},
		{"the last element goes", `{"l":[]}`, ``, `{"l":[{"n":"a"}]}`, `{"l":[]}`},
		{"a list is sent as a whole, with what nobody declares", `{"l":[{"n":"b","v":1},{"n":"a"}]}`, ``, `{"l":[{"n":"a","x":1},{"n":"b","v":2,"y":1}]}`, `{"l":[{"n":"b","v":1,"y":1},{"n":"a","x":1}]}`},
	}
	for _, tc := range tests {
		got := written(t, patched().UpdateBody(variables(t, tc.want, tc.vars), doc(t, tc.live)))
		if diff := cmp.Diff(tc.body, got); diff != "" {
			t.Errorf("%s: UpdateBody(...): -want, +got:\n%s", tc.reason, diff)
		}
	}
}

func TestUnpatch(t *testing.T) {
	tests := []struct {
		reason, at, body string
		differs          []kind.Difference
		left             string
	}{
		{"nothing else is to be sent", "o.m{X}.value", `{"o":{"m":{"X":{"type":"secret","value":"v"}}}}`, nil, `{}`},
		{"another name is", "o.m{X}.value", `{"o":{"m":{"X":{"value":"v"},"Y":null}}}`, []kind.Difference{{Path: "o.m{Y}"}}, `{"o":{"m":{"Y":null}}}`},
		{"something beside it differs", "o.m{X}.value", `{"o":{"m":{"X":{"value":"v"}}}}`, []kind.Difference{{Path: "o.m{X}.type"}}, `{"o":{"m":{"X":{"value":"v"}}}}`},
		{"it is not there any more", "o.m{X}.value", `{"o":{"m":{"X":{"value":"v"}}}}`, []kind.Difference{{Path: "o.m{X}"}}, `{"o":{"m":{"X":{"value":"v"}}}}`},
		{"a name that begins alike differs", "o.m{X}.value", `{"o":{"m":{"X":{"value":"v"}}}}`, []kind.Difference{{Path: "o.m{X2}"}}, `{}`},
		{"a secret in no map", "c.secret", `{"a":1,"c":{"secret":"v"}}`, nil, `{"a":1}`},
		{"a secret with something beside it", "c.secret", `{"c":{"b":1,"secret":"v"}}`, nil, `{"c":{"b":1}}`},
	}
	for _, tc := range tests {
		body := doc(t, tc.body)
		kind.Unpatch(body, tc.at, tc.differs)
		if diff := cmp.Diff(tc.left, written(t, body)); diff != "" {
			t.Errorf("%s: Unpatch(...): -want, +got:\n%s", tc.reason, diff)
		}
	}
}

// TestSecretOfAVariantIsNotDeclared expects that what an answer has in the place of a secret is not declared.
func TestSecretOfAVariantIsNotDeclared(t *testing.T) {
	got := patched().Declared(doc(t, `{"m":{"X":{"type":"secret","value":"****"},"Y":{"type":"plain","value":"v"}}}`))
	if diff := cmp.Diff(`{"m":{"X":{"type":"secret"},"Y":{"type":"plain","value":"v"}}}`, written(t, got)); diff != "" {
		t.Errorf("Declared(...): -want, +got:\n%s", diff)
	}
}
