// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const isc = `Copyright (c) 2026 Somebody

Permission to use, copy, modify, and distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES
WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR
ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF
OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
`

const gpl = `This program is free software: you can redistribute it and/or modify
it under the terms of the GNU General Public License as published by
the Free Software Foundation, either version 3 of the License, or
(at your option) any later version.
`

func TestLicencesOfAFolder(t *testing.T) {
	own, err := os.ReadFile(filepath.Join("..", "..", "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		reason string
		files  map[string]string
		ids    []string
		says   string // "" if it is permitted.
	}{
		{"our own", map[string]string{"LICENSE": string(own)}, []string{"Apache-2.0"}, ""},
		{"British spelling", map[string]string{"LICENCE.md": isc}, []string{"ISC"}, ""},
		{"two files", map[string]string{"LICENSE": isc, "COPYING": string(own)}, []string{"Apache-2.0", "ISC"}, ""},
		{"a notice goes with a licence and is none", map[string]string{"LICENSE": isc, "NOTICE": "Made by somebody."}, []string{"ISC"}, ""},
		{"a licence that is not permitted", map[string]string{"LICENSE": gpl}, []string{"GPL-3.0-or-later"}, "GPL-3.0-or-later, which is not among the permitted"},
		{"one of two is not permitted", map[string]string{"LICENSE": isc, "COPYING": gpl}, []string{"GPL-3.0-or-later", "ISC"}, "GPL-3.0-or-later"},
		{"a text nobody knows", map[string]string{"LICENSE": "Do no evil."}, nil, "no licence that is known"},
		{"a known one with more terms than there is of it", map[string]string{"LICENSE": isc + strings.Repeat("Nor may it be used on Sundays, by anyone. ", 40)}, nil, "no licence that is known"},
		{"a notice alone", map[string]string{"NOTICE": "Made by somebody."}, nil, "has no licence"},
		{"source that is named so", map[string]string{"license.go": isc}, nil, "has no licence"},
		{"nothing", nil, nil, "has no licence"},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range tc.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			files, err := licenceFiles(dir, dir)
			if err != nil {
				t.Fatal(err)
			}
			m := module{path: "example.com/m", version: "v1.0.0", files: files}
			if got := m.ids(); !slices.Equal(got, tc.ids) {
				t.Errorf("%s: licences are %q, want %q", tc.reason, got, tc.ids)
			}
			err = permitted([]module{m})
			if (err == nil) != (tc.says == "") || (err != nil && !strings.Contains(err.Error(), tc.says)) {
				t.Errorf("%s: got %v, want an error that says %q", tc.reason, err, tc.says)
			}
			texts := string(licenceTexts([]module{m}))
			for name, text := range tc.files {
				if there := strings.Contains(texts, strings.TrimSpace(text)); there == strings.HasSuffix(name, ".go") {
					t.Errorf("%s: the text of %s goes with the binary: %t", tc.reason, name, there)
				}
			}
		})
	}
}

// TestLicencesOutOfDate checks that an outdated table is reported.
func TestLicencesOutOfDate(t *testing.T) {
	old := filepath.Join(t.TempDir(), "licences.md")
	if err := os.WriteFile(old, []byte("# Licences\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := run(t.Context(), []string{"licences", "--check", "--out", old})
	if err == nil || !strings.Contains(err.Error(), "make licences") {
		t.Errorf("got %v, want an error that says what to do", err)
	}
	if err := run(t.Context(), []string{"licences", "--out", old}); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), []string{"licences", "--check", "--out", old}); err != nil {
		t.Errorf("what was just written is out of date: %v", err)
	}
}
