// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// TestMutantsFit shows that each fault has its place in the current code, and that
// the result is valid Go.
func TestMutantsFit(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, m := range mutants() {
		changed, err := m.changed(root)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), m.file, changed, parser.SkipObjectResolution); err != nil {
			t.Errorf("the mutant that %s: %v", m.name, err)
		}
	}
}

func TestFirstFailed(t *testing.T) {
	for _, row := range []struct{ reason, out, want string }{
		{"none failed", "ok  \tx\t1s\n", ""},
		{"the innermost of the first", "--- FAIL: TestKinds (1s)\n    --- FAIL: TestKinds/A (1s)\n        --- FAIL: TestKinds/A/Row (1s)\n    --- FAIL: TestKinds/B (1s)\n", "TestKinds/A/Row"},
		{"one that is alone", "--- FAIL: TestOne (1s)\n--- FAIL: TestTwo (1s)\n", "TestOne"},
	} {
		if got := firstFailed([]byte(row.out)); got != row.want {
			t.Errorf("%s: firstFailed(...) = %q, want %q", row.reason, got, row.want)
		}
	}
}
