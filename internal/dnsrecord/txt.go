// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	maxCharacterString = 255  // bytes of one character-string, RFC 1035 section 3.3
	maxTXTPayload      = 4080 // bytes the API holds in one TXT record: 4,096 of rdata, less a length byte for each 255
)

// txt returns the canonical form of a TXT record's content: its bytes as quoted
// character-strings of 255.
func txt(content string) (string, *problem) {
	payload, p := txtPayload(content)
	if p != nil {
		return "", p
	}
	if len(payload) > maxTXTPayload {
		return "", &problem{content, fmt.Sprintf("holds %d bytes", len(payload)), "one TXT record holds at most 4,080; split it over several records"}
	}
	return quoteStrings(payload), nil
}

// txtPayload returns the bytes of a TXT record, its character-strings joined. The borders
// between these mean nothing to readers of TXT records, and the API does not keep them
// faithfully. Content that begins with a double quote is a row of quoted
// character-strings with the escapes of RFC 1035 section 5.1 (\DDD, \X). Any other
// content is taken literally, with its backslashes and white space.
func txtPayload(content string) (string, *problem) {
	if !strings.HasPrefix(content, `"`) {
		return content, nil
	}
	payload, ok := unquoteStrings(content)
	if !ok {
		return "", &problem{
			content, "begins with a double quote but is not a row of quoted strings",
			`quote all of it and write \" for a double quote and \\ for a backslash inside`,
		}
	}
	return payload, nil
}

// TXTText returns the text in the content of a TXT record: its character-strings, decoded
// and joined. Content that is not well quoted is taken literally.
func TXTText(content string) string {
	text, p := txtPayload(content)
	if p != nil {
		return content
	}
	return text
}

// unquoteStrings decodes and joins `"a" "b"`. Blanks between two strings may be missing.
func unquoteStrings(s string) (string, bool) {
	var b strings.Builder
	b.Grow(len(s))
	for s = strings.TrimLeft(s, " \t\r\n"); s != ""; s = strings.TrimLeft(s, " \t\r\n") {
		if s[0] != '"' {
			return "", false
		}
		end := closingQuote(s)
		if end < 0 || !unescapeTo(&b, s[1:end]) {
			return "", false
		}
		s = s[end+1:]
	}
	return b.String(), true
}

// closingQuote returns the index of the quote that ends the string beginning at s[0], or
// -1.
func closingQuote(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// unescapeTo writes s with \DDD and \X decoded, and reports whether s is well formed.
func unescapeTo(b *strings.Builder, s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch {
		case i == len(s):
			return false
		case !isDigit(s[i]):
			b.WriteByte(s[i])
		case i+2 < len(s) && isDigit(s[i+1]) && isDigit(s[i+2]):
			value, err := strconv.ParseUint(s[i:i+3], 10, 8)
			if err != nil {
				return false
			}
			b.WriteByte(byte(value))
			i += 2
		default:
			return false
		}
	}
	return true
}

// quoteStrings is the reverse of unquoteStrings: it returns quoted strings of at most 255
// bytes.
func quoteStrings(payload string) string {
	var b strings.Builder
	b.Grow(len(payload) + len(payload)/maxCharacterString*3 + 3)
	for {
		n := min(len(payload), maxCharacterString)
		quoteTo(&b, payload[:n])
		if payload = payload[n:]; payload == "" {
			return b.String()
		}
		b.WriteByte(' ')
	}
}

// quote returns s as one quoted string of any length.
func quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	quoteTo(&b, s)
	return b.String()
}

func quoteTo(b *strings.Builder, s string) {
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"', c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ', c > '~':
			b.Write([]byte{'\\', '0' + c/100, '0' + c/10%10, '0' + c%10})
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
