// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package page

import (
	"regexp"
	"strings"
)

// anything matches text of any length. On a line of its own it matches any number of lines.
const anything = "..."

// changing are the patterns of text that differs between runs, with their replacements. The
// order matters: longer text comes first.
var changing = []struct { //nolint:gochecknoglobals // A constant but for its type.
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

// logged matches a line that client-go logs within a command such as kubectl wait, if a watch
// ends in the meantime. It is no output of the command.
var logged = regexp.MustCompile(`^[IWE]\d{4} \d{2}:\d{2}:\d{2}\.\d+ +\d+ reflector\.go:\d+\] `)

// Alike reports whether output is as a page shows. Lines of the page may omit text with "...".
// Empty lines are ignored.
func Alike(shown []string, printed string) bool {
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
		if logged.MatchString(l) {
			continue
		}
		if l = normal(l); l != "" {
			got.WriteString(l + "\n")
		}
	}
	return regexp.MustCompile(want.String()).MatchString(got.String())
}
