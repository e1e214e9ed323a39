// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apidoc

import (
	"math"
	"slices"
)

// part returns the first schema that satisfies has: s, a part of its allOf, or the
// target of its reference. It returns nil if none does.
func (s *Schema) part(has func(*Schema) bool) *Schema {
	for range 20 {
		if s == nil {
			return nil
		}
		if has(s) {
			return s
		}
		for _, p := range s.AllOf {
			if found := p.part(has); found != nil {
				return found
			}
		}
		s = s.target
	}
	return nil
}

// Choices returns the values of an enumeration, or nil if s has no enumeration.
func (s *Schema) Choices() []any {
	if p := s.part(func(s *Schema) bool { return len(s.Enum) > 0 }); p != nil {
		return p.Enum
	}
	return nil
}

// Lengths returns the bounds of a string, in characters.
func (s *Schema) Lengths() (least, most int) {
	most = math.MaxInt
	if p := s.part(func(s *Schema) bool { return s.MinLength != nil }); p != nil {
		least = *p.MinLength
	}
	if p := s.part(func(s *Schema) bool { return s.MaxLength != nil }); p != nil {
		most = *p.MaxLength
	}
	return least, most
}

// Range returns the bounds of a number.
func (s *Schema) Range() (least, most float64) {
	least, most = math.Inf(-1), math.Inf(1)
	if p := s.part(func(s *Schema) bool { return s.Minimum != nil }); p != nil {
		least = *p.Minimum
	}
	if p := s.part(func(s *Schema) bool { return s.Maximum != nil }); p != nil {
		most = *p.Maximum
	}
	return least, most
}

// Shaped reports whether a string must have a format or match a pattern.
func (s *Schema) Shaped() bool {
	return s.part(func(s *Schema) bool { return s.Format != "" || s.Pattern != "" }) != nil
}

// Needs returns the names of the members that an object must have.
func (s *Schema) Needs() []string {
	s = s.follow()
	if s == nil {
		return nil
	}
	needed := slices.Clone(s.Required)
	for _, p := range s.AllOf {
		needed = append(needed, p.Needs()...)
	}
	return needed
}
