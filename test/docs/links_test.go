// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/page"
)

// TestLinks checks the target and the anchor of every link within the repository.
func TestLinks(t *testing.T) {
	t.Parallel()
	all := map[string]page.Page{}
	for _, p := range pages(t) {
		all[p.Path] = p
	}
	for _, p := range all {
		for _, l := range p.Links {
			if why := follow(all, p, l.Target); why != "" {
				t.Errorf("%s:%d: the link to %s %s", p.Path, l.Line, l.Target, why)
			}
		}
	}
}

// follow returns what is wrong with a link.
func follow(all map[string]page.Page, from page.Page, target string) (why string) {
	if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
		return "" // External pages may disappear, and no test depends on them.
	}
	file, anchor, _ := strings.Cut(target, "#")
	to := from.Path
	if file != "" {
		to = path.Join(path.Dir(from.Path), file)
	}
	if _, err := os.Stat(filepath.Join(root, to)); err != nil {
		return "leads nowhere"
	}
	if anchor == "" {
		return ""
	}
	if p, ok := all[to]; !ok || !p.HasAnchor(anchor) {
		return "names an anchor that is not there"
	}
	return ""
}

func TestFollow(t *testing.T) {
	t.Parallel()
	from := page.Page{Path: "docs/README.md", Headings: []page.Heading{{Anchor: "here"}}}
	all := map[string]page.Page{from.Path: from, "README.md": {Path: "README.md", Headings: []page.Heading{{Anchor: "flags"}}}}
	for target, want := range map[string]string{
		"#here": "", "#there": "names an anchor that is not there", "../README.md#flags": "", "../README.md#no": "names an anchor that is not there",
		"no.md": "leads nowhere", "../examples": "", "https://example.com/x#y": "",
	} {
		if got := follow(all, from, target); got != want {
			t.Errorf("%s: %q, want %q", target, got, want)
		}
	}
}
