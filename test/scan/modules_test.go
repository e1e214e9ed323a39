// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package scan

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/version"
)

// A module has the parts of a go.mod that the tests read.
type module struct {
	Go      string
	Require []struct{ Path, Version string }
}

// TestShippedModulesAgree compares the modules of the composition functions with the main one.
// Dependencies of both have the same version, so that a fix in one is a fix in both.
func TestShippedModulesAgree(t *testing.T) {
	root := filepath.Join("..", "..")
	functions, err := filepath.Glob(filepath.Join(root, "functions", "*", "go.mod"))
	if err != nil || len(functions) == 0 {
		t.Fatalf("the modules of the functions are %q, %v", functions, err)
	}
	main := moduleIn(t, root)
	versions := map[string]string{}
	for _, r := range main.Require {
		versions[r.Path] = r.Version
	}
	for _, file := range functions {
		m := moduleIn(t, filepath.Dir(file))
		if m.Go != main.Go {
			t.Errorf("%s is for Go %s, and the main module for %s", file, m.Go, main.Go)
		}
		shared := 0
		for _, r := range m.Require {
			own, both := versions[r.Path]
			if !both {
				continue
			}
			shared++
			if r.Version != own {
				t.Errorf("%s has %s %s, and the main module %s", file, r.Path, r.Version, own)
			}
		}
		if shared == 0 {
			t.Errorf("%s shares no module with the main one: nothing was compared", file)
		}
	}
}

// TestNoModuleIsBehind checks the versions of Go's own modules and of gRPC in the modules for
// tests and releases. None is older than in the main module, so that a vulnerability fixed there
// is fixed here. It does not check hack/tools, which has other projects' programs in their
// released versions.
func TestNoModuleIsBehind(t *testing.T) {
	root := filepath.Join("..", "..")
	versions := map[string]string{}
	for _, r := range moduleIn(t, root).Require {
		if strings.HasPrefix(r.Path, "golang.org/x/") || strings.HasPrefix(r.Path, "google.golang.org/") {
			versions[r.Path] = r.Version
		}
	}
	compared := 0
	for _, pattern := range []string{"test/*", "hack/chart", "hack/package", "hack/supply"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern), "go.mod"))
		if err != nil || len(files) == 0 {
			t.Fatalf("the modules %s are %q, %v", pattern, files, err)
		}
		for _, file := range files {
			for _, r := range moduleIn(t, filepath.Dir(file)).Require {
				least, both := versions[r.Path]
				if !both {
					continue
				}
				compared++
				if version.MustParseSemantic(r.Version).LessThan(version.MustParseSemantic(least)) {
					t.Errorf("%s has %s %s, and the main module %s", file, r.Path, r.Version, least)
				}
			}
		}
	}
	if compared == 0 {
		t.Error("no version was compared")
	}
}

// moduleIn reads the go.mod of a folder.
func moduleIn(t *testing.T, folder string) module {
	t.Helper()
	edit := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json")
	edit.Dir = folder
	out, err := edit.Output()
	if err != nil {
		t.Fatalf("cannot read the go.mod of %s: %v", folder, err)
	}
	var m module
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	return m
}
