// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// crds returns the CRDs of the package.
var crds = sync.OnceValues(func() ([]*apiextensionsv1.CustomResourceDefinition, error) {
	files, err := filepath.Glob(filepath.Join(harness.Kinds(), "*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("there is no file in %s: %w", harness.Kinds(), err)
	}
	out := make([]*apiextensionsv1.CustomResourceDefinition, len(files))
	for i, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		if err := yaml.Unmarshal(raw, &out[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
	}
	return out, nil
})

// forProvider returns the schema of spec.forProvider of the kind.
func (w *world) forProvider() apiextensionsv1.JSONSchemaProps {
	w.T.Helper()
	all, err := crds()
	if err != nil {
		w.T.Fatal(err)
	}
	for _, crd := range all {
		if crd.Spec.Group == w.d.Group+group && crd.Spec.Names.Kind == w.d.Name {
			return crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"].Properties["forProvider"]
		}
	}
	w.T.Fatalf("there is no CRD of kind %s", w.d.Name)
	return apiextensionsv1.JSONSchemaProps{}
}

// TestEstablished shows that the API server serves each CRD of the package under all its names,
// and reports no error of its schema.
func TestEstablished(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		o := harness.Objects{T: t, Kube: suiteOf(t).kube, Patience: patience}
		all, err := crds()
		if err != nil {
			t.Fatal(err)
		}
		for _, crd := range all {
			harness.Until(o, crd.DeepCopy(), func(crd *apiextensionsv1.CustomResourceDefinition) error {
				is := map[apiextensionsv1.CustomResourceDefinitionConditionType]apiextensionsv1.ConditionStatus{}
				for _, c := range crd.Status.Conditions {
					is[c.Type] = c.Status
				}
				if is[apiextensionsv1.Established] != apiextensionsv1.ConditionTrue || is[apiextensionsv1.NamesAccepted] != apiextensionsv1.ConditionTrue || is[apiextensionsv1.NonStructuralSchema] != "" {
					return fmt.Errorf("%s is not established: %v", crd.Name, crd.Status.Conditions)
				}
				return nil
			})
		}
	})
}

// within returns the schema of a field by its name, such as origins[].weight.
func within(s apiextensionsv1.JSONSchemaProps, name string) apiextensionsv1.JSONSchemaProps {
	for part := range strings.SplitSeq(name, ".") {
		bare := strings.TrimRight(part, "[]{}")
		s = s.Properties[bare]
		for rest := part[len(bare):]; len(rest) > 1; rest = rest[2:] {
			switch {
			case rest[:2] == "[]" && s.Items != nil && s.Items.Schema != nil:
				s = *s.Items.Schema
			case rest[:2] == "{}" && s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
				s = *s.AdditionalProperties.Schema
			}
		}
	}
	return s
}

// schemaOf returns the schema of the values at a path. For a list whose elements are an enum, it
// returns the schema of the elements.
func (w *world) schemaOf(general string) apiextensionsv1.JSONSchemaProps {
	names := kind.Names(w.example.GetForProvider())
	if list, ok := strings.CutSuffix(general, "[]"); ok {
		if s := element(within(w.forProvider(), names[list])); len(s.Enum) > 0 {
			return s
		}
	}
	return within(w.forProvider(), names[general])
}

// element returns the schema of the elements of a list, and any other schema unchanged.
func element(s apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
	if s.Items != nil && s.Items.Schema != nil {
		return *s.Items.Schema
	}
	return s
}

// other returns another value of the same type that the schema allows.
func other(v any, s apiextensionsv1.JSONSchemaProps) any {
	for _, e := range s.Enum {
		var x any
		if json.Unmarshal(e.Raw, &x) == nil && !same(x, v) {
			return x
		}
	}
	switch v := v.(type) {
	case bool:
		return !v
	case []any:
		return v[:max(0, len(v)-1)]
	case map[string]any:
		return otherObject(v, s)
	case string:
		if word, ok := otherWords()[v]; ok {
			return word
		}
		return otherText(v, s.Pattern != "" || s.MaxLength != nil && int64(len(v)) >= *s.MaxLength)
	}
	for _, n := range []float64{7, 1, 2, 60, 0.5, 100, 1000} {
		if !same(n, v) && (s.Minimum == nil || n >= *s.Minimum) && (s.Maximum == nil || n <= *s.Maximum) {
			return n
		}
	}
	return v
}

// otherObject returns v with another value of the first member that is not an enum.
func otherObject(v map[string]any, s apiextensionsv1.JSONSchemaProps) map[string]any {
	out := maps.Clone(v)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if of := s.Properties[name]; len(of.Enum) == 0 {
			out[name] = other(v[name], of)
			break
		}
	}
	return out
}

// otherWords are values for fields that are open in the schema but not in the document. With any
// other text, the answers of the simulator would not be those of Cloudflare.
func otherWords() map[string]string {
	return map[string]string{"block": "managed_challenge", "redirect": "rewrite", "8760h": "8761h", "2026-01-01": "2026-01-02"}
}

// otherText returns another text. A number stays a number, as the API may require one. A name in
// the zone of the world stays in it, and a network stays a network. A text that is bound by a
// pattern or a length does not get longer. Neither does an ID, as the document bounds each ID.
func otherText(v string, bound bool) string {
	if _, err := netip.ParsePrefix(v); err == nil {
		return numberedText(1, v)
	}
	if strings.HasSuffix(v, zoneSuffix) {
		return "x" + v
	}
	if _, err := strconv.ParseFloat(v, 64); err == nil {
		return v[:len(v)-1] + string('0'+(v[len(v)-1]-'0'+1)%10)
	}
	if !bound && !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(v) || v == "" {
		return v + "x"
	}
	for _, last := range []string{"0", "1"} {
		if out := v[:len(v)-1] + last; out != v {
			return out
		}
	}
	return v
}
