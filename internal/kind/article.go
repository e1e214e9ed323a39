// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"strings"
	"unicode"
)

// WithArticle puts a or an before a word, which must not be empty. An abbreviation is pronounced letter by letter.
func WithArticle(word string) string {
	vowels := "aeioAEIO"
	if abbreviated(word) {
		vowels = "AEFHILMNORSXm"
	}
	if strings.ContainsAny(word[:1], vowels) {
		return "an " + word
	}
	return "a " + word
}

// abbreviated reports whether a word begins with an abbreviation, such as R2Bucket or mTLS.
func abbreviated(word string) bool {
	return len(word) > 1 && (unicode.IsUpper(rune(word[1])) || unicode.IsDigit(rune(word[1])))
}
