// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// root is the repository's, from here.
const root = "../.."

// A page is a file of Markdown.
type page struct {
	path    string // from the repository's root
	blocks  []block
	anchors []string
	links   []link
	prose   string // what is outside fenced blocks
}

// A block is fenced.
type block struct {
	line  int    // of the fence
	info  string // behind the fence
	lines []string
}

func (b block) text() string { return strings.Join(b.lines, "\n") + "\n" }

func (b block) lang() string { return firstWord(b.info) }

func firstWord(s string) string {
	w, _, _ := strings.Cut(s, " ")
	return w
}

// word reports whether the block's info string has a word, and what it says behind "=".
func (b block) word(name string) (value string, ok bool) {
	for _, w := range strings.Fields(b.info)[min(1, len(strings.Fields(b.info))):] {
		if key, value, _ := strings.Cut(w, "="); key == name {
			return value, true
		}
	}
	return "", false
}

// A link is written on a line.
type link struct {
	line   int
	target string
}

var (
	fence      = regexp.MustCompile("^( *)(```+|~~~+) *(.*)$")
	heading    = regexp.MustCompile(`^#{1,6} +(.*?) *#*$`)
	inlineLink = regexp.MustCompile(`\]\(([^()\s]+(?:\([^()]*\))?[^()\s]*)\)`)
	inlineCode = regexp.MustCompile("`[^`]*`")
	linkedText = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

func parsePage(path, text string) (page, error) {
	p := page{path: path}
	var open *block
	var indent, marker string
	var prose []string
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case open != nil && m != nil && strings.HasPrefix(m[2], marker) && m[3] == "":
			p.blocks = append(p.blocks, *open)
			open = nil
		case open != nil:
			open.lines = append(open.lines, strings.TrimPrefix(line, indent))
		case m != nil:
			open, indent, marker = &block{line: i + 1, info: m[3]}, m[1], m[2]
		default:
			prose = append(prose, line)
			p.read(i+1, line)
		}
	}
	if open != nil {
		return p, fmt.Errorf("%s:%d: the block is not closed", path, open.line)
	}
	p.prose = strings.Join(prose, "\n")
	return p, nil
}

// read takes a line outside blocks.
func (p *page) read(n int, line string) {
	if m := heading.FindStringSubmatch(line); m != nil {
		p.addAnchor(anchorOf(m[1]))
	}
	for _, m := range inlineLink.FindAllStringSubmatch(inlineCode.ReplaceAllString(line, ""), -1) {
		p.links = append(p.links, link{n, m[1]})
	}
}

// addAnchor numbers anchors that are there already, as GitHub does.
func (p *page) addAnchor(a string) {
	name := a
	for n := 1; slices.Contains(p.anchors, name); n++ {
		name = fmt.Sprintf("%s-%d", a, n)
	}
	p.anchors = append(p.anchors, name)
}

// anchorOf is what GitHub makes of a heading.
func anchorOf(text string) string {
	text = linkedText.ReplaceAllString(text, "$1")
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}

// pages are those that people read.
func pages(t *testing.T) []page {
	t.Helper()
	var paths []string
	for _, at := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "docs", "examples", "package", "cluster"} {
		err := filepath.WalkDir(filepath.Join(root, at), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && filepath.Ext(path) == ".md" {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var out []page
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := parsePage(filepath.ToSlash(name), string(raw))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

func TestParsePage(t *testing.T) {
	text := "# A *page*, [linked](x.md)\n\nSee [b](b.md#c) and `[no](link)`.\n\n```yaml fragment=Record\na: 1\n```\n\n## Twice\n## Twice\n\n" +
		"1. In a list:\n\n   ````text\n   ```\n     not the end\n   ```\n   ````\n"
	p, err := parsePage("a.md", text)
	if err != nil {
		t.Fatal(err)
	}
	blocks := []block{
		{line: 5, info: "yaml fragment=Record", lines: []string{"a: 1"}},
		{line: 14, info: "text", lines: []string{"```", "  not the end", "```"}},
	}
	if diff := cmp.Diff(blocks, p.blocks, cmp.AllowUnexported(block{})); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a-page-linked", "twice", "twice-1"}, p.anchors); diff != "" {
		t.Errorf("anchors (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]link{{1, "x.md"}, {3, "b.md#c"}}, p.links, cmp.AllowUnexported(link{})); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if kind, ok := blocks[0].word("fragment"); kind != "Record" || !ok {
		t.Errorf("the word fragment says %q, %t", kind, ok)
	}
	if _, err := parsePage("a.md", "```text\n"); err == nil {
		t.Error("a block without an end is taken")
	}
}
