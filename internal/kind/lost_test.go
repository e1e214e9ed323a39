// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// TestLost expects the fields that an update loses if it is built from an older answer.
func TestLost(t *testing.T) {
	merge := kind.Description{ReadOnly: []string{"status"}}
	set := kind.Description{Fields: map[string]kind.Field{"s": {Set: true}, "roles": {Set: true, Expanded: "id", Wrapped: true}}}
	for _, tc := range []struct {
		reason string
		d      kind.Description
		// want is declared. lost are the paths, separated by commas.
		want, known, read, lost string
	}{
		{"it shows the same", merge, `{"name":"ours"}`, `{"name":"a","theirs":{"x":"1"}}`, `{"name":"a","theirs":{"x":"1"}}`, ""},
		{"it shows more", merge, `{"name":"ours"}`, `{"theirs":{}}`, `{"theirs":{"x":"1"}}`, ""},
		{"it lacks what is known", merge, `{"name":"ours"}`, `{"theirs":{"x":"1"},"new":2}`, `{"theirs":{}}`, "new,theirs.x"},
		{"it lacks what is known to be nothing", merge, `{"name":"ours"}`, `{"theirs":null,"flag":false}`, `{}`, ""},
		{"it has another value", merge, `{"name":"ours"}`, `{"theirs":["1","2"]}`, `{"theirs":["1"]}`, "theirs"},
		{"what the object declares differs", merge, `{"name":"ours"}`, `{"name":"a"}`, `{"name":"b"}`, ""},
		{"what only Cloudflare writes differs", merge, `{"name":"ours"}`, `{"status":"a"}`, `{"status":"b"}`, ""},
		{"what is beside the declared differs", merge, `{"o":{"a":1}}`, `{"o":{"a":2,"b":3}}`, `{"o":{"a":2,"b":2}}`, "o.b"},
		{"a set is in another order", set, `{"name":"ours"}`, `{"s":["1","2"]}`, `{"s":["2","1"]}`, ""},
		{"a set lacks one", set, `{"name":"ours"}`, `{"s":["1","2"]}`, `{"s":["1"]}`, "s"},
		{"what is sent as objects is the same", set, `{"name":"ours"}`, `{"roles":[{"id":"a"},{"id":"b"}]}`, `{"roles":[{"id":"b"},{"id":"a"}]}`, ""},
		{"what is sent as objects is not the same", set, `{"name":"ours"}`, `{"roles":[{"id":"a"}]}`, `{"roles":[{"id":"b"}]}`, "roles"},
		{"an update sends what differs alone", kind.Description{Mode: kind.MergePatch}, `{"name":"ours"}`, `{"theirs":"1"}`, `{}`, ""},
		{"it sends no member but that which differs", kind.Description{Mode: kind.DeclaredOnly}, `{"name":"ours"}`, `{"name":"a","theirs":"1"}`, `{"name":"a"}`, ""},
		{"what is declared is right by now", kind.Description{Mode: kind.DeclaredOnly}, `{"name":"ours"}`, `{"name":"a"}`, `{"name":"ours"}`, ""},
		{"it sends the parts of that which differs", kind.Description{Mode: kind.DeclaredOnly}, `{"o":{"a":1}}`, `{"o":{"a":2,"b":3}}`, `{"o":{"a":2}}`, "o.b"},
		{"all that an update sends is declared", kind.Description{Mode: kind.Replace}, `{"name":"ours"}`, `{"theirs":"1"}`, `{}`, ""},
	} {
		var lost []string
		for _, d := range tc.d.Lost(doc(t, tc.want), doc(t, tc.known), doc(t, tc.read)) {
			lost = append(lost, d.Path)
		}
		if got := strings.Join(lost, ","); got != tc.lost {
			t.Errorf("%s: an update loses %q, want %q", tc.reason, got, tc.lost)
		}
	}
}
