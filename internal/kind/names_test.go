// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

func TestOf(t *testing.T) {
	type choice struct {
		Everyone *struct{} `wire:"everyone"`
		Email    *string   `wire:"email"`
	}
	type login struct {
		Scheme   *string `wire:"scheme"`
		User     *string `by:"scheme"          wire:"user"`
		Password *string `wire:"password,secret"`
		Other    *string `by:"type"            wire:"other"`
	}
	type spec struct {
		Account *string          `wire:"account_id,path"`
		Type    *string          `by:"type"     wire:"type"`
		Login   *login           `wire:"login"`
		Logins  []login          `wire:"logins"`
		By      map[string]login `wire:"by_name"`
		Include []choice         `oneof:"true"  wire:"include"`
		One     *choice          `oneof:"true"  wire:"one"`
		Pin     *string          `wire:"pin,secret"`
		None    *login
	}
	d := kind.Description{Fields: map[string]kind.Field{"include": {Set: true}, "pin": {WriteOnly: true}}}
	want := map[string]kind.Field{
		"include": {Set: true}, "include[]": {OneOf: true}, "one": {OneOf: true},
		"pin":   {WriteOnly: true, Concealed: true},
		"login": {By: "login.scheme"}, "login.password": {Concealed: true},
		"logins[]": {By: "logins[].scheme"}, "logins[].password": {Concealed: true},
		"by_name{}": {By: "by_name{}.scheme"}, "by_name{}.password": {Concealed: true},
	}
	if diff := cmp.Diff(want, d.Of(&spec{}).Fields, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Canonical" }, cmp.Ignore())); diff != "" {
		t.Errorf("Of(...): -want, +got:\n%s", diff)
	}
	if len(d.Fields) != 2 {
		t.Errorf("Of(...) changed the description that it was given: %v", d.Fields)
	}
}
