// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// maxQuota and maxWindow bound the limits that are believed of a header.
	maxQuota  = 1_000_000
	maxWindow = 24 * time.Hour
	// longestReset is how long the API's block of a user lasts.
	longestReset = 5 * time.Minute
	// maxDigits is the length of the greatest integer of a structured field
	// (RFC 9651 section 3.3.1).
	maxDigits = 15
	// userPolicy is the name of the limit of a user's requests. Products may have limits beside it.
	userPolicy = "default"
)

// policyOf reads a Ratelimit-Policy header (draft-ietf-httpapi-ratelimit-headers):
//
//	"default";q=1200;w=300
//
// It returns false if there is none that makes sense.
func policyOf(h http.Header) (quota, bool) {
	p := limitOf(h.Values("Ratelimit-Policy"), "q", "w")
	q, w := p["q"], p["w"]
	if q < 1 || q > maxQuota || w < 1 || w > int(maxWindow/time.Second) {
		return quota{}, false
	}
	return quota{q, time.Duration(w) * time.Second}, true
}

// leftOf reads a Ratelimit header: how many requests the user has left, and how long it
// takes until there are more, up to longestReset (0 if the header does not say).
//
//	"default";r=1199;t=1
//
// It returns false if there is none that makes sense.
func leftOf(h http.Header) (left int, reset time.Duration, ok bool) {
	p := limitOf(h.Values("Ratelimit"), "r")
	left, ok = p["r"]
	return left, time.Duration(min(p["t"], int(longestReset/time.Second))) * time.Second, ok
}

// limitOf returns the integer parameters of the user's limit in a list of limits, or of the
// first limit if none has that name. It ignores a limit that lacks one of keys.
func limitOf(lines []string, keys ...string) map[string]int {
	var first map[string]int
	for _, item := range splitField(strings.Join(lines, ","), ',') {
		name, p := parseLimit(item)
		if name == "" || !hasAll(p, keys) {
			continue
		}
		if name == userPolicy {
			return p
		}
		if first == nil {
			first = p
		}
	}
	return first
}

func hasAll(p map[string]int, keys []string) bool {
	for _, k := range keys {
		if _, ok := p[k]; !ok {
			return false
		}
	}
	return true
}

// parseLimit reads a string or token with parameters. The name is "" if item is neither.
// Parameters that are not integers from 0 on are left out.
func parseLimit(item string) (name string, params map[string]int) {
	parts := splitField(item, ';')
	name = strings.TrimSpace(parts[0])
	if n := len(name); strings.HasPrefix(name, `"`) {
		if n < 2 || name[n-1] != '"' {
			return "", nil
		}
		name = name[1 : n-1]
	}
	params = map[string]int{}
	for _, part := range parts[1:] {
		key, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if n, err := strconv.ParseUint(value, 10, 63); err == nil && len(value) <= maxDigits {
			params[key] = int(n)
		}
	}
	return name, params
}

// splitField splits s at each sep outside of quotes. It returns at least one part.
func splitField(s string, sep byte) []string {
	var out []string
	start, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == sep && !quoted:
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	return append(out, s[start:])
}
