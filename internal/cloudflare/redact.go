// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// minSecret is the length from which a secret is in no text by chance. A shorter one is redacted only if it stands
	// alone as a word.
	minSecret = 8
	// minWord is the length from which a word of a text that equals a secret is taken for the secret. A shorter one is
	// redacted only if it is quoted, or is the whole text.
	minWord = 3

	mask = "[redacted]"
)

// Escapes, as Go, JSON and URLs write them. Each stands for a character before or after a word, such as a line end, an
// equals sign or a quote.
var (
	endsWithEscape  = regexp.MustCompile(`(?:\\(?:[abefnrtv0/"'\\]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})|%[0-9A-Fa-f]{2})$`)
	endsWithQuote   = regexp.MustCompile(`(?:\\(?:x|u00|U0{6})|%)(?:22|27|60)$`)
	beginsWithQuote = regexp.MustCompile(`^%(?:22|27|60)`)
)

// longestEscape is the length of the longest escape.
const longestEscape = len(`\U00000022`)

// without returns s with mask in the place of a secret that the API repeats in it.
func without(s, secret string) string {
	if len(secret) >= minSecret {
		return strings.ReplaceAll(s, secret, mask)
	}
	if secret == "" {
		return s
	}
	var out strings.Builder
	done := 0
	for from := 0; ; {
		i := strings.Index(s[from:], secret)
		if i < 0 {
			break
		}
		start, end := from+i, from+i+len(secret)
		from = start + 1
		if standsAlone(s[:start], s[end:], len(secret)) {
			out.WriteString(s[done:start] + mask)
			done, from = end, end
		}
	}
	return out.String() + s[done:]
}

// standsAlone reports whether a short secret of that length is the secret and no part of the text, by
// what is before and after it.
func standsAlone(before, after string, length int) bool {
	if before == "" && after == "" {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	escape := before[max(0, len(before)-longestEscape):]
	if length < minWord {
		return (isQuote(last) || endsWithQuote.MatchString(escape)) && (isQuote(first) || beginsWithQuote.MatchString(after))
	}
	return (!isPartOfWord(last) || endsWithEscape.MatchString(escape)) && !isPartOfWord(first)
}

// isQuote reports whether r begins or ends a quotation. A backslash precedes a quote in a quoted text.
func isQuote(r rune) bool { return strings.ContainsRune("\"'`\\", r) }

func isPartOfWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-'
}
