// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// minSecret is the length from which on a secret is in no text by chance. A shorter one is taken out where it is a word.
	minSecret = 8
	// minWord is the length from which on a word is a secret rather than one of the text. A shorter one is taken out where it
	// is quoted, or the whole text.
	minWord = 3

	mask = "[redacted]"
)

// without returns s without a secret that the API repeats in it.
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

// standsAlone reports whether a short secret of that length is one by what stands before and after it.
func standsAlone(before, after string, length int) bool {
	if before == "" && after == "" {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	if length < minWord {
		return isQuote(last) && isQuote(first)
	}
	return !isPartOfWord(last) && !isPartOfWord(first)
}

// isQuote reports whether r begins or ends what is quoted. A backslash is before a quote within a quote.
func isQuote(r rune) bool { return strings.ContainsRune("\"'`\\", r) }

func isPartOfWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-'
}
