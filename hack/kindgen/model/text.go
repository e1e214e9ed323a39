// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"html"
	"regexp"
	"strings"
	"unicode"
)

// Clean turns a text of the document into one line of plain text: without HTML, links,
// and sentences about other tools.
func Clean(s string) string {
	s = html.UnescapeString(s)
	for _, r := range []struct{ pattern, with string }{
		{`(?is)</?[a-z][^<>]*>`, " "},         // HTML
		{`!?\[([^\]]*)\]\s*\([^)]*\)`, "$1"},  // links
		{`\.?\s*\(https?://[^)\s]*\)`, ""},    // addresses alone
		{"\"?`+\"?", `"`},                     // code
		{`\*\*|__`, ""},                       // bold
		{`(?m)^\s*(?:[*•-]|#+|\d+\.)\s+`, ""}, // lists, headings
		{`\s+`, " "},
		{`(?i)^used for configuring ([a-z0-9_]+)`, "A filter of notifications where alertType is $1"},
		{`(?i)\buse null [^.]*\.( |$)`, ""},
		{`\s+([.,;:])(\s|$)`, "$1$2"},
	} {
		s = regexp.MustCompile(r.pattern).ReplaceAllString(s, r.with)
	}
	s = strings.TrimSpace(without(s, "Terraform"))
	s = strings.TrimLeft(s, "+ ")
	if !strings.ContainsFunc(s, unicode.IsLetter) {
		return ""
	}
	if first := s[:1]; first != strings.ToUpper(first) {
		s = strings.ToUpper(first) + s[1:]
	}
	if !strings.ContainsAny(s[len(s)-1:], ".!?:)") || strings.HasSuffix(s, ":") {
		s = strings.TrimRight(s, ":") + "."
	}
	return s
}

// without removes the sentences that contain a word.
func without(s, word string) string {
	if !strings.Contains(s, word) {
		return s
	}
	var kept []string
	for _, sentence := range strings.SplitAfter(s, ". ") {
		if !strings.Contains(sentence, word) {
			kept = append(kept, sentence)
		}
	}
	return strings.Join(kept, "")
}

// Text returns the description of a field for readers.
func (n *Node) Text() string {
	s := Clean(n.Doc)
	if n.Field.Exact {
		s = strings.TrimSpace(s + " What it leaves out is removed.")
	}
	if len(n.Only) > 0 && len(n.Only) <= 6 {
		s += " Only where " + n.OnlyBy + " is " + enumerate(n.Only) + "."
	}
	return s
}

func enumerate(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
