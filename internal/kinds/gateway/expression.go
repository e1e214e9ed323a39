// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package gateway

import "strings"

// canonicalExpression returns a wirefilter expression with one space between words, and none beside
// brackets and commas. The API formats expressions before it stores them, as the official documentation of
// traffic, identity and device_posture says. Quoted text stays as it is.
func canonicalExpression(expression string) string {
	var out strings.Builder
	var last string
	for word := range words(expression) {
		if last != "" && !isBracket(last) && !isBracket(word) {
			out.WriteByte(' ')
		}
		out.WriteString(word)
		last = word
	}
	return out.String()
}

func isBracket(word string) bool { return len(word) == 1 && strings.ContainsAny(word, "()[]{},") }

// words returns the brackets, commas and quoted texts, and the words between them and spaces.
func words(expression string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for rest := strings.TrimSpace(expression); rest != ""; rest = strings.TrimSpace(rest) {
			n := wordLength(rest)
			if !yield(rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// wordLength returns the length of the first word, in bytes.
func wordLength(text string) int {
	if isBracket(text[:1]) {
		return 1
	}
	if text[0] != '"' {
		if i := strings.IndexAny(text, " \t\r\n()[]{},\""); i > 0 {
			return i
		}
		return len(text)
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
