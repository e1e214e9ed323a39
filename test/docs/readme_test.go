// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/provider-cloudflare/provider-cloudflare/test/page"
)

// What a stranger has time and room for.
const (
	readmeColumns     = 120
	readmeWords       = 900
	readmeFirstScreen = 30
)

// TestReadme holds what the README promises a stranger: short, honest, and a manifest at once.
func TestReadme(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	p := readPage(t, "README.md")
	for i, l := range strings.Split(string(raw), "\n") {
		if n := utf8.RuneCountInString(l); n > readmeColumns {
			t.Errorf("line %d has %d columns, want %d at most", i+1, n, readmeColumns)
		}
	}
	if n := len(strings.Fields(string(raw))); n > readmeWords {
		t.Errorf("it has %d words, want %d at most", n, readmeWords)
	}
	first := slices.IndexFunc(p.Blocks, func(b page.Block) bool { return b.Lang() == "yaml" })
	if first < 0 || p.Blocks[first].Line+len(p.Blocks[first].Lines)+1 > readmeFirstScreen {
		t.Errorf("the first manifest does not end within %d lines", readmeFirstScreen)
	}
	maturity := strings.Index(p.Prose, "Alpha, not released yet")
	if maturity < 0 || maturity > strings.Index(p.Prose, "\n## ") || !strings.Contains(p.Prose, "not against a live account") {
		t.Error("its first screen does not say how mature this is")
	}
	for _, picture := range []string{"docs/assets/architecture.svg", "docs/assets/demo.svg", "docs/assets/benchmark-calls.svg"} {
		if !slices.ContainsFunc(p.Links, func(l page.Link) bool { return l.Target == picture }) {
			t.Errorf("it does not show %s", picture)
		}
	}
	if made := makesOf(p); !slices.Equal(made, []string{"demo", "test"}) {
		t.Errorf("its commands are make %v, want demo and test", made)
	}
}
