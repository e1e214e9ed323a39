// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Variants are the types of a body's members, if a path parameter decides them: by the value of
// that parameter, and by member. They come from the document.
type Variants map[string]map[string]Type

// A Type is what the document allows a value to be.
type Type struct {
	// JSON is "string", "number", "integer", "boolean", "array" or "object".
	JSON string
	// Enum are the values of a string or a number that the document has, as text. The API has
	// more, such as ssl: origin_pull, so other values are accepted.
	Enum []string
	// Min and Max bound a number, as text. "" means no bound. MaxLen bounds the characters of a
	// string. 0 means no bound.
	Min, Max string
	MaxLen   int
	// Default is the initial value of a member of the body, as JSON, "" if the document does not say.
	Default string
	// Elem is the type of an array's elements.
	Elem *Type
	// Members are the members of an object.
	Members map[string]Type
}

// Defaults returns the initial values of the members for a value of the parameter, if the document states them.
func (v Variants) Defaults(of string) Document {
	out := Document{}
	for name, t := range v[of] {
		if first, err := Parse([]byte(t.Default)); err == nil {
			out[name] = first
		}
	}
	return out
}

// Check returns an error that says what is wrong with a declared body and how to correct it. of
// is the value of the parameter that decides the types. Members have the names of the spec. If
// the document does not have that value, everything is allowed: the API may be newer.
func (v Variants) Check(of string, want Document, names map[string]string) error {
	members, ok := v[of]
	if !ok {
		return nil
	}
	var allowed []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		allowed = append(allowed, names[name])
	}
	if len(want) == 0 {
		return fmt.Errorf("spec.forProvider.%s is required unless spec.managementPolicies only observe", strings.Join(allowed, " or "))
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		t, ok := members[name]
		if !ok {
			return fmt.Errorf("spec.forProvider.%s does not apply to %s: set %s instead", names[name], of, strings.Join(allowed, " or "))
		}
		if err := t.check("spec.forProvider."+names[name], of, want[name]); err != nil {
			return err
		}
	}
	return nil
}

// check returns an error if the value at a place is not of the type.
func (t Type) check(at, of string, v any) error {
	if !t.is(v) {
		return fmt.Errorf("%s is %s, but %s takes %s%s", at, given(v), of, t, t.hint(v))
	}
	for i, x := range elements(v) {
		if err := t.Elem.check(fmt.Sprintf("%s[%d]", at, i), of, x); err != nil {
			return err
		}
	}
	o, _ := object(v)
	for _, name := range slices.Sorted(maps.Keys(o)) {
		member, ok := t.Members[name]
		if !ok {
			return fmt.Errorf("%s.%s does not exist: %s takes %s", at, name, of, t)
		}
		if err := member.check(at+"."+name, of, o[name]); err != nil {
			return err
		}
	}
	return nil
}

// is reports whether a value is of the type. It does not check its elements and members, nor Enum.
func (t Type) is(v any) bool {
	switch v := v.(type) {
	case bool:
		return t.JSON == "boolean"
	case string:
		return t.JSON == "string" && (t.MaxLen == 0 || utf8.RuneCountInString(v) <= t.MaxLen)
	case json.Number:
		return t.isNumber(v.String())
	case []any:
		return t.JSON == "array"
	}
	_, ok := object(v)
	return ok && t.JSON == "object"
}

func (t Type) isNumber(text string) bool {
	n := number(text)
	if n == nil || t.JSON != "number" && (t.JSON != "integer" || !n.IsInt()) {
		return false
	}
	low, high := number(t.Min), number(t.Max)
	return (low == nil || n.Cmp(low) >= 0) && (high == nil || n.Cmp(high) <= 0)
}

func elements(v any) []any {
	l, _ := v.([]any)
	return l
}

// given returns a value as text, and only the type of an array or object.
func given(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprintf("the boolean %t", v)
	case string:
		return fmt.Sprintf("the string %q", v)
	case json.Number:
		return "the number " + v.String()
	case []any:
		return "an array"
	}
	return "an object"
}

// hint helps with values that YAML reads in an unexpected way: on and off are booleans, and 1.2 is a number.
func (t Type) hint(v any) string {
	switch v.(type) {
	case bool, json.Number:
		if t.JSON == "string" {
			return "; put it in quotes"
		}
	case string:
		if t.JSON == "number" || t.JSON == "integer" || t.JSON == "boolean" {
			return "; leave out the quotes"
		}
	}
	return ""
}

// String describes the values of the type.
func (t Type) String() string {
	switch {
	case len(t.Enum) > 0:
		return "one of " + strings.Join(t.quoted(), ", ")
	case t.JSON == "object":
		return "an object with " + t.members()
	case t.JSON == "array":
		return "an array, of each element " + t.Elem.String()
	case t.JSON == "integer":
		return "an integer" + t.bounds()
	case t.MaxLen > 0:
		return fmt.Sprintf("a string of at most %d characters", t.MaxLen)
	}
	return "a " + t.JSON + t.bounds()
}

// members returns the members of an object with their types.
func (t Type) members() string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(t.Members)) {
		out = append(out, fmt.Sprintf("%s (%s)", name, t.Members[name]))
	}
	return strings.Join(out, ", ")
}

func (t Type) quoted() []string {
	if t.JSON != "string" {
		return t.Enum
	}
	out := make([]string, len(t.Enum))
	for i, one := range t.Enum {
		out[i] = fmt.Sprintf("%q", one)
	}
	return out
}

func (t Type) bounds() string {
	switch {
	case t.Min != "" && t.Max != "":
		return " from " + t.Min + " to " + t.Max
	case t.Min != "":
		return " of at least " + t.Min
	case t.Max != "":
		return " of at most " + t.Max
	}
	return ""
}
