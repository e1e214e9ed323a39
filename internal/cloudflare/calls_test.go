// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCallsAreListed expects docs/kinds/api-calls.md to list all calls that this package makes
// for Record, Zone and provider configs, and no others.
func TestCallsAreListed(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "kinds", "api-calls.md"))
	if err != nil {
		t.Fatal(err)
	}
	handmade, _, _ := strings.Cut(string(page), "## All other kinds")
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)\\| ([A-Z]+) \\| `([^`]+)` \\|").FindAllStringSubmatch(handmade, -1) {
		listed[m[1]+" "+m[2]] = true
	}
	made := operationsIn(t)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(made)), slices.Sorted(maps.Keys(listed))); diff != "" {
		t.Errorf("docs/kinds/api-calls.md (-made +listed):\n%s", diff)
	}
	if len(made) < 10 {
		t.Errorf("the package's sources show %d calls: are they read?", len(made))
	}
}

// operationsIn returns the operations in the package's sources, as "METHOD route".
func operationsIn(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	routes, out := map[string]string{}, map[string]bool{}
	var operations []*ast.CompositeLit
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				constant(routes, n)
			case *ast.CompositeLit:
				if typ, ok := n.Type.(*ast.Ident); ok && (typ.Name == "operation" || typ.Name == "Request") {
					operations = append(operations, n)
				}
			}
			return true
		})
	}
	for _, o := range operations {
		method, route := member(o, "method"), routes[member(o, "route")]
		if route == "" {
			continue // The call of a described kind is in its description.
		}
		out[strings.ToUpper(strings.TrimPrefix(method, "Method"))+" "+route] = true
	}
	return out
}

// constant adds the paths among the string constants of spec to values.
func constant(values map[string]string, spec *ast.ValueSpec) {
	for i, name := range spec.Names {
		if i >= len(spec.Values) {
			return
		}
		if lit, ok := spec.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil && strings.HasPrefix(text, "/") {
				values[name.Name] = text
			}
		}
	}
}

// member returns the identifier that is the value of a literal's member. The name of the member
// may begin in lower or upper case.
func member(lit *ast.CompositeLit, name string) string {
	for _, e := range lit.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := pair.Key.(*ast.Ident); !ok || !strings.EqualFold(key.Name, name) {
			continue
		}
		switch value := pair.Value.(type) {
		case *ast.Ident:
			return value.Name
		case *ast.SelectorExpr:
			return value.Sel.Name
		}
	}
	return ""
}
