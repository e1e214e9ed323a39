// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
)

// validations writes the limits of a field as markers of controller-gen.
func validations(b *strings.Builder, m *model.Node) {
	switch {
	case m.Type == model.List:
		fmt.Fprintf(b, "// +listType=%s\n", listType(m))
		if listType(m) == "map" {
			fmt.Fprintf(b, "// +listMapKey=%s\n", jsonName(m.Elem.Member(m.Field.Key)))
		}
		if m.MinItems > 0 {
			fmt.Fprintf(b, "// +kubebuilder:validation:MinItems=%d\n", m.MinItems)
		}
		if m.MaxItems > 0 {
			fmt.Fprintf(b, "// +kubebuilder:validation:MaxItems=%d\n", m.MaxItems)
		}
		if m.Elem.Type != model.List {
			limits(b, m.Elem, "items:")
		}
	case m.Type != model.Map:
		limits(b, m, "")
	}
}

func listType(m *model.Node) string {
	switch {
	case m.Set && m.Field.Key != "" && m.Elem.Field.Lookup == nil && m.Elem.Member(m.Field.Key).Field.Ref == "": // A name or a reference may stand for the key.
		return "map"
	case m.Set && m.Elem.Type == model.String:
		return "set"
	}
	return "atomic"
}

func limits(b *strings.Builder, m *model.Node, prefix string) {
	add := func(format string, args ...any) {
		fmt.Fprintf(b, "// +kubebuilder:validation:"+prefix+format+"\n", args...)
	}
	switch m.Type {
	case model.String:
		if m.MinLen > 0 {
			add("MinLength=%d", m.MinLen)
		}
		if m.MaxLen > 0 {
			add("MaxLength=%d", m.MaxLen)
		}
		if m.Format == "date-time" {
			add("Format=date-time")
		}
		if writable(m.Pattern) {
			add("Pattern=`%s`", m.Pattern)
		}
	case model.Integer, model.Number:
		if m.Min != "" {
			add("Minimum=%s", m.Min)
		}
		if m.Max != "" {
			add("Maximum=%s", m.Max)
		}
	case model.IntOrString:
		add("%s", numberOrText(m))
		return
	default:
		return
	}
	if m.Type == model.Number && prefix == "" {
		add("Type=number")
	}
	if len(m.Enum) > 0 {
		add("Enum=%s", enum(m))
	}
}

// plain reports whether a marker takes a value as text without quotes.
func plain(s string) bool {
	return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`).MatchString(s) && s != "true" && s != "false"
}

func enum(m *model.Node) string {
	values := make([]string, len(m.Enum))
	for i, v := range m.Enum {
		values[i] = v
		if m.Type == model.String && !plain(v) {
			values[i] = fmt.Sprintf("%q", v)
		}
	}
	return strings.Join(values, ";")
}

// immutable refuses a change of a field, and names an alternative. It leaves this to the
// provider if CEL does not see the value, and within lists, because elements cannot be
// matched there. If a field has only one possible value, the schema refuses all others.
func immutable(b *strings.Builder, m *model.Node, name string) {
	if !m.Immutable || m.Type == model.Any || len(m.Enum) == 1 || strings.ContainsAny(m.Path, "[{") {
		return
	}
	rule(b, "self == oldSelf", name+isImmutable)
}

// isImmutable follows the name of a field in a message, and names the alternative to a
// change.
const isImmutable = " is immutable: to keep the live resource, set spec.deletionPolicy to Orphan first; then delete this object and create another"

func rule(b *strings.Builder, cel, message string) {
	fmt.Fprintf(b, "// +kubebuilder:validation:XValidation:rule=%q,message=%q\n", cel, message)
}

// numberOrText bounds a field that is a number or a text: Go's type for it has 32 bits.
func numberOrText(m *model.Node) string {
	least, most, longest := cmp.Or(m.Min, fmt.Sprint(math.MinInt32)), cmp.Or(m.Max, fmt.Sprint(math.MaxInt32)), cmp.Or(m.MaxLen, 255)
	return fmt.Sprintf(`XValidation:rule="type(self) == int ? (self >= %s && self <= %s) : size(self) <= %d",message="%s must be a number from %s to %s, or a string of at most %d characters"`,
		least, most, longest, jsonName(m), least, most, longest)
}

// writable reports whether a pattern can be written in a marker, and Go can compile it.
func writable(pattern string) bool {
	_, err := regexp.Compile(pattern)
	return err == nil && pattern != "" && !strings.Contains(pattern, "`")
}
