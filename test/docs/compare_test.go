// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"regexp"
	"strings"
	"testing"
)

// anything stands for text of any length, on a line of its own for any lines.
const anything = "..."

// changing is what differs from run to run, and what stands for it. The order
// matters: what is longer comes first.
var changing = []struct {
	what *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?`), "TIME"},
	{regexp.MustCompile(`\b[0-9a-f]{32}\b`), "ID"},
	{regexp.MustCompile(`\b(\d+d)?(\d+h)?(\d+m)?\d+(\.\d+)?s\b|\b(\d+d)?(\d+h)?\d+m\b|\b\d+h\b|\b\d+d\b`), "AGE"},
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "ADDRESS"},
	{regexp.MustCompile(`[ \t]+`), " "},
}

func normal(line string) string {
	for _, c := range changing {
		line = c.what.ReplaceAllString(line, c.as)
	}
	return strings.TrimSpace(line)
}

// alike reports whether output is what a page shows. Lines of the page may leave
// out with "..."; empty lines do not matter.
func alike(shown []string, printed string) bool {
	var want strings.Builder
	want.WriteString(`^`)
	for _, l := range shown {
		switch l = normal(l); l {
		case "":
		case anything:
			want.WriteString(`(?:[^\n]*\n)*?`)
		default:
			parts := strings.Split(l, anything)
			for i := range parts {
				parts[i] = regexp.QuoteMeta(parts[i])
			}
			want.WriteString(strings.Join(parts, `[^\n]*`) + `\n`)
		}
	}
	want.WriteString(`$`)
	var got strings.Builder
	for l := range strings.SplitSeq(printed, "\n") {
		if l = normal(l); l != "" {
			got.WriteString(l + "\n")
		}
	}
	return regexp.MustCompile(want.String()).MatchString(got.String())
}

func TestAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason, shown, printed string
		want                   bool
	}{
		{"the same", "a\nb", "a\nb\n", true},
		{"spaces and empty lines do not matter", "NAME  AGE\n\nx   3s", "NAME   AGE\nx      2m5s\n", true},
		{"IDs may differ", "record 99e252235b0c3894b22ed5fb7f53a1bd", "record 61d58fc998811c8ce70035dbe91e1cb4", true},
		{"words may not", "record a created", "record b created", false},
		{"nor numbers that are no age", "192.0.2.1", "192.0.2.2", false},
		{"lines left out", "a\n...\nd", "a\nb\nc\nd\n", true},
		{"part of a line left out", "spec: ... done", "spec: something else done", true},
		{"a line that is missing", "a\nb", "a\n", false},
		{"a line that was not shown", "a", "a\nb\n", false},
		{"letters of patterns are themselves", "a.c", "abc", false},
	} {
		if got := alike(strings.Split(c.shown, "\n"), c.printed); got != c.want {
			t.Errorf("%s: %t, want %t", c.reason, got, c.want)
		}
	}
}
