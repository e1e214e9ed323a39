// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// A kind says how a member of data is checked and canonicalised.
type kind int

const (
	integer kind = iota // int64
	decimal             // float64
	word                // one of words
	propertyName
	text
	hexBytes    // Upper case, as the API returns it.
	base64Bytes // Without white space.
	hostName    // Without a trailing dot, or ".".
	dottedName  // A trailing dot is kept.
	svcParams
)

// A member is one member of a structured type's data.
type member struct {
	name     string
	kind     kind
	min, max float64
	words    []string
	required bool // A text that may not be empty.
	fallback any  // The value of a missing member; nil if it is required.
}

func u8(name string) member  { return member{name: name, max: math.MaxUint8} }
func u16(name string) member { return member{name: name, max: math.MaxUint16} }

// canonicalData checks data and returns it in canonical form. It ignores members that
// the type does not have, except those of SRV's former shape, which it refuses.
func (t rrtype) canonicalData(typeName string, data map[string]any) (map[string]any, *Error) {
	if typeName == "SRV" {
		for _, former := range []string{"service", "proto", "name"} {
			if _, ok := data[former]; ok {
				return nil, invalid(CodeDataInvalid, "data.%s is not allowed for SRV records: it is part of the name.", former)
			}
		}
	}
	canonical := make(map[string]any, len(t.members))
	var missing []Cause
	for _, m := range t.members {
		value, ok := data[m.name]
		if !ok || value == nil {
			if m.fallback == nil {
				missing = append(missing, Cause{Code: CodeDataMissing, Message: m.name + " is a required data field."})
			}
			canonical[m.name] = m.fallback
			continue
		}
		c, ok := m.canonical(value)
		if !ok {
			return nil, invalid(CodeDataInvalid, "data.%s is invalid for %s records.", m.name, typeName)
		}
		canonical[m.name] = c
	}
	if len(missing) > 0 {
		return nil, &Error{Status: http.StatusBadRequest, Causes: missing}
	}
	if typeName == "LOC" && !locationExists(canonical) {
		return nil, invalid(CodeDataInvalid, "data is no location.")
	}
	return canonical, nil
}

// locationExists reports whether a location is within the poles and the date line.
func locationExists(d map[string]any) bool {
	for prefix, limit := range map[string]int64{"lat": 90, "long": 180} {
		if d[prefix+"_degrees"] == limit && (d[prefix+"_minutes"] != int64(0) || d[prefix+"_seconds"] != 0.0) {
			return false
		}
	}
	return true
}

func (m member) canonical(value any) (any, bool) {
	if m.kind == integer || m.kind == decimal {
		n, ok := number(value)
		if !ok || n < m.min || n > m.max || (m.kind == integer && n != math.Trunc(n)) {
			return nil, false
		}
		if m.kind == integer {
			return int64(n), true
		}
		return n, true
	}
	s, ok := value.(string)
	if !ok || strings.ContainsAny(s, "\r\n\x00") {
		return nil, false
	}
	return m.canonicalText(s)
}

func (m member) canonicalText(s string) (any, bool) {
	switch m.kind {
	case word:
		return s, slices.Contains(m.words, s)
	case propertyName:
		s = strings.ToLower(s)
		return s, s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
	case hexBytes:
		raw, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
		return strings.ToUpper(hex.EncodeToString(raw)), err == nil && len(raw) > 0
	case base64Bytes:
		s = strings.Join(strings.Fields(s), "")
		raw, err := base64.StdEncoding.DecodeString(s)
		return s, err == nil && len(raw) > 0
	case hostName, dottedName:
		return asAny(m.canonicalHost(s))
	case svcParams:
		return asAny(canonicalParams(s))
	default:
		return s, s != "" || !m.required
	}
}

// canonicalHost returns a canonical target, or "." for the root.
func (m member) canonicalHost(s string) (string, bool) {
	if s == "." {
		return s, true
	}
	target, ok := canonicalTarget(s)
	if m.kind == dottedName && strings.HasSuffix(s, ".") {
		target += "."
	}
	return target, ok
}

func asAny(s string, ok bool) (any, bool) { return s, ok }

// number returns the value of a JSON number, or of the Go numbers that callers of the
// Go API pass.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case json.Number:
		f, err := n.Float64()
		return f, err == nil && !math.IsInf(f, 0)
	case float64:
		return n, !math.IsNaN(n) && !math.IsInf(n, 0)
	case int:
		return float64(n), true
	case int64:
		return float64(n), true
	case uint16:
		return float64(n), true
	}
	return 0, false
}

// metres formats a length. If digits is negative, it prints as many digits as the
// length has.
func metres(v any, digits int) string {
	f, ok := v.(float64)
	if !ok {
		return fmt.Sprint(v)
	}
	return strconv.FormatFloat(f, 'f', digits, 64)
}
