// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"strings"
)

const (
	maxCharacterString = 255  // Bytes; RFC 1035 section 3.3.
	maxTXTRdata        = 4096 // Bytes, with a length byte for each character-string.
	maxTXTCombined     = 8192 // Characters of all TXT records of one name.
)

// A txtContent is the content of a TXT record, and the form in which it was sent.
type txtContent struct {
	sent    string   // The content as it was sent, if it had no quotes.
	strings []string // The decoded character-strings; longer than 255 bytes only if they were sent so.
	quoted  bool
}

// parseTXT decodes content. Content with a leading quote is a row of character-strings
// in the form of RFC 1035 section 5.1. Other content is the text itself.
func parseTXT(content string) (txtContent, *Error) {
	if !strings.HasPrefix(content, `"`) {
		if strings.TrimSpace(content) == "" {
			return txtContent{}, invalid(CodeContent, "Content for TXT record is invalid.")
		}
		content = strings.TrimSpace(content)
		return checkTXT(txtContent{sent: content, strings: []string{content}})
	}
	t := txtContent{quoted: true}
	rest := content
	for rest != "" {
		text, tail, ok := cutCharacterString(rest)
		if !ok {
			return txtContent{}, invalid(CodeContent, "Content for TXT record is invalid: unbalanced quotes.")
		}
		t.strings = append(t.strings, text)
		rest = strings.TrimLeft(tail, " \t")
	}
	return checkTXT(t)
}

func checkTXT(t txtContent) (txtContent, *Error) {
	payload := len(t.payload())
	if payload+(payload+maxCharacterString-1)/maxCharacterString > maxTXTRdata {
		return txtContent{}, invalid(CodeTXTTooLong, "Record content exceeds the allowed length of 4096 wire format bytes.")
	}
	return t, nil
}

// cutCharacterString decodes the quoted string at the beginning of s.
func cutCharacterString(s string) (text, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", "", false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), s[i+1:], true
		case '\\':
			c, n := unescape(s[i+1:])
			if n == 0 {
				return "", "", false
			}
			b.WriteByte(c)
			i += n
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", false
}

// unescape decodes the bytes after a backslash, and returns their number in n. n is 0
// if they are invalid.
func unescape(s string) (c byte, n int) {
	if s == "" {
		return 0, 0
	}
	if s[0] < '0' || s[0] > '9' {
		return s[0], 1
	}
	if len(s) < 3 {
		return 0, 0
	}
	value := 0
	for i := range 3 {
		if s[i] < '0' || s[i] > '9' {
			return 0, 0
		}
		value = value*10 + int(s[i]-'0')
	}
	if value > 255 {
		return 0, 0
	}
	return byte(value), 3
}

// payload returns the identity of a TXT record: its strings joined.
func (t txtContent) payload() string { return strings.Join(t.strings, "") }

// render returns the content as the API returns it. Quoted content keeps its strings,
// and a string longer than 255 bytes is split. Other content is returned as it was
// sent. If quoteAll is set, all content is one text, split into quoted strings.
func (t txtContent) render(quoteAll bool) string {
	if !t.quoted && !quoteAll {
		return t.sent
	}
	pieces := t.strings
	if quoteAll {
		pieces = []string{t.payload()}
	}
	var out []string
	for _, piece := range pieces {
		for len(piece) > maxCharacterString {
			out = append(out, quote(piece[:maxCharacterString]))
			piece = piece[maxCharacterString:]
		}
		out = append(out, quote(piece))
	}
	return strings.Join(out, " ")
}

// quote returns bytes as one quoted string of RFC 1035 section 5.1.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < 0x20 || c > 0x7e:
			b.Write([]byte{'\\', '0' + c/100, '0' + c/10%10, '0' + c%10})
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
