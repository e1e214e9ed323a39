// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package schemas compares the published CRDs with Crossplane's own types. A missing or changed
// field would break tools that use these fields.
package schemas

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/crossplane/crossplane/apis/v2/core/v2" // coreTypes reads it.
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/yaml"
)

const core = "github.com/crossplane/crossplane/apis/v2/core/v2"

type properties = map[string]apiextensionsv1.JSONSchemaProps

// coreTypes returns the fields of Crossplane's types, as controller-gen generates them.
func coreTypes(t *testing.T, names ...string) map[string]properties {
	t.Helper()
	roots, err := loader.LoadRoots(core)
	if err != nil {
		t.Fatal(err)
	}
	if len(roots) != 1 || len(roots[0].Errors) > 0 {
		t.Fatalf("cannot load %s: %v", core, roots[0].Errors)
	}
	registry := &markers.Registry{}
	if err := crdmarkers.Register(registry); err != nil {
		t.Fatal(err)
	}
	parser := &crd.Parser{Collector: &markers.Collector{Registry: registry}, Checker: &loader.TypeChecker{}}
	crd.AddKnownTypes(parser)
	parser.NeedPackage(roots[0])
	out := map[string]properties{}
	for _, name := range names {
		id := crd.TypeIdent{Package: roots[0], Name: name}
		parser.NeedFlattenedSchemaFor(id)
		if out[name] = parser.FlattenedSchemata[id].Properties; len(out[name]) == 0 {
			t.Fatalf("%s has no fields", name)
		}
	}
	return out
}

// TestFieldsAreCrossplanes compares each of Crossplane's fields in each kind.
func TestFieldsAreCrossplanes(t *testing.T) {
	types := coreTypes(t, "ManagedResourceSpec", "ManagedResourceStatus", "TypedProviderConfigUsage",
		"ProviderConfigStatus", "NamespacedReference", "NamespacedSelector")
	files, err := filepath.Glob("../../../package/crds/*.yaml")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d CRDs: %v", len(files), err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c apiextensionsv1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(raw, &c); err != nil {
			t.Fatal(err)
		}
		t.Run(c.Spec.Names.Kind, func(t *testing.T) {
			top := c.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties
			switch {
			case slices.Contains(c.Spec.Names.Categories, "managed"):
				same(t, "spec", types["ManagedResourceSpec"], top["spec"].Properties)
				same(t, "status", types["ManagedResourceStatus"], top["status"].Properties)
				for name, f := range top["spec"].Properties["forProvider"].Properties {
					switch {
					case name == "secretRef", strings.HasSuffix(name, "SecretRef"):
						if got := slices.Sorted(maps.Keys(f.Properties)); !slices.Equal(got, []string{"key", "name"}) {
							t.Errorf("%s names a key of a Secret, and has the fields %v", name, got)
						}
					case strings.HasSuffix(name, "Ref"):
						same(t, name, types["NamespacedReference"], f.Properties)
					case strings.HasSuffix(name, "Selector"):
						same(t, name, types["NamespacedSelector"], f.Properties)
					}
				}
			case c.Spec.Names.Kind == "ProviderConfigUsage":
				same(t, "", types["TypedProviderConfigUsage"], top)
			default: // a provider config
				same(t, "status", types["ProviderConfigStatus"], top["status"].Properties)
			}
		})
	}
}

// same checks that got has every field of want, with the same schema. Descriptions may differ:
// hack/kindgen/crdtext changes them.
func same(t *testing.T, path string, want, got properties) {
	t.Helper()
	for name, w := range want {
		g, ok := got[name]
		if !ok {
			t.Errorf("%s.%s is missing", path, name)
			continue
		}
		if diff := cmp.Diff(w, g, cmpopts.IgnoreFields(apiextensionsv1.JSONSchemaProps{}, "Description")); diff != "" {
			t.Errorf("%s.%s differs (-Crossplane's +ours):\n%s", path, name, diff)
		}
	}
}
