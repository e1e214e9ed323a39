// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestEveryKind looks for the texts in the committed CRDs, and for none of the runtime's.
func TestEveryKind(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "package", "crds", "*.yaml"))
	if err != nil || len(files) < 50 {
		t.Fatalf("there are %d CRDs: %v", len(files), err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, theirs := range []string{"BETA FIELD", "ProviderConfigReference specifies", "WriteConnectionSecretToReference specifies"} {
			if strings.Contains(string(raw), theirs) {
				t.Errorf("%s says %q", file, theirs)
			}
		}
		again, err := rewritten(raw)
		if err != nil || !bytes.Equal(again, raw) {
			t.Errorf("%s is not as this command writes it: %v", file, err)
		}
	}
}

func TestRewritten(t *testing.T) {
	const crd = `
spec:
  versions:
  - schema:
      openAPIV3Schema:
        properties:
          spec:
            properties:
              managementPolicies: {description: theirs, items: {description: theirs}}
              other: {description: ours}
`
	out, err := rewritten([]byte(crd))
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := yaml.Unmarshal(out, &doc); err != nil {
		t.Fatal(err)
	}
	got := string(out)
	if strings.Contains(got, "theirs") || strings.Count(got, "ours") != 1 || strings.Contains(got, "providerConfigRef") {
		t.Errorf("got\n%s", got)
	}
}
