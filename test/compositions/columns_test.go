// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestColumnsExist checks that each printer column is a field of its type. A misspelt column is
// empty, without an error.
func TestColumnsExist(t *testing.T) {
	t.Parallel()
	for _, name := range all() {
		own, _, err := unstructured.NestedSlice(read(t, name, "xrd.yaml").Object, "spec", "versions")
		if err != nil || len(own) != 1 {
			t.Fatalf("%s has %d versions (%v)", name, len(own), err)
		}
		fields := served(t, read(t, name, "xrd.yaml").GetName())
		columns, _ := own[0].(map[string]any)["additionalPrinterColumns"].([]any)
		if len(columns) == 0 {
			t.Errorf("%s has no columns", name)
		}
		for _, c := range columns {
			column, _ := c.(map[string]any)
			path, _ := column["jsonPath"].(string)
			if got := typeOf(fields, path); got != column["type"] {
				t.Errorf("%s: the column %s is of type %v, and %s of %q", name, column["name"], column["type"], path, got)
			}
		}
	}
	if got := typeOf(served(t, "websites.platform.example.org"), ".spec.mial.provider"); got != "" {
		t.Errorf("a field that does not exist has the type %q", got)
	}
}

// served returns the schema of a kind at the API server, including the fields that Crossplane adds.
func served(t *testing.T, name string) map[string]any {
	t.Helper()
	crd := &unstructured.Unstructured{}
	crd.SetGroupVersionKind(schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"})
	if err := shared.kube.Get(t.Context(), client.ObjectKey{Name: name}, crd); err != nil {
		t.Fatal(err)
	}
	versions, _, err := unstructured.NestedSlice(crd.Object, "spec", "versions")
	if err != nil || len(versions) != 1 {
		t.Fatalf("%s has %d versions (%v)", name, len(versions), err)
	}
	version, _ := versions[0].(map[string]any)
	fields, _, err := unstructured.NestedMap(version, "schema", "openAPIV3Schema")
	if err != nil {
		t.Fatal(err)
	}
	return fields
}

// typeOf returns the type of the field at a path such as .status.conditions[?(...)].status, "" if
// it does not exist.
func typeOf(fields map[string]any, path string) string {
	path = regexp.MustCompile(`\[[^]]*\]`).ReplaceAllString(path, ".[]")
	for _, name := range strings.Split(strings.TrimPrefix(path, "."), ".") {
		if name == "[]" {
			fields, _ = fields["items"].(map[string]any)
			continue
		}
		properties, _ := fields["properties"].(map[string]any)
		fields, _ = properties[name].(map[string]any)
	}
	kind, _ := fields["type"].(string)
	return kind
}
