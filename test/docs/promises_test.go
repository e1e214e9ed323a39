// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// limitMark begins an item about something that is not protected.
const limitMark = "**Limit:**"

// promising returns the parts of pages whose items each promise something, or name a limit.
func promising() map[string][]string {
	return map[string][]string{
		"docs/explanation/security.md":                 {"Credentials", "Tenancy", "Threats", "Supply chain"},
		"docs/explanation/security-self-assessment.md": {"Goals", "Security functions and features", "Secure development practices"},
	}
}

var (
	testName   = regexp.MustCompile("`(Test[A-Z][A-Za-z0-9]*(?:/[A-Z][A-Za-z0-9]*)?)`")
	testFunc   = regexp.MustCompile(`(?m)^func (Test[A-Z][A-Za-z0-9]*)\(t \*testing\.T`)
	folderName = regexp.MustCompile("`((?:internal|test|cmd|hack)/[a-z/]+)`")
)

// TestPromisesAreTested checks that each sentence of a promise names an existing test or a
// folder of tests. An item about something that is not protected must begin with limitMark.
func TestPromisesAreTested(t *testing.T) {
	t.Parallel()
	tests := testsOf(t)
	for path, parts := range promising() {
		raw, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			all := promises(string(raw), part)
			if len(all) == 0 {
				t.Errorf("%s: there is no promise in the part %q", path, part)
			}
			for _, promise := range all {
				if !isLimit(promise) && !isTested(promise, tests) {
					t.Errorf("%s: for a sentence no test is named that shows %q, and it does not begin with %s", path, promise, limitMark)
				}
			}
		}
	}
	for _, p := range pages(t) {
		for _, m := range testName.FindAllStringSubmatch(p.Prose, -1) {
			if !slices.Contains(tests, m[1]) {
				t.Errorf("%s: there is no test %s", p.Path, m[1])
			}
		}
	}
}

func isLimit(promise string) bool {
	return strings.HasPrefix(strings.TrimPrefix(promise, "- "), limitMark)
}

// sentenceEnd matches the end of a sentence.
var sentenceEnd = regexp.MustCompile("[.!?](?: |$)")

// isTested reports whether a promise names as many existing tests, or folders with tests, as it
// has sentences.
func isTested(promise string, tests []string) bool {
	shown := map[string]bool{}
	for _, m := range testName.FindAllStringSubmatch(promise, -1) {
		if slices.Contains(tests, m[1]) {
			shown[m[1]] = true
		}
	}
	for _, m := range folderName.FindAllStringSubmatch(promise, -1) {
		if files, err := filepath.Glob(filepath.Join(root, m[1], "*_test.go")); err == nil && len(files) > 0 {
			shown[m[1]] = true
		}
	}
	return len(shown) >= max(1, len(sentenceEnd.FindAllString(promise, -1)))
}

// promises returns the items of lists, the rows of tables below their heads, and the paragraphs
// with words in bold, in a part of a page.
func promises(text, part string) []string {
	text = "\n" + strings.ReplaceAll(text, "\n### ", "\n## ")
	_, text, _ = strings.Cut(text, "\n## "+part+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	var out []string
	add := func(from int, lines []string) int {
		end := from + 1
		for end < len(lines) && lines[end] != "" && !strings.HasPrefix(lines[end], "- ") {
			end++
		}
		out = append(out, strings.Join(lines[from:end], " "))
		return end
	}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		switch line := lines[i]; {
		case strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "**"):
			i = add(i, lines) - 1
		case strings.HasPrefix(line, "| ") && i > 1 && strings.HasPrefix(lines[i-1], "|"):
			out = append(out, line)
		}
	}
	return out
}

func TestPromises(t *testing.T) {
	t.Parallel()
	const text = "# P\n\n## A\n\nSome words.\n\n- one\n  and more\n- two\n\n**three** and\nfour\n\n| a | b |\n|---|---|\n| five | x |\n| six | y |\n\n### B\n\n- seven\n\n## C\n\n- eight\n"
	for _, tc := range []struct {
		reason, part string
		want         []string
	}{
		{"items with their lines, rows below the head, and paragraphs in bold", "A", []string{"- one   and more", "- two", "**three** and four", "| five | x |", "| six | y |"}},
		{"of that part alone", "B", []string{"- seven"}},
		{"another one", "C", []string{"- eight"}},
		{"no such part", "D", nil},
	} {
		if got := promises(text, tc.part); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.reason, got, tc.want)
		}
	}
}

func TestIsLimit(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, promise string
		want            bool
	}{
		{"an item", "- **Limit:** it is not.", true},
		{"a promise, and a limit behind it", "- All is well. **Limit:** it is not.", false},
	} {
		if got := isLimit(tc.promise); got != tc.want {
			t.Errorf("%s: %t", tc.reason, got)
		}
	}
}

func TestIsTested(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, promise string
		want            bool
	}{
		{"a test that exists", "all is well (`TestOne`)", true},
		{"one that does not", "all is well (`TestTwo`)", false},
		{"a folder with tests", "all is well, `test/docs`", true},
		{"a folder without", "all is well, `test/none`", false},
		{"nothing", "all is well", false},
		{"a row of a suite", "all is well (`TestSuite/Row`)", true},
		{"one that there is not", "all is well (`TestSuite/None`)", false},
		{"two sentences, and one test", "All is well. So is 1.5 of it. (`TestOne`)", false},
		{"two sentences, and the same test twice", "All is well. So is the rest. (`TestOne`, `TestOne`)", false},
		{"two sentences, and two tests", "All is well. So is the rest. (`TestOne`, `TestSuite/Row`)", true},
	} {
		if got := isTested(tc.promise, []string{"TestOne", "TestSuite/Row"}); got != tc.want {
			t.Errorf("%s: %t", tc.reason, got)
		}
	}
}

// suiteFile has the rows of TestKinds, which run for each kind.
const suiteFile = "test/kinds/suite_test.go"

var suiteRow = regexp.MustCompile(`(?m)^\t\t\{"([A-Z][A-Za-z0-9]*)", \w+\},$`)

// testsOf returns the names of all tests, and of the rows of TestKinds.
func testsOf(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root:
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		raw, err := os.ReadFile(path)
		for _, m := range testFunc.FindAllStringSubmatch(string(raw), -1) {
			out = append(out, m[1])
		}
		if strings.HasSuffix(filepath.ToSlash(path), suiteFile) {
			for _, m := range suiteRow.FindAllStringSubmatch(string(raw), -1) {
				out = append(out, "TestKinds/"+m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// withoutTests returns a text without the names of tests, which readers look up and do not
// read.
func withoutTests(text string) string { return testName.ReplaceAllString(text, "") }
