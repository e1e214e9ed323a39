// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package model_test

import (
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
)

func TestClean(t *testing.T) {
	for _, row := range []struct{ in, want, reason string }{
		{"the name", "The name.", "a sentence begins with a capital and ends"},
		{"Name of it.\n\nMore   of it", "Name of it. More of it.", "one line, because kubectl explain wraps it"},
		{"Uses `x` here", `Uses "x" here.`, "kubectl explain shows backticks as they are"},
		{"See [the docs](/docs/x) for it.", "See the docs for it.", "a relative link leads nowhere"},
		{"An [expression] (https://x.example/y) is used.", "An expression is used.", "a space does not make it another link"},
		{"It is on. (https://x.example/200168236).", "It is on.", "an address alone says nothing"},
		{"<p>One</p><br/>two &amp; three", "One two & three.", "no HTML"},
		{"One. In Terraform, use `y`. Two.", "One. Two.", "what is said about another tool is wrong here"},
		{"+optional would be a marker", "Optional would be a marker.", "controller-gen must not take text for a marker"},
		{"Set it. Use null to reset.", "Set it.", "a manifest has no null"},
		{"* one\n* two", "One two.", "no lists"},
		{"Values:", "Values.", "a colon before nothing"},
		{"", "", "nothing stays nothing"},
	} {
		if got := model.Clean(row.in); got != row.want {
			t.Errorf("%s: Clean(%q) is %q, want %q", row.reason, row.in, got, row.want)
		}
	}
}
