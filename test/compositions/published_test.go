// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/provider-cloudflare/provider-cloudflare/test/manifest"
)

// TestFunctionIsPublished checks that functions.yaml names the function by the address to which
// make function-push pushes a release, according to docs/reference/package.md. The release itself
// checks the version.
func TestFunctionIsPublished(t *testing.T) {
	t.Parallel()
	pushed := found(t, "Makefile", `--package \$\(FUNCTION\)\.oci\.tar --to \$\(REGISTRY\)/([^:\s]+):\$\(VERSION\)`)
	released := found(t, "docs/reference/package.md", `(?m)^\$ PACKAGE=(\S+)/provider-cloudflare$`)
	functions, err := manifest.Read(example("", "functions.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	want, n := released+"/"+pushed, 0
	for _, f := range functions {
		ref, _, err := unstructured.NestedString(f.Object, "spec", "package")
		if err != nil {
			t.Fatal(err)
		}
		named, _, _ := strings.Cut(ref, ":")
		if f.GetName() != pushed {
			continue
		}
		n++
		if named != want {
			t.Errorf("functions.yaml names %s, and a release is pushed as %s", named, want)
		}
	}
	if n != 1 {
		t.Errorf("functions.yaml names %s %d times, want once", pushed, n)
	}
}

// found returns the match of an expression's group in a file of the repository.
func found(t *testing.T, file, expression string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root(), file))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(expression).FindSubmatch(content)
	if m == nil {
		t.Fatalf("nothing in %s matches %s", file, expression)
	}
	return string(m[1])
}
