// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apidoc

import (
	"maps"
	"slices"
)

// Fill returns a copy of v with the document's defaults for missing members, also in
// nested objects and in elements of arrays.
func (s *Schema) Fill(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return s.fillObject(v)
	case []any:
		elements := s.Elements()
		filled := make([]any, 0, len(v))
		for _, e := range v {
			filled = append(filled, elements.Fill(e))
		}
		return filled
	}
	return v
}

func (s *Schema) fillObject(v map[string]any) map[string]any {
	filled := maps.Clone(v)
	for name, member := range s.Members(v) {
		given, ok := v[name]
		switch {
		case ok:
			filled[name] = member.Fill(given)
		case member.IsReadOnly():
		default:
			if standard, has := member.Standard(); has {
				filled[name] = Copy(standard)
			} else if computed := member.computed(); len(computed) > 0 {
				filled[name] = computed
			}
		}
	}
	return filled
}

// computed returns the value that the server fills in for an object that a request
// leaves out. For example, the API answers a pool without load_shedding with the
// defaults of its members.
func (s *Schema) computed() map[string]any {
	if !s.IsComputed() || s.Kind() != "object" {
		return nil
	}
	return s.fillObject(map[string]any{})
}

// Copy returns a deep copy of a JSON value.
func Copy(v any) any {
	switch v := v.(type) {
	case map[string]any:
		copied := make(map[string]any, len(v))
		for name, member := range v {
			copied[name] = Copy(member)
		}
		return copied
	case []any:
		copied := make([]any, len(v))
		for i, e := range v {
			copied[i] = Copy(e)
		}
		return copied
	}
	return v
}

// Strip returns a copy of v without its read-only members.
func (s *Schema) Strip(v any) any {
	switch v := v.(type) {
	case map[string]any:
		kept := maps.Clone(v)
		for name, member := range s.Members(v) {
			if member.IsReadOnly() {
				delete(kept, name)
			} else if given, ok := v[name]; ok {
				kept[name] = member.Strip(given)
			}
		}
		return kept
	case []any:
		elements := s.Elements()
		kept := make([]any, 0, len(v))
		for _, e := range v {
			kept = append(kept, elements.Strip(e))
		}
		return kept
	}
	return v
}

// Hide deletes the secret members from v itself. A secret member may be in a request,
// but is in no response. A member is secret if any alternative of the document marks it
// as write-only or sensitive.
func (s *Schema) Hide(v any) {
	s = s.follow()
	if s == nil || v == nil {
		return
	}
	for _, p := range slices.Concat(s.AllOf, s.AnyOf) {
		p.Hide(v)
	}
	switch v := v.(type) {
	case map[string]any:
		for name, member := range s.Properties {
			if member.IsSecret() {
				delete(v, name)
				continue
			}
			member.Hide(v[name])
		}
	case []any:
		for _, e := range v {
			s.Items.Hide(e)
		}
	}
}
