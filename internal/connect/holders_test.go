// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// holdersOf returns the structs of this package that hold one of the named types, directly or through each other.
func holdersOf(t *testing.T, names ...string) []string {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	mentions := map[string][]string{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(gotoken.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			ast.Inspect(spec.Type, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					mentions[spec.Name.Name] = append(mentions[spec.Name.Name], id.Name)
				}
				_, isFunc := n.(*ast.FuncType)
				return !isFunc
			})
			return false
		})
	}
	held := map[string]bool{}
	for before := -1; before != len(held); {
		before = len(held)
		for name, of := range mentions {
			if slices.ContainsFunc(of, func(m string) bool { return slices.Contains(names, m) || (held[m] && m != name) }) {
				held[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(held))
}

// TestNoHolderShowsTheSecret prints every struct of this package that holds a
// credential or a client, by value and by pointer.
func TestNoHolderShowsTheSecret(t *testing.T) {
	b := newBench(t, providerConfig("a", "own"), secret("a", "own", token))
	s, err := b.For(t.Context(), record("a", "ProviderConfig", "own"))
	if err != nil {
		t.Fatal(err)
	}
	holders := map[string]any{"Session": &s, "Connections": b.Connections}
	for _, r := range b.read {
		holders["reading"] = &r
	}
	for _, u := range b.using {
		holders["use"] = &u
	}
	for _, p := range b.clients {
		holders["pooled"], holders["Names"] = p, p.names
	}
	for name, v := range holders {
		byValue := reflect.ValueOf(v).Elem() // The linter sees no copy of the lock here.
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			if shown := fmt.Sprintf(verb+" "+verb, v, byValue); strings.Contains(shown, token[5:17]) || strings.Contains(shown, fmt.Sprintf("%x", token[5:17])) {
				t.Errorf("%s of a %s shows the secret", verb, name)
			}
		}
		if asJSON, err := json.Marshal(v); strings.Contains(string(asJSON)+fmt.Sprint(err), token[5:17]) {
			t.Errorf("the JSON of a %s shows the secret", name)
		}
	}
	// Options are what clients are made with. They hold no credential.
	got := slices.DeleteFunc(holdersOf(t, "Credential", "Client"), func(n string) bool { return n == "Options" })
	if diff := cmp.Diff(got, slices.Sorted(maps.Keys(holders))); diff != "" {
		t.Errorf("structs that hold a secret (-in the package +tested):\n%s", diff)
	}
}
