// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package scan

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
)

// A module is what a test reads of a go.mod.
type module struct {
	Go      string
	Require []struct{ Path, Version string }
}

// TestShippedModulesAgree holds the modules of the composition functions against the main one: what
// both are built from has one version, so that a fix in one is a fix in both.
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
			version, both := versions[r.Path]
			if !both {
				continue
			}
			shared++
			if r.Version != version {
				t.Errorf("%s has %s %s, and the main module %s", file, r.Path, r.Version, version)
			}
		}
		if shared == 0 {
			t.Errorf("%s shares no module with the main one: nothing was compared", file)
		}
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
