// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLinks follows every link that stays in the repository, to its anchor.
func TestLinks(t *testing.T) {
	t.Parallel()
	all := map[string]page{}
	for _, p := range pages(t) {
		all[p.path] = p
	}
	for _, p := range all {
		for _, l := range p.links {
			if why := follow(all, p, l.target); why != "" {
				t.Errorf("%s:%d: the link to %s %s", p.path, l.line, l.target, why)
			}
		}
	}
}

// follow gives what is wrong with a link.
func follow(all map[string]page, from page, target string) (why string) {
	if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
		return "" // Others' pages come and go; no test depends on them.
	}
	file, anchor, _ := strings.Cut(target, "#")
	to := from.path
	if file != "" {
		to = path.Join(path.Dir(from.path), file)
	}
	if _, err := os.Stat(filepath.Join(root, to)); err != nil {
		return "leads nowhere"
	}
	if anchor == "" {
		return ""
	}
	if p, ok := all[to]; !ok || !slices.Contains(p.anchors, anchor) {
		return "names an anchor that is not there"
	}
	return ""
}

func TestFollow(t *testing.T) {
	t.Parallel()
	from := page{path: "docs/README.md", anchors: []string{"here"}}
	all := map[string]page{from.path: from, "README.md": {path: "README.md", anchors: []string{"flags"}}}
	for target, want := range map[string]string{
		"#here": "", "#there": "names an anchor that is not there", "../README.md#flags": "", "../README.md#no": "names an anchor that is not there",
		"no.md": "leads nowhere", "../examples": "", "https://example.com/x#y": "",
	} {
		if got := follow(all, from, target); got != want {
			t.Errorf("%s: %q, want %q", target, got, want)
		}
	}
}
