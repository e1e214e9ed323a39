// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package page

import (
	"regexp"
	"strings"
)

// anything stands for text of any length, on a line of its own for any lines.
const anything = "..."

// changing is what differs from run to run, and what stands for it. The order
// matters: what is longer comes first.
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

// logged is what client-go logs within a command such as kubectl wait, when a watch ends while the
// command does: it is no output of the command.
var logged = regexp.MustCompile(`^[IWE]\d{4} \d{2}:\d{2}:\d{2}\.\d+ +\d+ reflector\.go:\d+\] `)

// Alike reports whether output is what a page shows. Lines of the page may leave
// out with "..."; empty lines do not matter.
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
