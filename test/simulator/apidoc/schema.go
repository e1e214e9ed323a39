// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apidoc

import (
	"maps"
	"slices"
)

// A Schema is the part of a schema that the extract keeps.
type Schema struct {
	Ref              string             `json:"ref,omitempty"`
	Type             string             `json:"type,omitempty"`
	Format           string             `json:"format,omitempty"`
	Pattern          string             `json:"pattern,omitempty"`
	Nullable         bool               `json:"nullable,omitempty"`
	Enum             []any              `json:"enum,omitempty"`
	Default          any                `json:"default,omitempty"`
	Minimum          *float64           `json:"minimum,omitempty"`
	Maximum          *float64           `json:"maximum,omitempty"`
	ExclusiveMinimum bool               `json:"exclusiveMinimum,omitempty"`
	ExclusiveMaximum bool               `json:"exclusiveMaximum,omitempty"`
	MinLength        *int               `json:"minLength,omitempty"`
	MaxLength        *int               `json:"maxLength,omitempty"`
	MinItems         *int               `json:"minItems,omitempty"`
	MaxItems         *int               `json:"maxItems,omitempty"`
	UniqueItems      bool               `json:"uniqueItems,omitempty"`
	Items            *Schema            `json:"items,omitempty"`
	Properties       map[string]*Schema `json:"properties,omitempty"`
	Required         []string           `json:"required,omitempty"`
	// Values is the schema of the members of an object that Properties does not name.
	Values *Schema   `json:"values,omitempty"`
	AllOf  []*Schema `json:"allOf,omitempty"`
	AnyOf  []*Schema `json:"anyOf,omitempty"` // With the alternatives of oneOf: the document mixes them up.
	// ReadOnly reports whether the member belongs to the server. The server ignores it
	// in a request.
	ReadOnly bool `json:"readOnly,omitempty"`
	// WriteOnly and Sensitive report whether the server stores a member without
	// returning it.
	WriteOnly bool `json:"writeOnly,omitempty"`
	Sensitive bool `json:"sensitive,omitempty"`
	// Set reports whether the order of an array has no meaning.
	Set bool `json:"set,omitempty"`
	// Computed reports whether the server fills in a member that a request leaves out.
	Computed bool `json:"computed,omitempty"`

	target *Schema // The schema that Ref names.
}

// link resolves the references of s and of the schemas in it.
func (s *Schema) link(all map[string]*Schema) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		s.target = all[s.Ref]
	}
	s.Items.link(all)
	s.Values.link(all)
	for _, p := range s.Properties {
		p.link(all)
	}
	for _, list := range [][]*Schema{s.AllOf, s.AnyOf} {
		for _, p := range list {
			p.link(all)
		}
	}
}

// follow returns the schema that s refers to, or s if it refers to none. If a reference
// has required members of its own, they replace those of its target: the target is the
// schema of a response, which has all members, and the reference is the schema of a
// body.
func (s *Schema) follow() *Schema {
	if s != nil && s.target != nil && s.Required != nil {
		if to := s.target.follow(); to != nil {
			body := *to
			body.Required = s.Required
			return &body
		}
	}
	for range 20 { // Longer than any chain of the document.
		if s == nil || s.target == nil {
			break
		}
		s = s.target
	}
	return s
}

// marked reports whether is holds for s, for a part of its allOf, or for the target of
// its reference.
func (s *Schema) marked(is func(*Schema) bool) bool {
	for range 20 {
		if s == nil {
			return false
		}
		if is(s) || slices.ContainsFunc(s.AllOf, func(p *Schema) bool { return p.marked(is) }) {
			return true
		}
		s = s.target
	}
	return false
}

// IsReadOnly reports whether the member belongs to the server.
func (s *Schema) IsReadOnly() bool { return s.marked(func(s *Schema) bool { return s.ReadOnly }) }

// IsSecret reports whether the member is accepted in requests and never returned.
func (s *Schema) IsSecret() bool {
	return s.marked(func(s *Schema) bool { return s.WriteOnly || s.Sensitive })
}

// IsComputed reports whether the server fills in the member.
func (s *Schema) IsComputed() bool { return s.marked(func(s *Schema) bool { return s.Computed }) }

// IsNullable reports whether the member may be null.
func (s *Schema) IsNullable() bool {
	if s = s.follow(); s == nil || s.Nullable {
		return true
	}
	null := func(p *Schema) bool { return p.IsNullable() }
	if slices.Contains(s.Enum, nil) {
		return true
	}
	if s.Type == "" && len(s.AllOf) > 0 {
		return !slices.ContainsFunc(s.AllOf, func(p *Schema) bool { return !p.IsNullable() })
	}
	return len(s.AnyOf) > 0 && slices.ContainsFunc(s.AnyOf, null)
}

// Standard returns the default of s. ok is false if s has none.
func (s *Schema) Standard() (value any, ok bool) {
	for range 20 {
		if s == nil {
			return nil, false
		}
		if s.Default != nil {
			return s.Default, true
		}
		for _, p := range s.AllOf {
			if value, ok := p.Standard(); ok {
				return value, true
			}
		}
		s = s.target
	}
	return nil, false
}

// Kind returns the JSON type of s, or "" if the schema does not fix one type.
func (s *Schema) Kind() string {
	s = s.follow()
	if s == nil {
		return ""
	}
	if s.Type != "" {
		return s.Type
	}
	if len(s.Properties) > 0 {
		return "object"
	}
	for _, p := range s.AllOf {
		if kind := p.Kind(); kind != "" {
			return kind
		}
	}
	return ""
}

// Elements returns the schema of an array's elements.
func (s *Schema) Elements() *Schema {
	s = s.follow()
	if s == nil {
		return nil
	}
	for _, p := range s.AllOf {
		if s.Items == nil {
			if items := p.Elements(); items != nil {
				return items
			}
		}
	}
	return s.Items
}

// Members returns the members of an object by name. For a union it returns those of the
// alternative that v satisfies. It returns the members of all alternatives if v is nil
// or satisfies none.
func (s *Schema) Members(v any) map[string]*Schema {
	members := map[string]*Schema{}
	s.collect(v, members)
	return members
}

func (s *Schema) collect(v any, into map[string]*Schema) {
	s = s.follow()
	if s == nil {
		return
	}
	for _, p := range s.AllOf {
		p.collect(v, into)
	}
	if v != nil {
		if fit := s.Alternative(v); fit != nil {
			fit.collect(v, into)
		} else {
			v = nil
		}
	}
	if v == nil {
		for _, p := range slices.Backward(s.AnyOf) { // Backward, so that the first alternative wins.
			p.collect(nil, into)
		}
	}
	maps.Copy(into, s.Properties)
}

// Alternative returns the first alternative of a union that v satisfies, or nil.
func (s *Schema) Alternative(v any) *Schema {
	s = s.follow()
	if s == nil {
		return nil
	}
	for _, p := range s.AnyOf {
		if p.Check(v) == nil {
			return p
		}
	}
	return nil
}
