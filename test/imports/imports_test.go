// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package imports checks the imports of the main module's packages against rules.
package imports

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/provider-cloudflare/provider-cloudflare"

// A rule lists the imports that packages must not have. Its patterns are those of the go
// command: "./" is the root of the module, "/..." is a package and those below it, "..." is all
// packages, and "std" those of the standard library.
type rule struct {
	name, why string
	// of are patterns of the packages to which the rule applies, and except those of exceptions.
	of, except []string
	// tests reports whether the rule applies to their tests, too.
	tests bool
	// deny and allow are patterns of imports. The longest pattern that matches decides. An
	// import that no pattern matches is allowed.
	deny, allow []string
}

// A pkg is a package with its imports.
type pkg struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

// absolute returns the pattern with the path of the module in the place of "./".
func absolute(pattern string) string {
	if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		return module + "/" + rest
	}
	return pattern
}

// matches reports whether a pattern matches the path of a package, and returns the length of
// the fixed part of the pattern.
func matches(pattern, path string) (length int, ok bool) {
	switch pattern {
	case "...":
		return 0, true
	case "std":
		first, _, _ := strings.Cut(path, "/")
		return 1, !strings.Contains(first, ".")
	}
	pattern = absolute(pattern)
	if tree, ok := strings.CutSuffix(pattern, "/..."); ok {
		return len(tree), path == tree || strings.HasPrefix(path, tree+"/")
	}
	return len(pattern) + 1, path == pattern
}

// longest returns the length of the longest pattern that matches the path of a package, -1 if
// none does.
func longest(patterns []string, path string) int {
	most := -1
	for _, p := range patterns {
		if n, ok := matches(p, path); ok {
			most = max(most, n)
		}
	}
	return most
}

// covers reports whether the rule applies to the package with that path.
func (r rule) covers(path string) bool { return longest(r.of, path) > longest(r.except, path) }

// refuses reports whether the rule refuses the import of that path.
func (r rule) refuses(path string) bool { return longest(r.deny, path) > longest(r.allow, path) }

// refused returns the imports of p that the rule refuses.
func (r rule) refused(p pkg) (paths []string) {
	if !r.covers(p.ImportPath) {
		return nil
	}
	all := p.Imports
	if r.tests {
		all = slices.Concat(all, p.TestImports, p.XTestImports)
	}
	for _, path := range all {
		if r.refuses(path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// packages returns the packages of the main module.
func packages(t *testing.T) (all []pkg) {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-tags", "bench", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		t.Fatalf("cannot list the packages: %v", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestImports(t *testing.T) {
	all := packages(t)
	for _, r := range rules() {
		covered := 0
		for _, p := range all {
			if r.covers(p.ImportPath) {
				covered++
			}
			for _, path := range r.refused(p) {
				t.Errorf("%s imports %s: rule %s refuses that, because %s", p.ImportPath, path, r.name, r.why)
			}
		}
		if covered == 0 {
			t.Errorf("rule %s is for no package there is", r.name)
		}
	}
}

// TestRulesNamePackagesThereAre finds patterns that match no package, for example after a move.
func TestRulesNamePackagesThereAre(t *testing.T) {
	all := packages(t)
	for _, r := range rules() {
		for _, pattern := range slices.Concat(r.of, r.except, r.deny, r.allow) {
			is := func(p pkg) bool {
				_, ok := matches(pattern, p.ImportPath)
				return ok
			}
			if strings.HasPrefix(pattern, "./") && !slices.ContainsFunc(all, is) {
				t.Errorf("rule %s names %s, and there is no such package", r.name, pattern)
			}
		}
	}
}

// TestEachRuleRefuses adds an import for each pattern to a package of each rule.
func TestEachRuleRefuses(t *testing.T) {
	all := packages(t)
	names := map[string]bool{}
	for _, r := range rules() {
		if r.name == "" || r.why == "" || names[r.name] {
			t.Errorf("rule %q, because %q: want a name of its own and a reason", r.name, r.why)
		}
		names[r.name] = true
		for _, of := range r.of {
			at := slices.IndexFunc(all, func(p pkg) bool {
				_, ok := matches(of, p.ImportPath)
				return ok && r.covers(p.ImportPath)
			})
			if at < 0 {
				t.Errorf("rule %s: nothing of %s is left to it", r.name, of)
				continue
			}
			for _, pattern := range r.deny {
				if path := example(pattern); len(r.refused(pkg{ImportPath: all[at].ImportPath, Imports: []string{path}})) != 1 {
					t.Errorf("rule %s does not refuse that %s imports %s", r.name, all[at].ImportPath, path)
				}
				p := pkg{ImportPath: all[at].ImportPath, TestImports: []string{example(pattern)}, XTestImports: []string{example(pattern)}}
				if n := len(r.refused(p)); r.tests != (n == 2) || !r.tests && n > 0 {
					t.Errorf("rule %s refuses %d of 2 imports of tests, and is for them: %t", r.name, n, r.tests)
				}
			}
			for _, pattern := range r.allow {
				if path := example(pattern); r.refuses(path) {
					t.Errorf("rule %s refuses that %s imports %s", r.name, all[at].ImportPath, path)
				}
			}
		}
		for _, pattern := range r.except {
			if path := example(pattern); r.covers(path) {
				t.Errorf("rule %s is for %s", r.name, path)
			}
		}
	}
}

// example returns the path of a package that the pattern matches and, if possible, no other
// pattern does.
func example(pattern string) string {
	switch pattern {
	case "...":
		return "example.org/elsewhere"
	case "std":
		return "strings"
	}
	if tree, ok := strings.CutSuffix(absolute(pattern), "/..."); ok {
		return tree + "/elsewhere"
	}
	return absolute(pattern)
}

func TestTheLongestPatternDecides(t *testing.T) {
	r := rule{of: []string{"./a/..."}, except: []string{"./a/b"}, deny: []string{"...", "os/...", "./a/b/c"}, allow: []string{"std", "./a/b/..."}}
	tests := []struct {
		reason, path     string
		covered, refused bool
	}{
		{"a package of the rule", "./a", true, true},
		{"one below it", "./a/c", true, true},
		{"one whose name begins likewise", "./ab", false, true},
		{"an exception", "./a/b", false, false},
		{"what is below an exception of one package", "./a/b/d", true, false},
		{"what is refused inside of what is allowed", "./a/b/c", true, true},
		{"what is below one package", "./a/b/c/d", true, false},
		{"the standard library", "net/http", false, false},
		{"what is refused of it", "os", false, true},
		{"what is below that", "os/exec", false, true},
		{"another module", "example.org/x", false, true},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			if path := absolute(tc.path); r.covers(path) != tc.covered || r.refuses(path) != tc.refused {
				t.Errorf("%s: %s is covered: %t, refused: %t, want %t and %t", tc.reason, path, r.covers(path), r.refuses(path), tc.covered, tc.refused)
			}
		})
	}
}
