// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package page

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	t.Parallel()
	text := "# A *page*, [linked](x.md)\n\nSee [b](b.md#c) and `[no](link)`.\n\n```yaml fragment=Record\na: 1\n```\n\n## Twice\n## Twice\n\n" +
		"1. In a list:\n\n   ````text\n   ```\n     not the end\n   ```\n   ````\n"
	p, err := Parse("a.md", text)
	if err != nil {
		t.Fatal(err)
	}
	blocks := []Block{
		{Line: 5, Info: "yaml fragment=Record", Lines: []string{"a: 1"}},
		{Line: 14, Info: "text", Lines: []string{"```", "  not the end", "```"}},
	}
	if diff := cmp.Diff(blocks, p.Blocks); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Heading{{1, 1, "a-page-linked"}, {9, 2, "twice"}, {10, 2, "twice-1"}}, p.Headings); diff != "" {
		t.Errorf("headings (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Link{{1, "x.md"}, {3, "b.md#c"}}, p.Links); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if kind, ok := blocks[0].Word("fragment"); kind != "Record" || !ok {
		t.Errorf("the word fragment says %q, %t", kind, ok)
	}
	if _, err := Parse("a.md", "```text\n"); err == nil {
		t.Error("a block without an end is taken")
	}
	if before := p.Before("none", "twice"); len(before.Blocks) != 1 || len(before.Headings) != 1 || len(p.Before("none").Blocks) != 2 {
		t.Errorf("before the heading there is %+v", before)
	}
}
