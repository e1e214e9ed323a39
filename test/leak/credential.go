// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package leak

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
)

// broken matches the places of values in JSON that does not parse.
var broken = regexp.MustCompile(`:\s*"([^"]*)`)

// AddCredential adds the secrets in the value of a Secret's key, valid or not.
func (s *Secrets) AddCredential(value string) {
	value = strings.TrimSpace(value)
	if u, err := url.Parse(value); err == nil && u.Host != "" {
		return // a URL is no secret, and may be in the output
	}
	if !strings.HasPrefix(value, "{") {
		for _, part := range strings.FieldsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' }) {
			if len(part) >= 12 { // not a word of a value that is no token
				s.Add(part)
			}
		}
		return
	}
	var v struct{ APIToken, APIKey, Email any }
	if json.Unmarshal([]byte(value), &v) != nil {
		for _, m := range broken.FindAllStringSubmatch(value, -1) {
			s.Add(m[1])
		}
		return
	}
	for _, part := range []any{v.APIToken, v.APIKey} {
		if text, ok := part.(string); ok {
			s.Add(text)
		}
	}
	if text, ok := v.Email.(string); ok {
		s.AddWhole(text)
	}
}
