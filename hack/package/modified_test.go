// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestModified asks the Makefile whether the provenance reports modified sources: they
// count as the commit's only if git confirms it.
func TestModified(t *testing.T) {
	tests := []struct {
		reason  string
		prepare []string
		want    string
	}{
		{"git has the folder, and no change", []string{"git init -q", "git add .", "git -c user.name=a -c user.email=a@example.org commit -qm a"}, "false"},
		{"a file that is in no commit", []string{"git init -q"}, "true"},
		{"git does not know the folder", nil, "true"},
		{"git cannot tell", []string{"git init -q", "git add .", "git -c user.name=a -c user.email=a@example.org commit -qm a", "echo no >.git/index"}, "true"},
	}
	makefile, err := filepath.Abs(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "source"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, line := range tc.prepare {
				shell(t, dir, line)
			}
			got := shell(t, dir, "make -s -f '"+makefile+"' --eval 'tell: ; @echo $(MODIFIED)' tell")
			if got != tc.want {
				t.Errorf("%s: modified is %q, want %s", tc.reason, got, tc.want)
			}
		})
	}
}

// shell runs a line in a folder that is in no repository of git but its own.
func shell(t *testing.T, dir, line string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "MAKEFLAGS=", "MAKELEVEL=")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return strings.TrimSpace(string(out))
}
