// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// holdersOf returns the types of this package that hold one of the named types, directly or through each other.
func holdersOf(t *testing.T, names ...string) []string {
	t.Helper()
	source := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	pkgs, err := parser.ParseDir(token.NewFileSet(), ".", source, 0) //nolint:staticcheck // Build tags do not matter here.
	if err != nil {
		t.Fatal(err)
	}
	mentions := map[string]map[string]bool{}
	ast.Inspect(pkgs["cloudflare"], func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		mentioned := map[string]bool{}
		ast.Inspect(spec.Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				mentioned[id.Name] = true
			}
			_, isFunc := n.(*ast.FuncType) // A function's parameters are not held.
			return !isFunc
		})
		mentions[spec.Name.Name] = mentioned
		return false
	})
	held := map[string]bool{}
	for _, n := range names {
		held[n] = true
	}
	for grown := true; grown; {
		grown = false
		for name, of := range mentions {
			for m := range of {
				if held[m] && !held[name] {
					held[name], grown = true, true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(held))
}

type holder struct {
	name  string
	value any
}

// holders returns values of every type of this package that holds a secret.
func holders() []holder {
	var out []holder
	for _, cred := range []Credential{NewToken(secretToken), NewKey(secretKey, "hidden-user@example.com")} {
		c := New(cred, Options{})
		out = append(out,
			holder{"hidden", cred.token},
			holder{"Credential", cred},
			holder{"Client", *c},
			holder{"", BudgetMetrics{clients: func() []*Client { return []*Client{c} }}},
			// Pointers and other types around them, with exported and unexported fields.
			holder{"", &cred},
			holder{"", c},
			holder{"", []any{cred, &cred, c, *c, map[string]any{"c": c, "cred": cred}}},
			holder{"", struct {
				Cred   Credential
				cred   Credential
				Client *Client
				client *Client
				byName map[string]Credential
				list   []Credential
				any    any
			}{cred, cred, c, c, map[string]Credential{"x": cred}, []Credential{cred}, cred}},
			holder{"", fmt.Errorf("cannot use %v, %w", cred, &Error{Method: "GET", Route: "/zones", cause: fmt.Errorf("with %+v", c)})},
		)
	}
	return out
}

// TestNoHolderShowsTheSecret prints every type that holds a secret, in every way of printing.
func TestNoHolderShowsTheSecret(t *testing.T) {
	known := map[string]bool{}
	for _, h := range holders() {
		if h.name != "" {
			known[h.name] = true
		}
		for how, shown := range renderings(t, h.value) {
			for _, secret := range []string{secretToken, secretKey, "hidden-user"} {
				if strings.Contains(shown, secret) {
					t.Errorf("%s of %T shows the secret", how, h.value)
				}
			}
		}
	}
	if diff := cmp.Diff(holdersOf(t, "hidden"), slices.Sorted(maps.Keys(known))); diff != "" {
		t.Errorf("types that hold a secret (-in the package +tested):\n%s", diff)
	}
}

func renderings(t *testing.T, v any) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		out[verb] = fmt.Sprintf(verb, v)
	}
	asJSON, err := json.Marshal(v)
	out["JSON"] = fmt.Sprintf("%s %v", asJSON, err)
	var logs bytes.Buffer
	for _, h := range []slog.Handler{slog.NewTextHandler(&logs, nil), slog.NewJSONHandler(&logs, nil)} {
		slog.New(h).Info("x", "value", v)
	}
	out["slog"] = logs.String()
	func() {
		defer func() { out["recovered panic"] = fmt.Sprintf("%v %+v", recover(), recover()) }()
		panic(v)
	}()
	return out
}

// panicIn is the environment variable that makes TestPanicShowsNoSecret panic.
const panicIn = "CLOUDFLARE_TEST_PANIC"

// TestPanicShowsNoSecret panics with each of them in another process, and reads the output of
// that process: the value, and the stack with its arguments.
func TestPanicShowsNoSecret(t *testing.T) {
	if which := os.Getenv(panicIn); which != "" {
		for i, h := range holders() {
			if fmt.Sprint(i) == which {
				panic(h.value)
			}
		}
		t.Fatalf("there is no holder %s", which)
	}
	for i, h := range holders() {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestPanicShowsNoSecret$")
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", panicIn, i), "GOTRACEBACK=system")
		left, err := cmd.CombinedOutput()
		if err == nil || !bytes.Contains(left, []byte("panic: ")) {
			t.Fatalf("the process did not die of a panic (%v):\n%s", err, left)
		}
		for _, secret := range []string{secretToken, secretKey, "hidden-user"} {
			if bytes.Contains(left, []byte(secret)) {
				t.Errorf("a panic with a %T shows the secret", h.value)
			}
		}
	}
}
