// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

func TestUnmet(t *testing.T) {
	d := kind.Description{Fields: map[string]kind.Field{
		"rules[].when":      {By: "rules[].when.type", Needs: map[string]string{"Age": "maxAge", "Date": "date"}},
		"rules[].when.type": {Required: true},
	}}
	lacks := func(member, value string) *kind.RequiredMemberError {
		return &kind.RequiredMemberError{Object: "rules[].when", Member: member, By: "type", Value: value}
	}
	for _, tc := range []struct {
		reason, want string
		unmet        *kind.RequiredMemberError
	}{
		{"nothing is declared", `{}`, nil},
		{"each has what it needs", `{"rules":[{"when":{"type":"Age","maxAge":1}},{"when":{"type":"Date","date":"x"}}]}`, nil},
		{"an age that is missing", `{"rules":[{"when":{"type":"Age"}}]}`, lacks("maxAge", "Age")},
		{"the second lacks its date", `{"rules":[{"when":{"type":"Age","maxAge":1}},{"when":{"type":"Date","maxAge":1}}]}`, lacks("date", "Date")},
		{"a type that needs nothing", `{"rules":[{"when":{"type":"Never"}}]}`, nil},
		{"a rule without a condition", `{"rules":[{}]}`, nil},
	} {
		parsed, err := kind.Parse([]byte(tc.want))
		if err != nil {
			t.Fatal(err)
		}
		doc, _ := parsed.(kind.Document)
		var got *kind.RequiredMemberError
		errors.As(d.Unmet(doc), &got)
		if diff := cmp.Diff(tc.unmet, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}
