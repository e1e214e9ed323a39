// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/test/manifest"
)

// A rendering is the result of rendering a composite resource.
type rendering struct {
	text string
	xr   *unstructured.Unstructured
	// composed has the composed resources by their names in the Composition.
	composed map[string]*unstructured.Unstructured
}

// A given is the input of a rendering.
type given struct {
	xr       *unstructured.Unstructured
	observed []*unstructured.Unstructured
	// secrets are the connection secrets of the observed resources.
	secrets  []*unstructured.Unstructured
	required []string
	// composition is the path of a Composition that replaces the example's.
	composition string
}

// render renders a composite resource of an example with Crossplane.
func render(t *testing.T, name string, g given) (rendering, error) {
	t.Helper()
	dir := t.TempDir()
	args := []string{
		"composition", "render", write(t, dir, "xr.yaml", g.xr), cmp.Or(g.composition, example(name, "composition.yaml")), shared.functions,
		"--crossplane-binary=" + shared.core, "--xrd=" + example(name, "xrd.yaml"),
	}
	for _, r := range g.required {
		args = append(args, "--required-resources="+r)
	}
	if len(g.observed) > 0 {
		args = append(args, "--observed-resources="+write(t, dir, "observed.yaml", g.observed...))
	}
	if len(g.secrets) > 0 {
		args = append(args, "--function-credentials="+write(t, dir, "secrets.yaml", g.secrets...))
	}
	out, err := output(shared.command(t.Context(), args...))
	if err != nil {
		return rendering{}, err
	}
	r := rendering{text: out, composed: map[string]*unstructured.Unstructured{}}
	for _, o := range documents(t, out) {
		if id := o.GetAnnotations()["crossplane.io/composition-resource-name"]; id != "" {
			r.composed[id] = o
			continue
		}
		r.xr = o
	}
	if r.xr == nil {
		t.Fatalf("no composite resource in:\n%s", out)
	}
	return r, nil
}

// mustRender renders and fails the test on an error.
func mustRender(t *testing.T, name string, g given) rendering {
	t.Helper()
	r, err := render(t, name, g)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// write writes objects into a file.
func write(t *testing.T, dir, name string, objects ...*unstructured.Unstructured) string {
	t.Helper()
	var b bytes.Buffer
	for _, o := range objects {
		raw, err := yaml.Marshal(o.Object)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("---\n")
		b.Write(raw)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// documents reads the objects of a text.
func documents(t *testing.T, text string) []*unstructured.Unstructured {
	t.Helper()
	var out []*unstructured.Unstructured
	for r := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text))); ; {
		doc, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out
		}
		raw, jsonErr := yaml.YAMLToJSON(doc)
		o := &unstructured.Unstructured{}
		if err := errors.Join(err, jsonErr, json.Unmarshal(raw, &o.Object)); err != nil {
			t.Fatal(err)
		}
		if len(o.Object) > 0 {
			out = append(out, o)
		}
	}
}

// read returns the object of an example's file with one object.
func read(t *testing.T, name, file string) *unstructured.Unstructured {
	t.Helper()
	return only(t, example(name, file))
}

// only returns the object of a file with one object.
func only(t *testing.T, path string) *unstructured.Unstructured {
	t.Helper()
	objects, err := manifest.Read(path)
	if err != nil || len(objects) != 1 {
		t.Fatalf("%d objects in %s: %v", len(objects), path, err)
	}
	return objects[0]
}

// edit returns a copy of an object with other values in its spec, by their paths.
func edit(t *testing.T, o *unstructured.Unstructured, spec map[string]any) *unstructured.Unstructured {
	t.Helper()
	o = o.DeepCopy()
	for field, value := range spec {
		if value == nil {
			unstructured.RemoveNestedField(o.Object, "spec", field)
			continue
		}
		if err := unstructured.SetNestedField(o.Object, value, "spec", field); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// golden compares a rendering with the golden file of that name.
func golden(t *testing.T, name string, r rendering) {
	t.Helper()
	path := filepath.Join("testdata", name+".yaml")
	if *update {
		if err := os.WriteFile(path, []byte(r.text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), r.text); diff != "" {
		t.Errorf("run with -update if this is meant (-want +got):\n%s", diff)
	}
}

// condition returns "status reason" of a condition.
func condition(o *unstructured.Unstructured, typ string) string {
	c := conditionOf(o, typ)
	if c == nil {
		return ""
	}
	return fmt.Sprint(c["status"], " ", c["reason"])
}

// message returns the message of a condition.
func message(o *unstructured.Unstructured, typ string) string {
	said, _ := conditionOf(o, typ)["message"].(string)
	return said
}

func conditionOf(o *unstructured.Unstructured, typ string) map[string]any {
	list, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, c := range list {
		if m, ok := c.(map[string]any); ok && m["type"] == typ {
			return m
		}
	}
	return nil
}
