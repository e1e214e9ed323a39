// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/provider-cloudflare/provider-cloudflare/test/page"
)

// wordLimit is the most words of all pages together. Not counted are quotes of the code in
// messagesPage, which TestMessages requires, and names of tests: readers look them up.
const wordLimit = 12529

// idioms are words that readers of English as a second language do not look for in
// technical text, and the word order of other languages that goes with them.
var idioms = regexp.MustCompile(`(?i)\b(anew|told|mend(s|ed|ing)?|bears?|to be had|behind (my|our|its|his|their|your) backs?|of its own accord|` +
	`by and by|as it were|so to speak|for want of|in vain|hence|lest|whereof|thereof|therein|forthwith|the wiser|the worse for|` +
	`under the hood|out of the box|piece of cake|rule of thumb)\b`)

// counted reports whether the words of a page count. Readers look up decisions, lists of
// licences and the pages of kinds, whose tables are generated, and do not read them.
func counted(path string) bool {
	switch {
	case path == "README.md":
		return true
	case strings.HasPrefix(path, "docs/adr/"), strings.HasPrefix(path, "docs/kinds/"), strings.HasPrefix(filepath.Base(path), "licences"):
		return false
	}
	return strings.HasPrefix(path, "docs/") || strings.HasPrefix(path, "examples/") && filepath.Base(path) == "README.md"
}

// wordsIn counts the fields with a letter or a digit, so that the bars of a table do not count.
func wordsIn(text string) int {
	n := 0
	for w := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}

// TestPagesAreShort counts the words outside of fenced blocks. Commands, manifests and their
// output are no prose, and other tests run and compare them.
func TestPagesAreShort(t *testing.T) {
	t.Parallel()
	prose, blocks := 0, 0
	for _, p := range pages(t) {
		if !counted(p.Path) {
			continue
		}
		text := withoutTests(p.Prose)
		if p.Path == messagesPage {
			text = page.WithoutCode(text)
		}
		prose += wordsIn(text)
		for _, b := range p.Blocks {
			blocks += wordsIn(b.Text())
		}
	}
	t.Logf("%d words, and %d in blocks", prose, blocks)
	if prose > wordLimit {
		t.Errorf("the pages have %d words, want %d at most: shorten a page, or say a thing in one place only", prose, wordLimit)
	}
}

// TestPlainEnglish finds idioms in pages, descriptions of fields, messages and comments.
func TestPlainEnglish(t *testing.T) {
	t.Parallel()
	for _, p := range pages(t) {
		for _, found := range idioms.FindAllString(page.WithoutCode(p.Prose), -1) {
			t.Errorf("%s: says %q", p.Path, found)
		}
	}
	crds, err := filepath.Glob(filepath.Join(root, "package", "crds", "*.yaml"))
	if err != nil || len(crds) == 0 {
		t.Fatalf("there are no kinds: %v", err)
	}
	for _, path := range crds {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range idioms.FindAllString(string(raw), -1) {
			t.Errorf("%s: says %q", filepath.Base(path), found)
		}
	}
	said, _ := fromCode(t)
	for _, m := range slices.Concat(said, comments(t)) {
		for _, found := range idioms.FindAllString(m.text, -1) {
			t.Errorf("%s: %q says %q", m.at, m.text, found)
		}
	}
}

// comments returns the comments of all Go files except tests.
func comments(t *testing.T) []message {
	t.Helper()
	var out []message
	for _, dir := range []string{"apis", "cmd", "functions", "hack", "internal", "test"} {
		for _, path := range sourcesBelow(t, filepath.Join(root, dir)) {
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, group := range f.Comments {
				out = append(out, message{files.Position(group.Pos()).String(), group.Text()})
			}
		}
	}
	return out
}

func TestReadable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"a b  c\n": 3, "| a | 1 |\n|---|---|\n": 2, "- `x`: y": 2, "": 0} {
		if got := wordsIn(text); got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
	for path, want := range map[string]bool{
		"README.md": true, "docs/README.md": true, "docs/how-to/adopt.md": true, "examples/composition/bucket/README.md": true,
		"docs/adr/README.md": false, "docs/kinds/record.md": false, "docs/reference/licences-function.md": false, "CONTRIBUTING.md": false,
		"examples/composition/notes.md": false,
	} {
		if got := counted(path); got != want {
			t.Errorf("%s counts: %t, want %t", path, got, want)
		}
	}
	for text, want := range map[string]bool{
		"The provider was told so.": true, "what a token bears": true, "It is to be had.": true, "changed behind our back": true, "It mended the record.": true,
		"The provider reverts the change.": false, "the bearer of a token, untold": false, "recommended": false,
	} {
		if got := idioms.MatchString(text); got != want {
			t.Errorf("%q has an idiom: %t, want %t", text, got, want)
		}
	}
}
