// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// A structs collects the struct types of one kind.
type structs struct {
	kind *model.Kind
	// taken are the names of the package's types.
	taken map[string]bool
	// same maps the fields of a struct to the type that has them, so that equal objects share a
	// type.
	same map[string]string
	// observed is true for the answer, which has no validation and no references.
	observed bool
	// names maps names on the wire to the names that users see.
	names map[string]string
	out   strings.Builder
}

// declare writes the struct of an object and returns its name.
func (s *structs) declare(n *model.Node, name string) string {
	fields := s.fields(n.Members, name)
	key := fmt.Sprint(n.OneOf, s.observed, fields)
	if have := s.same[key]; have != "" {
		return have
	}
	for s.taken[name] {
		name += "Fields"
	}
	s.taken[name], s.same[key] = true, name
	about := "is a part of the spec of " + kind.WithArticle(s.kind.Name)
	if s.observed {
		about = "is a part of what Cloudflare holds of " + kind.WithArticle(s.kind.Name)
	}
	fmt.Fprintf(&s.out, "// %s %s.\n", name, about)
	if n.OneOf && !s.observed {
		fmt.Fprintf(&s.out, "// +kubebuilder:validation:MinProperties=1\n// +kubebuilder:validation:MaxProperties=1\n")
	}
	fmt.Fprintf(&s.out, "type %s struct {\n%s}\n\n", name, fields)
	return name
}

// fields writes the fields of a struct.
func (s *structs) fields(members []*model.Node, owner string) string {
	var b strings.Builder
	for _, m := range members {
		s.field(&b, m, owner)
	}
	return b.String()
}

func (s *structs) field(b *strings.Builder, m *model.Node, owner string) {
	name := jsonName(m)
	wire := m.Name
	if m.Origin != model.Body {
		wire += "," + string(m.Origin)
	}
	if s.observed {
		comment(b, s.brief(m))
		fmt.Fprintf(b, "// +optional\n")
		if m.Type == model.List {
			fmt.Fprintf(b, "// +listType=atomic\n")
		}
		fmt.Fprintf(b, "%s %s `json:%q wire:%q`\n", goName(name), s.goType(m, owner), tag(m, name), wire)
		return
	}
	if m.Secret() {
		name = secretName(m)
		comment(b, s.text(m)+" The value is in a key of a Secret in the namespace of this object.")
		s.presence(b, m)
		immutable(b, m, name)
		fmt.Fprintf(b, "%s *apisv1alpha1.SecretKeyReference `json:%q wire:%q`\n", goName(name), name+",omitempty", wire+",secret")
		return
	}
	s.keyRefs(b, m)
	comment(b, s.text(m))
	ref := model.Ref(s.kind.Description, m)
	if ref != "" {
		fmt.Fprintf(b, "// +optional\n")
	} else {
		s.presence(b, m)
	}
	validations(b, m)
	immutable(b, m, name)
	if m.Immutable && m.Origin == model.Body {
		wire += ",create"
	}
	extra := choice(m)
	if ref != "" {
		extra = fmt.Sprintf(" ref:%q", ref+refNeed(m)) + extra
	}
	fmt.Fprintf(b, "%s %s `json:%q wire:%q%s`\n", goName(name), s.goType(m, owner), tag(m, name), wire, extra)
	if ref != "" {
		references(b, m, name, ref)
	}
}

// inPart reports whether a field is in an object, a list or a map of the spec. A declared part
// needs the fields that the API requires of it, regardless of the policies.
func inPart(m *model.Node) bool { return strings.ContainsAny(m.Path, ".[{") }

// refNeed returns the tag's suffix for a reference that the API requires in a part of the spec.
// At the top level, a rule of the spec requires it.
func refNeed(m *model.Node) string {
	if m.Required && inPart(m) {
		return ",required"
	}
	return ""
}

// A keyRef is a field beside a field of the body, which takes the value from a key.
type keyRef struct{ name, of, wire string }

// keyRefsOf returns the references beside a field.
func keyRefsOf(m *model.Node) []keyRef {
	switch {
	case m.Content:
		return []keyRef{{"configMapKeyRef", "ConfigMap", "configmap"}, {"secretKeyRef", "Secret", "secret"}}
	case len(m.Field.PlainToo) > 0:
		return []keyRef{{jsonName(m) + "SecretRef", "Secret", "secret"}}
	}
	return nil
}

// keyRefs writes the references beside a field. They come before the field, because messages use
// the field's own name.
func (s *structs) keyRefs(b *strings.Builder, m *model.Node) {
	for _, ref := range keyRefsOf(m) {
		comment(b, fmt.Sprintf("The key of a %s in the namespace of this object that has %s, in the place of %s.", ref.of, jsonName(m), jsonName(m)))
		fmt.Fprintf(b, "// +optional\n%s *apisv1alpha1.%sKeyReference `json:%q wire:%q`\n", goName(ref.name), ref.of, ref.name+",omitempty", m.Name+","+ref.wire)
	}
}

// choice returns tags for the engine. They mark objects with exactly one member, and name the
// field that decides whether another one is present.
func choice(m *model.Node) string {
	out := ""
	if m.OnlyBy != "" {
		out = fmt.Sprintf(" by:%q", m.OnlyBy)
	}
	for m.Type == model.List || m.Type == model.Map {
		m = m.Elem
	}
	if m.OneOf {
		out += ` oneof:"true"`
	}
	return out
}

// presence writes whether a nested field is required. At the top level, a rule of the spec
// requires fields, because it knows the policies.
func (s *structs) presence(b *strings.Builder, m *model.Node) {
	if m.Required && inPart(m) {
		fmt.Fprintf(b, "// +required\n")
		return
	}
	fmt.Fprintf(b, "// +optional\n")
}

// references writes the reference and the selector beside an ID.
func references(b *strings.Builder, m *model.Node, name, ref string) {
	_, referred, _ := strings.Cut(ref, ".")
	if m.Type == model.List {
		one := strings.TrimSuffix(name, "s")
		comment(b, fmt.Sprintf("References to objects of kind %s, to read %s from.", referred, name))
		fmt.Fprintf(b, "// +optional\n// +listType=atomic\n%s []xpv2.NamespacedReference `json:%q`\n", goName(one)+"Refs", one+"Refs,omitempty")
		comment(b, fmt.Sprintf("Selects objects of kind %s, to read %s from.", referred, name))
		fmt.Fprintf(b, "// +optional\n%s *xpv2.NamespacedSelector `json:%q`\n", goName(one)+"Selector", one+"Selector,omitempty")
		return
	}
	comment(b, fmt.Sprintf("A reference to the %s to read %s from.", referred, name))
	fmt.Fprintf(b, "// +optional\n%s *xpv2.NamespacedReference `json:%q`\n", goName(name)+"Ref", name+"Ref,omitempty")
	comment(b, fmt.Sprintf("Selects the %s to read %s from.", referred, name))
	fmt.Fprintf(b, "// +optional\n%s *xpv2.NamespacedSelector `json:%q`\n", goName(name)+"Selector", name+"Selector,omitempty")
}

// tag returns the JSON tag. For a list it distinguishes [] from absence.
func tag(m *model.Node, name string) string {
	if m.Type == model.List || m.Type == model.Map {
		return name + ",omitzero"
	}
	return name + ",omitempty"
}

// goType returns the type of a field. owner is the name of the struct that the field is in.
func (s *structs) goType(m *model.Node, owner string) string {
	t := s.elemType(m, owner+goName(m.Name))
	if m.Type == model.List || m.Type == model.Map {
		return t
	}
	return "*" + t
}

// elemType returns a type without a pointer.
func (s *structs) elemType(m *model.Node, name string) string {
	switch m.Type {
	case model.String:
		return "string"
	case model.Boolean:
		return "bool"
	case model.Integer:
		return "int64"
	case model.Number:
		return "apisv1alpha1.Decimal"
	case model.IntOrString:
		return "intstr.IntOrString"
	case model.List:
		return "[]" + s.elemType(m.Elem, name)
	case model.Map:
		return "map[string]" + s.elemType(m.Elem, name)
	case model.Object:
		if len(m.Members) > 0 {
			return s.declare(m, name)
		}
		return "apisv1alpha1.Empty"
	case model.Empty:
		return "apisv1alpha1.Empty"
	}
	return "apiextensionsv1.JSON"
}

func comment(b *strings.Builder, text string) {
	fmt.Fprintf(b, "// %s\n", text)
}
