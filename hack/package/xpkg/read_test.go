// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package xpkg

import (
	"encoding/base64"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

const (
	provider = "apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata:\n  name: example\n"
	secret   = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: example\n"
)

const (
	configuration = `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: example
spec:
  dependsOn:
  - apiVersion: pkg.crossplane.io/v1
    kind: Provider
    package: registry.example.org/provider
    version: ">=v0.1.0-0"
`
	xrd = `apiVersion: apiextensions.crossplane.io/v2
kind: CompositeResourceDefinition
metadata:
  name: as.example.org
spec:
  group: example.org
  names: {kind: A, plural: as}
  versions:
  - {name: v1, served: true, referenceable: true, schema: {openAPIV3Schema: {type: object}}}
`
	composition = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: as
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: A}
  mode: Pipeline
  pipeline:
  - {step: a, functionRef: {name: function-a}}
`
)

// TestRead compares for each folder our result with that of Crossplane's command line.
func TestRead(t *testing.T) {
	cases := map[string]struct {
		reason string
		files  map[string]string
		want   string // In our error; empty if it is a package.
		theirs bool   // Whether they accept what we refuse.
	}{
		"Smallest": {reason: "a provider without kinds is one", files: map[string]string{"crossplane.yaml": provider}},
		"Comments": {
			reason: "documents that are empty or comments are nothing",
			files:  map[string]string{"crossplane.yaml": "# A comment.\n---\n" + provider + "---\n# The end.\n...\n"},
		},
		"Kinds": {
			reason: "several kinds in one file, in a folder below",
			files:  map[string]string{"crossplane.yaml": provider, "crds/all.yml": crd("as.example.org") + crd("bs.example.org")},
		},
		"Webhook": {
			reason: "a provider may bring a webhook along",
			files: map[string]string{
				"crossplane.yaml": provider,
				"webhook.yaml":    "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata:\n  name: example\n",
			},
		},
		"Constraint": {
			reason: "a range of versions", files: map[string]string{"crossplane.yaml": provider + "spec:\n  crossplane:\n    version: \">=v2.0.0-0\"\n"},
		},
		"OtherFiles": {reason: "what is no YAML is not read", files: map[string]string{"crossplane.yaml": provider, "icon.svg": "<svg/>", "README.md": "# x"}},
		"Nothing":    {reason: "a package says what it is", files: map[string]string{"crd.yaml": crd("as.example.org")}, want: "0 objects"},
		"Two":        {reason: "and says it once", files: map[string]string{"crossplane.yaml": provider, "again.yaml": provider}, want: "2 objects"},
		"Secret":     {reason: "the package manager would refuse it", files: map[string]string{"crossplane.yaml": provider, "secret.yaml": secret}, want: "Secret"},
		"FunctionWebhook": {
			reason: "a function may only bring kinds along",
			files: map[string]string{
				"crossplane.yaml": "apiVersion: meta.pkg.crossplane.io/v1\nkind: Function\nmetadata:\n  name: example\n",
				"webhook.yaml":    "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata:\n  name: example\n",
			},
			want: "ValidatingWebhookConfiguration",
		},
		"NoConstraint": {
			reason: "a range that cannot be read fits no version",
			files:  map[string]string{"crossplane.yaml": provider + "spec:\n  crossplane:\n    version: newest\n"}, want: "spec.crossplane.version",
		},
		"NoYAML": {reason: "what cannot be read", files: map[string]string{"crossplane.yaml": provider, "crd.yaml": "a: [\n"}, want: "crd.yaml"},
		"NoName": {
			reason: "an object needs a name", files: map[string]string{"crossplane.yaml": "apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\n"},
			want: "name", theirs: true,
		},
		"Twice": {
			reason: "of two definitions of a kind one would be lost",
			files:  map[string]string{"crossplane.yaml": provider, "a.yaml": crd("as.example.org"), "b.yaml": crd("as.example.org")}, want: "as well", theirs: true,
		},
		"DuplicateField": {
			reason: "of two values one would be lost",
			files:  map[string]string{"crossplane.yaml": provider + "spec:\n  capabilities: []\n  capabilities: [safe-start]\n"}, want: "capabilities", theirs: true,
		},
		"Configuration": {
			reason: "abstractions and what becomes of them, with what they need",
			files:  map[string]string{"crossplane.yaml": configuration, "a/xrd.yaml": xrd, "a/composition.yaml": composition},
		},
		"ConfigurationKind": {
			reason: "kinds of its own a Configuration gets from a provider",
			files:  map[string]string{"crossplane.yaml": configuration, "crd.yaml": crd("as.example.org")}, want: "CustomResourceDefinition",
		},
		"DependencyRange": {
			reason: "a range that cannot be read fits no version",
			files:  map[string]string{"crossplane.yaml": strings.Replace(configuration, ">=v0.1.0-0", "newest", 1)}, want: "spec.dependsOn[0]", theirs: true,
		},
		"DependencyNowhere": {
			reason: "nothing would be pulled from it",
			files:  map[string]string{"crossplane.yaml": strings.Replace(configuration, "registry.example.org/provider", "PROVIDER", 1)}, want: "spec.dependsOn[0]", theirs: true,
		},
		"DependencyWithoutKind": {
			reason: "the package manager has to know what it is",
			files:  map[string]string{"crossplane.yaml": strings.Replace(configuration, "    kind: Provider\n", "", 1)}, want: "spec.dependsOn[0]", theirs: true,
		},
		"Operation": {
			reason: "a package of another kind is not for us to build",
			files:  map[string]string{"crossplane.yaml": strings.Replace(provider, "Provider", "Operation", 1)}, want: "Operation",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, tc.files)
			_, err := Read(dir)
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: got %v, want an error that says %q", tc.reason, err, tc.want)
			}
			out, theirs := crossplane(t, "xpkg", "build", "--package-root="+dir, "--examples-root="+filepath.Join(dir, "none"), "-o", filepath.Join(t.TempDir(), "x.xpkg"))
			if taken := err == nil || tc.theirs; taken != (theirs == nil) {
				t.Errorf("%s: we say %v, and Crossplane says %v: %s", tc.reason, err, theirs, out)
			}
		})
	}
}

func TestExamples(t *testing.T) {
	got, err := Examples(folder(t, map[string]string{"b.yaml": secret}), folder(t, map[string]string{"a.yaml": provider}))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Kind != "Secret" || got[1].Kind != "Provider" {
		t.Errorf("got %+v, want what is in both folders", got)
	}
	if _, err := Examples(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a folder that is not there was read: it is misspelt")
	}
	if _, err := Examples(folder(t, map[string]string{"a.yaml": "just: text\n"})); err == nil || !strings.Contains(err.Error(), "a.yaml") {
		t.Errorf("what is no object: got %v, want an error that names the file", err)
	}
}

func TestAbout(t *testing.T) {
	cases := map[string]struct{ reason, source, want string }{
		"Module":  {"as most packages write it", "github.com/example/provider", "https://github.com/example/provider"},
		"Address": {"as the field is described", "https://example.com/provider", "https://example.com/provider"},
		"None":    {"nothing is not an address", "", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := &Package{}
			p.Meta.Metadata.Name = "example"
			p.Meta.Metadata.Annotations = map[string]string{"meta.crossplane.io/source": tc.source}
			if a := p.About("v1", "abc", time.Unix(0, 0)); a.Source != tc.want || a.Title != "example" {
				t.Errorf("%s: got %+v, want the source %q", tc.reason, a, tc.want)
			}
		})
	}
}

// TestProvider checks what the provider's own package says about itself.
func TestProvider(t *testing.T) {
	p, err := Read(filepath.Join(root, "package"))
	if err != nil {
		t.Fatal(err)
	}
	said := p.Meta.Metadata.Annotations
	for _, name := range []string{"maintainer", "source", "license", "description", "readme"} {
		if said["meta.crossplane.io/"+name] == "" {
			t.Errorf("it does not say its %s", name)
		}
	}
	if name := said["friendly-name.meta.crossplane.io"]; name == "" {
		t.Error("it has no name for people")
	}
	icon, err := os.ReadFile(filepath.Join(root, "package", "icon.svg"))
	if err != nil {
		t.Fatal(err)
	}
	want := "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(icon[:len(icon)-1])
	if got := said["meta.crossplane.io/iconURI"]; got != want {
		t.Errorf("its icon is %q, and icon.svg would be %q", got, want)
	}
	groups := map[string]bool{}
	for _, o := range p.Objects {
		_, group, _ := strings.Cut(o.Metadata.Name, ".")
		groups[group] = true
		if said["friendly-group-name.meta.crossplane.io/"+group] == "" {
			t.Errorf("the group %s has no name for people", group)
		}
	}
	for name := range said {
		if group, ok := strings.CutPrefix(name, "friendly-group-name.meta.crossplane.io/"); ok && !groups[group] {
			t.Errorf("it names a group %s, of which it has no kinds", group)
		}
	}
	if !strings.Contains(string(p.Meta.text), "capabilities:\n  - safe-start\n") {
		t.Error("it does not start safely")
	}
}

// configurationFiles returns the files of our own Configuration, as the Makefile names
// them.
func configurationFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, name := range []string{"xrd.yaml", "composition.yaml"} {
		found, err := filepath.Glob(filepath.Join(root, "examples", "composition", "*", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}

// TestConfiguration checks the content of our own Configuration: each abstraction with the
// Composition that it enforces, and the functions that these call among its dependencies.
func TestConfiguration(t *testing.T) {
	p, err := Read(filepath.Join(root, "configuration"), configurationFiles(t)...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(filepath.Join(root, "configuration"), filepath.Join(t.TempDir(), "none.yaml")); err == nil {
		t.Error("a file that is not there was read")
	}
	var meta struct {
		Spec struct{ DependsOn []dependency }
	}
	if err := yaml.Unmarshal(p.Meta.text, &meta); err != nil {
		t.Fatal(err)
	}
	provided := map[string]bool{}
	for _, d := range meta.Spec.DependsOn {
		provided[path.Base(d.Package)] = true
	}
	if !provided["provider-cloudflare"] {
		t.Errorf("it depends on %v, and not on the provider", provided)
	}
	compositions, called := map[string]bool{}, map[string]bool{}
	for _, o := range p.Objects {
		for _, f := range steps(t, o) {
			called[f] = true
		}
		compositions[o.Metadata.Name] = compositions[o.Metadata.Name] || o.Kind == "Composition"
	}
	for f := range called {
		if !provided[f] {
			t.Errorf("a Composition calls %s, on which the package does not depend", f)
		}
	}
	for _, o := range p.Objects {
		if name := enforced(t, o); o.Kind == "CompositeResourceDefinition" && !compositions[name] {
			t.Errorf("%s enforces the Composition %q, which is not in the package", o.Metadata.Name, name)
		}
	}
	if len(p.Objects) != 10 || len(called) != 2 {
		t.Errorf("it has %d objects that call %d functions, want five definitions with a Composition each, and two functions", len(p.Objects), len(called))
	}
}

// steps returns the functions that a Composition calls, or none for another object.
func steps(t *testing.T, o Object) []string {
	t.Helper()
	var c struct {
		Spec struct {
			Pipeline []struct{ FunctionRef struct{ Name string } }
		}
	}
	if err := yaml.Unmarshal(o.text, &c); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range c.Spec.Pipeline {
		out = append(out, s.FunctionRef.Name)
	}
	return out
}

// enforced returns the Composition that a definition enforces.
func enforced(t *testing.T, o Object) string {
	t.Helper()
	var d struct {
		Spec struct{ EnforcedCompositionRef struct{ Name string } }
	}
	if err := yaml.Unmarshal(o.text, &d); err != nil {
		t.Fatal(err)
	}
	return d.Spec.EnforcedCompositionRef.Name
}
