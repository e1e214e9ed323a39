// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/page"
)

// root is the path of the repository's root.
const root = "../.."

// pages returns the pages for readers.
func pages(t *testing.T) []page.Page {
	t.Helper()
	var out []page.Page
	for _, at := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "CHANGELOG.md", "MAINTAINERS.md", "ROADMAP.md", "docs", "examples", "package", "cluster"} {
		err := filepath.WalkDir(filepath.Join(root, at), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err == nil {
				out = append(out, readPage(t, filepath.ToSlash(name)))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// readPage reads one page.
func readPage(t *testing.T, name string) page.Page {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	p, err := page.Parse(name, string(raw))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
