// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/provider-cloudflare/provider-cloudflare/test/page"
)

// othersFlags are flags in pages that are not the provider's, with the program that has them.
var othersFlags = map[string]string{
	"--set": "helm", "--phases": "make chaos", "--help": "any",
	"--policy": "external-dns", "--registry": "external-dns", "--domain-filter": "external-dns", "--exclude-domains": "external-dns",
	"--txt-owner-id": "external-dns", "--txt-prefix": "external-dns",
	"--txt-suffix": "external-dns", "--txt-wildcard-replacement": "external-dns", "--txt-encrypt-enabled": "external-dns", "--zone-id-filter": "external-dns", "--dry-run": "external-dns",
	"--interval": "external-dns", "--cloudflare-proxied": "external-dns", "--cloudflare-record-comment": "external-dns",
	"--certificate-identity-regexp": "cosign", "--enable-signature-verification": "Crossplane",
	"--crossplane-binary": "crossplane",
}

var (
	makeTarget = regexp.MustCompile(`^(?:\$ )?make ((?:[a-z][a-z0-9-]*(?: |$))+)`)
	helpLine   = regexp.MustCompile(`(?m)^([a-z0-9-]+):.*## `)
	flagName   = regexp.MustCompile(`^--[a-z][a-z-]*`)
)

// flagsPage has every flag of the provider.
const flagsPage = "docs/reference/flags.md"

// pluginPage has the flags of the plugin.
const pluginPage = "docs/reference/cli.md"

// TestNames checks that the make targets and flags in pages exist.
func TestNames(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, m := range helpLine.FindAllStringSubmatch(string(raw), -1) {
		targets = append(targets, m[1])
	}
	flags, ofPlugin := providerFlags(t), pluginFlags(t)
	var table string
	for _, p := range pages(t) {
		spans := page.Code(p.Prose)
		for _, b := range p.Blocks {
			if b.Lang() == "console" {
				spans = append(spans, b.Lines...)
			}
		}
		for _, s := range spans {
			s = strings.Trim(s, "`")
			if m := makeTarget.FindStringSubmatch(s); m != nil {
				for target := range strings.FieldsSeq(m[1]) {
					if !slices.Contains(targets, target) {
						t.Errorf("%s: make has no target %s", p.Path, target)
					}
				}
			}
			if f := flagName.FindString(s); f != "" && !slices.Contains(flags, f) && othersFlags[f] == "" &&
				(p.Path != pluginPage || !slices.Contains(ofPlugin, f)) {
				t.Errorf("%s: the provider has no flag %s", p.Path, f)
			}
		}
		if p.Path == flagsPage {
			table = p.Prose
		}
	}
	for _, f := range flags {
		if !strings.Contains(table, "\n| `"+f+"` |") {
			t.Errorf("%s: the table of flags lacks %s", flagsPage, f)
		}
	}
}

// providerFlags returns the flags of cmd/provider, which are the fields of its command line.
func providerFlags(t *testing.T) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "cmd", "provider", "main.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != "flags" {
			return true
		}
		s, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, field := range s.Fields.List {
			tag, _ := strconv.Unquote(field.Tag.Value)
			name := reflect.StructTag(tag).Get("name")
			if name == "" {
				name = dashed(field.Names[0].Name)
			}
			out = append(out, "--"+name)
		}
		return false
	})
	if len(out) == 0 {
		t.Fatal("cmd/provider has no flags")
	}
	return out
}

// pluginFlags returns the flags in the plugin's help.
func pluginFlags(t *testing.T) []string {
	t.Helper()
	bin, err := shared.programs()
	if err != nil {
		t.Fatal(err)
	}
	var flags []string
	for _, command := range []string{"zone", "account"} {
		out, err := tool(t.Context(), root, os.Environ(), nil, filepath.Join(bin, "kubectl-cloudflare"), "export", command, "--help")
		if err != nil {
			t.Fatal(err)
		}
		flags = append(flags, regexp.MustCompile(`--[a-z][a-z-]*`).FindAllString(out, -1)...)
	}
	return flags
}

// dashed returns kong's name for the flag of a field.
func dashed(field string) string {
	var b strings.Builder
	for i, r := range field {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
