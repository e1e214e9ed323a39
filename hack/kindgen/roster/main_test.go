// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRun writes a roster of a folder with descriptions and other functions.
func TestRun(t *testing.T) {
	root := t.TempDir()
	file := func(name, content string) {
		path := filepath.Join(root, "internal", "kinds", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const description = "package x\nfunc %s() kind.Description { return kind.Description{} }\n"
	file("b/one.go", strings.ReplaceAll(description, "%s", "One")+"func helper() kind.Description { return kind.Description{} }\nfunc With(a int) kind.Description { return kind.Description{} }\nfunc Other() string { return \"\" }\n")
	file("a/two.go", strings.ReplaceAll(description, "%s", "Two"))
	file("a/two_test.go", strings.ReplaceAll(description, "%s", "Test"))
	if err := run(root); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, "internal", "kinds", "zz_roster.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _ := strings.Cut(string(got), "return []kind.Description{")
	if got := strings.Join(strings.Fields(rows), " "); got != "a.Two(), b.One(), } }" {
		t.Errorf("the roster is %s: want the exported functions without parameters that return a description, sorted", got)
	}
	file("c/broken.go", "package")
	if err := run(root); err == nil {
		t.Error("a file that does not parse is no error")
	}
}
