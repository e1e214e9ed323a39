// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package page

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWalkthroughs(t *testing.T) {
	t.Parallel()
	text := "# A\n\n## Walkthroughs\n\nText with [a link](x.md).\n\n| you are | read |\n|---|---|\n" +
		"| a pilot | [one](tutorials/install.md), then [two](../examples/two) |\n\n## Other\n\n| a | b | [c](c.md) |\n"
	got, err := Walkthroughs(text)
	want := []Walkthrough{{"a pilot", []string{NeedsCrossplane, "examples/two/README.md"}}}
	if err != nil || cmp.Diff(want, got) != "" {
		t.Fatalf("%v %s", err, cmp.Diff(want, got))
	}
	if !got[0].WithCrossplane() {
		t.Error("it begins with the page that installs Crossplane, and does not need Crossplane")
	}
	if _, err := Walkthroughs("# A\n"); err == nil {
		t.Error("a page without the section is taken")
	}
}
