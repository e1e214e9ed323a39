// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"math"
	"slices"
)

// dataRefusals returns the refusals of the fields of the data of a Record.
func dataRefusals() []refusal {
	return slices.Concat(dataNumbers(), dataDecimals(), dataTexts())
}

// inData returns a change of one field of data, in a Record that has data.
func inData(name string, v any) map[string]any {
	return map[string]any{params + ".data." + name: v, params + ".content": nil}
}

func dataRefusal(name, keyword, says string, bad, good any, reason string) refusal {
	return refusal{
		kind: "Record", field: params + ".data." + name, keyword: keyword, says: says, change: inData(name, bad), instead: inData(name, good), reason: reason,
	}
}

// dataNumbers returns the refusals of whole numbers, by the largest value of the wire
// format or the globe.
func dataNumbers() []refusal {
	var out []refusal
	for most, names := range map[int64][]string{
		math.MaxUint8:  {"algorithm", "protocol", "digestType", "usage", "selector", "matchingType"},
		math.MaxUint16: {"type", "keyTag", "priority", "weight", "port", "order", "preference"},
		59:             {"latMinutes", "longMinutes"},
		90:             {"latDegrees"},
		180:            {"longDegrees"},
	} {
		for _, name := range names {
			out = append(out,
				dataRefusal(name, "minimum", "greater than or equal to 0", int64(-1), int64(0), "a negative number"),
				dataRefusal(name, "maximum", fmt.Sprintf("less than or equal to %d", most), most+1, most, "a number that the field does not hold"))
		}
	}
	return out
}

// dataDecimals returns the refusals of texts with a decimal number, and of the flags.
func dataDecimals() []refusal {
	var out []refusal
	for _, f := range []struct {
		name, bounds string
		bad, good    []any
	}{
		{"flags", "0 to 65535, or a string of at most 255 characters", []any{int64(-1), int64(65536), int64(1 << 40), long(256)}, []any{int64(0), int64(65535), "S", long(255)}},
		{"latSeconds", "0 to 59.999", []any{int64(-1), int64(60), int64(1 << 40), "-0.5", "59.9991", "NaN", "half"}, []any{int64(0), int64(59), "0.0", "59.999", "8.5", "0", "8"}},
		{"longSeconds", "0 to 59.999", []any{int64(-1), int64(60), "60.0"}, []any{int64(0), int64(59), "59.999"}},
		{"altitude", "-100000 to 42849672.95", []any{int64(-100001), int64(42849673), int64(1 << 40), "-100000.01", "42849672.96"}, []any{int64(-100000), int64(42849672), int64(-1), "-100000.00", "42849672.95"}},
		{"size", "0 to 90000000", []any{int64(-1), int64(90000001), int64(1 << 40), "90000000.01"}, []any{int64(0), int64(90000000), "0.5", "90000000.00"}},
		{"precisionHorz", "0 to 90000000", []any{int64(-1), int64(90000001)}, []any{int64(0), int64(90000000)}},
		{"precisionVert", "0 to 90000000", []any{int64(-1), "90000000.01"}, []any{int64(0), "90000000"}},
	} {
		for i, bad := range f.bad {
			says := fmt.Sprintf("%s must be a number from %s", f.name, f.bounds)
			if f.name != "flags" {
				says += `, a fraction as a string ("8.5")`
			}
			out = append(out, dataRefusal(f.name, "rule", says, bad, f.good[i], "a number that no record holds, or none"))
		}
	}
	return out
}

// dataTexts returns the refusals of texts that do not fit into the data of a record.
func dataTexts() []refusal {
	const rdata, encoded, characterString = 65535, 131072, 255
	var out []refusal
	for most, names := range map[int][]string{
		characterString: {"tag", "service", "regex"},
		1024:            {"replacement"},
		rdata:           {"value", "target"},
		encoded:         {"certificate", "publicKey", "digest", "fingerprint"},
	} {
		for _, name := range names {
			out = append(out, dataRefusal(name, "maxLength", fmt.Sprint(most), long(most+1), long(most), "a text that fits into no record"))
		}
	}
	for _, name := range []string{"certificate", "publicKey"} {
		out = append(out, dataRefusal(name, "pattern", `[A-Za-z0-9+/=\s]`, "-----BEGIN", "MIIB\nAA==", "base64 has no hyphens"))
	}
	for _, name := range []string{"digest", "fingerprint"} {
		out = append(out, dataRefusal(name, "pattern", `[0-9A-Fa-f\s]`, "12:34", "12 aB\n34", "hexadecimal digits alone"))
	}
	return append(out,
		dataRefusal("tag", "pattern", "[A-Za-z0-9]", "is-sue", "issuewild", "RFC 8659 has letters and digits"),
		dataRefusal("target", "minLength", "at least 1", "", ".", "no name at all"),
		dataRefusal("latDirection", "enum", `"N", "S"`, "E", "S", "a latitude is north or south"),
		dataRefusal("longDirection", "enum", `"E", "W"`, "e", "W", "directions are written in capitals"))
}
