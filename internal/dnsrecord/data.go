// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// canonical returns one member of data in the form in which it is compared: int64,
// float64 or string.
func (f *field) canonical(v any) (any, *problem) {
	switch f.kind {
	case kindInteger, kindDecimal, kindLength:
		return f.number(v)
	}
	s, ok := v.(string)
	if !ok {
		return nil, &problem{fmt.Sprint(v), "is not a text", "write it as a text"}
	}
	switch f.kind {
	case kindWord:
		return f.word(s)
	case kindProperty:
		return f.property(s)
	case kindText:
		return f.text(s)
	case kindQuotable:
		return f.text(unquoted(s))
	case kindHex:
		return orNil(hexText(s))
	case kindBase64:
		return orNil(base64Text(s))
	case kindHost:
		return orNil(targetOrRoot(s))
	case kindDottedHost:
		return orNil(dottedTarget(s))
	default: // kindParams
		return orNil(svcParams(s))
	}
}

func orNil(s string, p *problem) (any, *problem) {
	if p != nil {
		return nil, p
	}
	return s, nil
}

func (f *field) number(v any) (any, *problem) {
	n, ok := toNumber(v)
	if s, isText := v.(string); isText && !ok && f.mnemonic != nil {
		var m uint16
		m, ok = f.mnemonic(strings.ToUpper(strings.TrimSpace(s)))
		n = float64(m)
	}
	if f.scale != 0 {
		n = math.Round(n*f.scale) / f.scale
	}
	switch {
	case !ok:
		return nil, &problem{fmt.Sprint(v), "is not a number", f.allowed()}
	case n < f.min || n > f.max:
		return nil, &problem{fmt.Sprint(v), "is out of range", f.allowed()}
	case f.kind == kindLength:
		return carriedLength(n), nil
	case f.kind == kindDecimal:
		return n + 0, nil // + 0 turns -0 into 0
	case n != math.Trunc(n):
		return nil, &problem{fmt.Sprint(v), "is not a whole number", f.allowed()}
	}
	return int64(n), nil
}

func (f *field) allowed() string {
	what := "number"
	if f.kind == kindInteger {
		what = "whole number"
	}
	return fmt.Sprintf("use a %s from %s to %s", what, strconv.FormatFloat(f.min, 'f', -1, 64), strconv.FormatFloat(f.max, 'f', -1, 64))
}

func (f *field) word(s string) (any, *problem) {
	upper := strings.ToUpper(strings.TrimSpace(s))
	if !slices.Contains(f.words, upper) {
		return nil, &problem{s, "is not known", "use " + strings.Join(f.words, " or ")}
	}
	return upper, nil
}

// property returns a CAA property name in lower case. It has letters and digits, and is
// compared case-insensitively (RFC 8659 section 4.1).
func (f *field) property(s string) (any, *problem) {
	lower := strings.ToLower(strings.TrimSpace(s))
	for i := range len(lower) {
		if c := lower[i]; !isDigit(c) && (c < 'a' || c > 'z') {
			lower = ""
			break
		}
	}
	if lower == "" {
		return nil, &problem{s, "is not a property name", "use letters and digits only, like issue, issuewild or iodef"}
	}
	return lower, nil
}

// unquoted returns the text inside the quotes of a value that was declared with the
// quotes of presentation format.
func unquoted(s string) string {
	for len(s) > 1 && s[0] == '"' && closingQuote(s) == len(s)-1 {
		inner, ok := unquoteStrings(s)
		if !ok {
			break
		}
		s = inner
	}
	return s
}

func (f *field) text(s string) (any, *problem) {
	switch {
	case len(s) < int(f.min):
		return nil, &problem{s, "is empty", "write its value"}
	case len(s) > int(f.max):
		return nil, &problem{s, fmt.Sprintf("is longer than %.0f bytes", f.max), "shorten it"}
	case !utf8.ValidString(s):
		return nil, &problem{s, "is not UTF-8", "the API takes this type as JSON, which has no other bytes"}
	case strings.ContainsFunc(s, unicode.IsControl):
		return nil, &problem{s, "contains control characters", "remove line breaks, tabs and the like"}
	}
	return s, nil
}

// toNumber accepts every numeric type, json.Number and decimal text.
func toNumber(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, !math.IsNaN(n) && !math.IsInf(n, 0)
	case int64:
		return float64(n), true
	case int:
		return float64(n), true
	case string:
		return parseNumber(n)
	case json.Number:
		return parseNumber(n.String())
	}
	switch r := reflect.ValueOf(v); {
	case !r.IsValid():
		return 0, false
	case r.CanInt():
		return float64(r.Int()), true
	case r.CanUint():
		return float64(r.Uint()), true
	case r.CanFloat():
		return toNumber(r.Float())
	}
	return 0, false
}

func parseNumber(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	for i := range len(s) {
		if !isDigit(s[i]) && !strings.ContainsRune("+-.eE", rune(s[i])) {
			return 0, false
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}

// blame returns the error of a member for its problem. A nil problem means that the
// member is missing.
type blame func(*field, *problem) *FieldError

// validData returns the canonical form of declared data. It returns an error unless every
// member is valid and none is missing.
func (t *rrtype) validData(raw Data, at blame) (Data, error) {
	var errs fieldErrors
	data := make(Data, len(t.fields))
	for i := range t.fields {
		f := &t.fields[i]
		v, ok := raw[f.key]
		switch {
		case ok && v != nil:
			canonical, p := f.canonical(v)
			if p != nil {
				errs.add(at(f, p))
				continue
			}
			data[f.key] = canonical
		case f.fallback != nil:
			data[f.key] = f.fallback
		default:
			errs.add(at(f, nil))
		}
	}
	if err := errs.err(); err != nil {
		return nil, err
	}
	return data, t.checkWhole(data, at)
}

// unknownMembers returns an error for members that a type does not have.
func (t *rrtype) unknownMembers(raw Data) error {
	var errs fieldErrors
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		if t.field(key) == nil {
			names := make([]string, 0, len(t.fields))
			for i := range t.fields {
				names = append(names, camel(t.fields[i].key))
			}
			errs.add(&FieldError{
				Field: "data." + camel(key), Reason: "is not a member of the data of " + t.name,
				Fix: "the members are " + strings.Join(names, ", "),
			})
		}
	}
	return errs.err()
}

func (t *rrtype) field(key string) *field {
	for i := range t.fields {
		if t.fields[i].key == key {
			return &t.fields[i]
		}
	}
	return nil
}

// checkWhole checks what no single member shows: latitudes end at exactly 90 degrees,
// longitudes at exactly 180.
func (t *rrtype) checkWhole(d Data, at blame) error {
	if t.name != "LOC" {
		return nil
	}
	var errs fieldErrors
	for _, half := range [...]string{"lat", "long"} {
		f := t.field(half + "_degrees")
		if d[f.key] == int64(f.max) && (d[half+"_minutes"] != int64(0) || d[half+"_seconds"] != 0.0) {
			errs.add(at(f, &problem{show(d[f.key]), "has minutes or seconds beyond it", "set them to 0 or use fewer degrees"}))
		}
	}
	return errs.err()
}

// carriedLength rounds metres down to a length that LOC can carry: one decimal digit
// times a power of ten of centimetres (RFC 1876 section 2). Two lengths that are the same
// in DNS are then the same here, even if the API keeps more digits.
func carriedLength(metres float64) float64 {
	centimetres := math.Round(metres * 100)
	power := 1.0
	for centimetres >= 10*power {
		power *= 10
	}
	return math.Floor(centimetres/power) * power / 100
}

// camel returns the name in spec.forProvider of an API member: key_tag is keyTag.
func camel(key string) string {
	if !strings.Contains(key, "_") {
		return key
	}
	var b strings.Builder
	for i, part := range strings.Split(key, "_") {
		if i > 0 && part != "" {
			part = strings.ToUpper(part[:1]) + part[1:]
		}
		b.WriteString(part)
	}
	return b.String()
}

// show returns a canonical value as text.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}
