// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
)

// isDescribed reports whether a kind has a description. The promises of such a kind are derived from its
// CRD, without rows.
func isDescribed(name string) bool {
	return slices.ContainsFunc(kinds.All(), func(d kind.Description) bool { return d.Name == name })
}

// placedByZone reports whether the zone in the spec of a described kind is the parent of its resources.
// A kind that is in an account may name a zone, too: it is a field like any other.
func placedByZone(name string) bool {
	return slices.ContainsFunc(kinds.All(), func(d kind.Description) bool { return d.Name == name && d.Scope != kind.Account })
}

// TestDescribedRefusals breaks each promise of the CRDs of described kinds, in the example of the kind.
// The API server must refuse it, and name the field.
func TestDescribedRefusals(t *testing.T) {
	t.Parallel()
	onReal(t)
	w := newWorld(t)
	broken := 0
	for _, crd := range written(t) {
		name := crd.Spec.Names.Kind
		if !isDescribed(name) {
			continue
		}
		schema := *crd.Spec.Versions[0].Schema.OpenAPIV3Schema
		if err := w.kube.Create(t.Context(), exampleOf(t, w, name), client.DryRunAll); err != nil {
			t.Errorf("the example of %s is refused: %v", name, err)
		}
		for _, p := range promises(name, "", schema) {
			broken++
			var err error
			if p.keyword == "rule" {
				err = breakRule(t, w, schema, p)
			} else {
				err = breakSchema(t, w, schema, p)
			}
			if err != nil {
				t.Errorf("%+v: %v", p, err)
			}
		}
	}
	if broken < 300 {
		t.Errorf("only %d promises were broken", broken)
	}
}

// exampleOf returns the example of a kind, which the provider does not reconcile.
func exampleOf(t *testing.T, w *world, name string) *unstructured.Unstructured {
	t.Helper()
	file := strings.ToLower(name)
	for _, o := range manifests(t, filepath.Join("..", "..", "examples", file)) {
		if o.GetKind() != name {
			continue
		}
		o.SetNamespace(w.ns)
		o.SetName("")
		o.SetGenerateName("promise-")
		o.SetAnnotations(map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
		return o
	}
	t.Fatalf("there is no example of %s", name)
	return nil
}

// breakSchema sends a manifest that breaks only a promise of the schema.
func breakSchema(t *testing.T, w *world, schema apiextensionsv1.JSONSchemaProps, p promise) error {
	t.Helper()
	path := strings.TrimSuffix(p.field, "[]")
	if p.keyword != "set" {
		path = p.field
	}
	var value any
	if p.keyword == "required" {
		path = p.field[:max(0, strings.LastIndex(p.field, "."))]
		value = map[string]any{}
	} else {
		value = bad(at(schema, path), p.keyword)
	}
	o := exampleOf(t, w, p.kind)
	if path == "" {
		delete(o.Object, p.field)
	} else {
		put(o, path, value)
	}
	field := p.field
	if p.keyword == "map" {
		field += "[]" // The cause names the second element.
	}
	r := refusal{kind: p.kind, field: field, keyword: p.keyword}
	if err := r.in(w.kube.Create(t.Context(), o, client.DryRunAll)); err != nil {
		return fmt.Errorf("%w, with %v", err, value)
	}
	return nil
}

// at returns the schema of a field.
func at(s apiextensionsv1.JSONSchemaProps, path string) apiextensionsv1.JSONSchemaProps {
	for _, step := range strings.Split(path, ".") {
		name := strings.TrimRight(step, "[]")
		s = s.Properties[name]
		for range strings.Count(step, "[]") {
			s = *s.Items.Schema
		}
	}
	return s
}

// put sets a field in a new parent. The other required fields of the parent may be missing, as the API
// server reports all errors.
func put(o *unstructured.Unstructured, path string, value any) {
	steps := strings.Split(path, ".")
	keep := 1 // spec
	if len(steps) > 1 && steps[1] == "forProvider" {
		keep = 2
	}
	keep = min(keep, len(steps)-1)
	for i := len(steps) - 1; i > keep; i-- {
		value = wrap(steps[i], value)
	}
	in := o.Object
	for _, step := range steps[:keep] {
		in = in[step].(map[string]any)
	}
	for name, v := range wrap(steps[keep], value) {
		in[name] = v
	}
}

// wrap puts a value into an object, under a name that may end with [].
func wrap(step string, value any) map[string]any {
	for range strings.Count(step, "[]") {
		value = []any{value}
	}
	return map[string]any{strings.TrimRight(step, "[]"): value}
}

// bad returns a value that breaks one keyword of a schema.
func bad(s apiextensionsv1.JSONSchemaProps, keyword string) any {
	switch keyword {
	case "enum":
		if s.Type == "string" {
			return "no such value"
		}
		return int64(-987654)
	case "pattern":
		return "~ ~"
	case "minLength":
		return ""
	case "maxLength":
		return long(int(*s.MaxLength) + 1)
	case "minimum":
		return int64(*s.Minimum) - 1
	case "maximum":
		return int64(*s.Maximum) + 1
	case "minItems":
		return []any{}
	case "maxItems":
		var out []any
		for i := range *s.MaxItems + 1 {
			out = append(out, good(*s.Items.Schema, int(i)))
		}
		return out
	case "set":
		return []any{good(*s.Items.Schema, 0), good(*s.Items.Schema, 0)}
	case "map":
		key := map[string]any{}
		for _, name := range s.XListMapKeys {
			key[name] = good(s.Items.Schema.Properties[name], 0)
		}
		return []any{key, key}
	case "minProperties":
		return map[string]any{}
	case "maxProperties":
		out := map[string]any{}
		for name, p := range s.Properties {
			if int64(len(out)) <= *s.MaxProperties {
				out[name] = good(p, 0)
			}
		}
		return out
	}
	return nil
}

// good returns a valid value of a schema. Different i return different values.
func good(s apiextensionsv1.JSONSchemaProps, i int) any {
	switch {
	case len(s.Enum) > 0:
		raw := string(s.Enum[i%len(s.Enum)].Raw)
		if s.Type == "string" {
			return strings.Trim(raw, `"`)
		}
		var n int64
		_, _ = fmt.Sscan(raw, &n)
		return n
	case strings.HasPrefix(s.Pattern, "^[0-9a-f]{32}"):
		return fmt.Sprintf("%032x", i+1)
	case s.Type == "string":
		text := fmt.Sprintf("value%d", i)
		if s.MinLength != nil {
			text += strings.Repeat("x", max(0, int(*s.MinLength)-len(text)))
		}
		return text
	case s.Type == "integer", s.Type == "number":
		if s.Minimum != nil {
			return int64(*s.Minimum) + int64(i)
		}
		return int64(i)
	case s.Type == "boolean":
		return i%2 == 0
	case s.Type == "array":
		return []any{good(*s.Items.Schema, i)}
	}
	out := map[string]any{}
	for _, name := range s.Required {
		out[name] = good(s.Properties[name], i)
	}
	return out
}

// breakRule sends a manifest, or a change, that breaks a rule.
func breakRule(t *testing.T, w *world, schema apiextensionsv1.JSONSchemaProps, p promise) error {
	t.Helper()
	r := refusal{kind: p.kind, field: p.field, keyword: "rule", says: p.message}
	o := exampleOf(t, w, p.kind)
	spec := o.Object["spec"].(map[string]any)
	params := paramsOf(o)
	immutable := strings.Contains(p.message, " is immutable: ")
	switch {
	case strings.HasPrefix(p.message, "zoneIdRef is resolved"):
		refer := func(name string) func() {
			return func() {
				inZone(paramsOf(o), "zoneIdRef", map[string]any{"name": name})
				paramsOf(o)["zoneId"] = someID
			}
		}
		return change(t, w, r, o, refer("a"), refer("b"))
	case strings.HasPrefix(p.message, "providerConfigRef.kind"):
		spec["providerConfigRef"] = map[string]any{"kind": "ProviderConfigs", "name": "default"}
	case immutable:
		name, s := p.field[strings.LastIndex(p.field, ".")+1:], at(schema, p.field)
		set := func(v any) {
			if placedByZone(p.kind) && slices.Contains([]string{"zoneId", "zoneName", "accountId"}, name) {
				inZone(paramsOf(o), name, v)
				return
			}
			put(o, p.field, v)
			complete(o, schema, p.field)
			alone(paramsOf(o), schema.Properties["spec"], p.field)
		}
		return change(t, w, r, o, func() { set(good(s, 0)) }, func() { set(good(s, 1)) })
	case strings.HasSuffix(p.message, "is required unless managementPolicies only observe"):
		without(params, p.message)
		if err := r.in(w.kube.Create(t.Context(), o, client.DryRunAll)); err != nil {
			return err
		}
		spec["managementPolicies"] = []any{observe}
		return w.kube.Create(t.Context(), o, client.DryRunAll)
	case strings.HasSuffix(p.message, "is required"):
		without(params, p.message)
	case strings.HasPrefix(p.message, "at most one of "):
		for _, word := range strings.FieldsFunc(p.message, func(r rune) bool { return r == ' ' || r == ',' }) {
			if name, ok := strings.CutPrefix(word, "forProvider."); ok {
				params[name] = good(at(schema, "spec.forProvider."+name), 0)
			}
		}
	case strings.HasPrefix(p.message, "name the zone"):
		inZone(params, "", nil)
	case strings.HasPrefix(p.message, "zoneName cannot be combined"):
		inZone(params, "zoneName", "example.org")
		params["zoneIdRef"] = map[string]any{"name": "x"}
	case strings.HasPrefix(p.message, "set accountId or a zone"):
		params["accountId"], params["zoneId"] = someID, someID
	case strings.Contains(p.message, " must be a number from "):
		put(o, p.field, int64(math.MaxInt64))
	default:
		return errors.New("nobody knows how to break this rule")
	}
	return r.in(w.kube.Create(t.Context(), o, client.DryRunAll))
}

// complete adds the required members of the objects on the path to a field.
func complete(o *unstructured.Unstructured, s apiextensionsv1.JSONSchemaProps, path string) {
	in := o.Object
	for _, step := range strings.Split(path, ".") {
		s = s.Properties[step]
		next, ok := in[step].(map[string]any)
		if !ok {
			return
		}
		in = next
		for _, name := range s.Required {
			if _, has := in[name]; !has {
				in[name] = good(s.Properties[name], 0)
			}
		}
	}
}

// alone removes the fields that a rule does not allow beside the one at path.
func alone(params map[string]any, spec apiextensionsv1.JSONSchemaProps, path string) {
	const one = "exactly one of "
	field, _, _ := strings.Cut(strings.TrimPrefix(path, "spec.forProvider."), ".")
	for _, r := range spec.XValidations {
		if strings.HasPrefix(r.Message, one) && strings.Contains(r.Message, "forProvider."+field) {
			kept := params[field]
			without(params, r.Message)
			params[field] = kept
		}
	}
}

// paramsOf returns the current forProvider of an object: what the API server returns is another map.
func paramsOf(o *unstructured.Unstructured) map[string]any {
	return o.Object["spec"].(map[string]any)["forProvider"].(map[string]any)
}

// inZone names the account or the zone by one field only.
func inZone(params map[string]any, name string, value any) {
	for _, other := range []string{"accountId", "zoneId", "zoneIdRef", "zoneIdSelector", "zoneName"} {
		delete(params, other)
	}
	if name != "" {
		params[name] = value
	}
}

// without removes the fields that a message names.
func without(params map[string]any, message string) {
	for _, word := range strings.FieldsFunc(message, func(r rune) bool { return r == ' ' || r == ',' }) {
		delete(params, strings.TrimPrefix(word, "forProvider."))
	}
}

// change creates an object in one state and requests another one, which has to be refused.
func change(t *testing.T, w *world, r refusal, o *unstructured.Unstructured, before, after func()) error {
	t.Helper()
	before()
	if err := w.kube.Create(t.Context(), o); err != nil {
		return fmt.Errorf("what is to be changed is refused: %w", err)
	}
	was := o.DeepCopy()
	after()
	err := r.in(w.kube.Patch(t.Context(), o, client.MergeFrom(was), client.DryRunAll))
	if gone := w.kube.Delete(t.Context(), was); gone != nil && !kerrors.IsNotFound(gone) {
		return gone
	}
	return err
}
