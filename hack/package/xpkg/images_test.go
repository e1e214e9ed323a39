// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package xpkg

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestImagesAreByDigest checks that the images of our Compositions, and of the examples around them,
// are named by digest: a tag can become another program.
func TestImagesAreByDigest(t *testing.T) {
	var files []string
	for _, pattern := range []string{filepath.Join("composition", "*", "*.yaml"), filepath.Join("tunnel-hostname", "*.yaml")} {
		found, err := filepath.Glob(filepath.Join(root, "examples", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	all := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for document := range bytes.SplitSeq(raw, []byte("\n---\n")) {
			var o any
			if err := yaml.Unmarshal(document, &o); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			for _, image := range imagesIn(o) {
				all++
				if !byDigest.MatchString(image) {
					t.Errorf("%s runs %s, want it by digest", file, image)
				}
			}
		}
	}
	if all < 4 {
		t.Errorf("found %d images: this shows nothing", all)
	}
}

var byDigest = regexp.MustCompile(`^[a-z0-9.-]+/[a-z0-9./-]+:[A-Za-z0-9.-]+@sha256:[0-9a-f]{64}$`)

// imagesIn returns the values of fields with the name image, at any depth, and the defaults of such
// fields in a schema.
func imagesIn(value any) []string {
	var out []string
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			out = append(out, imagesIn(element)...)
		}
	case map[string]any:
		for name, field := range v {
			if name == "image" {
				out = append(out, named(field)...)
			}
			out = append(out, imagesIn(field)...)
		}
	}
	return out
}

// named returns the image that a field has, or its default in a schema.
func named(field any) []string {
	switch v := field.(type) {
	case string:
		return []string{v}
	case map[string]any:
		if image, is := v["default"].(string); is {
			return []string{image}
		}
	}
	return nil
}
