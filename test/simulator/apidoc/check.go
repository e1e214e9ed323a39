// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apidoc

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"
)

// A Problem is a place in a body that the document does not allow.
type Problem struct {
	// Path is the path of the member, with dots between names. It is "" for the body
	// itself.
	Path string
	// Reason describes the problem without the value, because the value may be a
	// secret.
	Reason string
}

func (p *Problem) String() string {
	if p.Path == "" {
		return p.Reason
	}
	return p.Path + " " + p.Reason
}

func (p *Problem) below(name string) *Problem {
	if p == nil {
		return nil
	}
	path := name
	if p.Path != "" {
		path += "." + p.Path
	}
	return &Problem{Path: path, Reason: p.Reason}
}

func problem(format string, args ...any) *Problem {
	return &Problem{Reason: fmt.Sprintf(format, args...)}
}

// Check returns the first problem of a value in a request, or nil. Members that the
// document does not know are allowed. Read-only members are not checked.
func (s *Schema) Check(v any) *Problem { return s.check(v, true) }

// CheckPart is Check for a request that merges: members may be missing.
func (s *Schema) CheckPart(v any) *Problem { return s.check(v, false) }

func (s *Schema) check(v any, whole bool) *Problem {
	if s = s.follow(); s == nil {
		return nil
	}
	if v == nil {
		if s.IsNullable() {
			return nil
		}
		return problem("must not be null")
	}
	for _, p := range s.AllOf {
		if wrong := p.check(v, whole); wrong != nil {
			return wrong
		}
	}
	if wrong := s.checkUnion(v, whole); wrong != nil {
		return wrong
	}
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(e any) bool { return Equal(e, v) }) {
		return problem("must be one of the documented values")
	}
	return s.checkKind(v, whole)
}

// checkUnion requires that one alternative fits. If there is only one alternative, it
// returns the problem of that alternative.
func (s *Schema) checkUnion(v any, whole bool) *Problem {
	var first *Problem
	for _, p := range s.AnyOf {
		wrong := p.check(v, whole)
		if wrong == nil {
			return nil
		}
		if first == nil {
			first = wrong
		}
	}
	if len(s.AnyOf) > 1 {
		return problem("fits none of the %d documented forms", len(s.AnyOf))
	}
	return first
}

func (s *Schema) checkKind(v any, whole bool) *Problem {
	kind := s.Type
	if kind == "" && len(s.Properties) > 0 {
		kind = "object"
	}
	switch kind {
	case "object":
		return s.checkObject(v, whole)
	case "array":
		return s.checkArray(v, whole)
	case "string":
		return s.checkText(v)
	case "integer", "number":
		return s.checkNumber(v)
	case "boolean":
		if _, ok := v.(bool); !ok {
			return problem("must be a boolean")
		}
	}
	return nil
}

func (s *Schema) checkObject(v any, whole bool) *Problem {
	object, ok := v.(map[string]any)
	if !ok {
		return problem("must be an object")
	}
	for _, name := range s.Required {
		if _, given := object[name]; whole && !given && !s.Properties[name].IsReadOnly() {
			return (&Problem{Reason: "is required"}).below(name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		member, known := s.Properties[name]
		switch {
		case known && member.IsReadOnly():
		case known:
			// A merge replaces a nested object as a whole.
			if wrong := member.check(object[name], true); wrong != nil {
				return wrong.below(name)
			}
		case s.Values != nil:
			if wrong := s.Values.check(object[name], true); wrong != nil {
				return wrong.below(name)
			}
		}
	}
	return nil
}

func (s *Schema) checkArray(v any, _ bool) *Problem {
	list, ok := v.([]any)
	switch {
	case !ok:
		return problem("must be an array")
	case s.MinItems != nil && len(list) < *s.MinItems:
		return problem("must have %d elements or more", *s.MinItems)
	case s.MaxItems != nil && len(list) > *s.MaxItems:
		return problem("must have %d elements or fewer", *s.MaxItems)
	}
	for i, element := range list {
		if wrong := s.Items.check(element, true); wrong != nil {
			return wrong.below(fmt.Sprint(i))
		}
		if s.UniqueItems && slices.ContainsFunc(list[:i], func(e any) bool { return Equal(e, element) }) {
			return problem("must not have an element twice")
		}
	}
	return nil
}

func (s *Schema) checkText(v any) *Problem {
	text, ok := v.(string)
	n := utf8.RuneCountInString(text)
	switch {
	case !ok:
		return problem("must be a string")
	case s.MinLength != nil && n < *s.MinLength:
		return problem("must have %d characters or more", *s.MinLength)
	case s.MaxLength != nil && n > *s.MaxLength:
		return problem("must have %d characters or fewer", *s.MaxLength)
	case s.Format == "date-time":
		if _, err := time.Parse(time.RFC3339Nano, text); err != nil {
			return problem("must be a time of RFC 3339")
		}
	case s.Format == "uuid" && !uuidForm().MatchString(text):
		return problem("must be a UUID")
	case s.Pattern != "":
		form, err := regexp.Compile(s.Pattern)
		if err == nil && !form.MatchString(text) { // A pattern of another dialect cannot be checked.
			return problem("must match %s", s.Pattern)
		}
	}
	return nil
}

func uuidForm() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
}

func (s *Schema) checkNumber(v any) *Problem {
	n, ok := Number(v)
	switch {
	case !ok:
		return problem("must be a number")
	case s.Type == "integer" && n != math.Trunc(n):
		return problem("must be a whole number")
	case s.Minimum != nil && (n < *s.Minimum || s.ExclusiveMinimum && n == *s.Minimum):
		return problem("must not be below %v", *s.Minimum)
	case s.Maximum != nil && (n > *s.Maximum || s.ExclusiveMaximum && n == *s.Maximum):
		return problem("must not be above %v", *s.Maximum)
	}
	return nil
}

// Number returns the value of a JSON number, in each of the forms that decoders
// produce.
func Number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int:
		return float64(n), true
	case json.Number:
		f, err := n.Float64()
		return f, err == nil
	}
	return 0, false
}

// Equal reports whether two JSON values are equal. It compares numbers by value.
func Equal(a, b any) bool {
	if x, ok := Number(a); ok {
		y, ok := Number(b)
		return ok && x == y
	}
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, Equal)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Equal)
	}
	return reflect.DeepEqual(a, b)
}
