// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// roomLimit is the most folders directly below internal, so that a new maintainer sees them at
// one glance. A package that only one other package uses is a folder inside of that one.
const roomLimit = 15

// unlisted are folders below internal that the layout does not list: one line stands for
// several folders, or the line of the parent describes them.
var unlisted = map[string]string{
	"internal/controller/config":         "internal/controller/<kind>",
	"internal/controller/record":         "internal/controller/<kind>",
	"internal/controller/zone":           "internal/controller/<kind>",
	"internal/kinds":                     "internal/kinds/<group>",
	"internal/external/journaltest":      "internal/external/journal",
	"internal/reconciler/reconcilertest": "internal/reconciler",
}

// TestLayout compares the layout of CONTRIBUTING.md with the existing packages.
func TestLayout(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^(internal/\S+)/ +\S`).FindAllSubmatch(text, -1) {
		listed = append(listed, string(m[1]))
	}
	packages := packagesBelow(t, "internal")
	for _, p := range packages {
		said := p
		if other, ok := unlisted[p]; ok {
			said = other
		} else if strings.HasPrefix(p, "internal/kinds/") {
			said = "internal/kinds/<group>"
		}
		if !slices.Contains(listed, said) {
			t.Errorf("the layout lacks %s", said)
		}
	}
	for _, l := range listed {
		if !strings.Contains(l, "<") && !slices.Contains(packages, l) {
			t.Errorf("the layout has %s, which is no package", l)
		}
	}
	rooms := map[string]bool{}
	for _, p := range packages {
		rooms[strings.Split(p, "/")[1]] = true
	}
	if len(rooms) > roomLimit {
		t.Errorf("internal has %d folders, want %d at most: a package that one other package uses belongs inside of that", len(rooms), roomLimit)
	}
}

// packagesBelow returns the folders below dir with Go files, as paths from the root.
func packagesBelow(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	for _, file := range sourcesBelow(t, filepath.Join(root, dir)) {
		p, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}
