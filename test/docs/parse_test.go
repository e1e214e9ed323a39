// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/test/page"
)

// shows are the languages that need no check.
var shows = map[string]bool{"text": true, "mermaid": true, "hcl": true, "lua": true, "promql": true}

// words are those that may follow a language.
var words = map[string][]string{
	"yaml":    {"fragment", "file", "pending", "dry-run", "e2e"},
	"console": {"e2e"},
	"sh":      {"file"},
	"json":    {"file"},
	"jq":      {"file"},
	"go":      {"file"},
}

// TestEveryBlockHasARule finds blocks that no test would check.
func TestEveryBlockHasARule(t *testing.T) {
	t.Parallel()
	for _, p := range pages(t) {
		for _, b := range p.Blocks {
			if why := unruly(b); why != "" {
				t.Errorf("%s:%d: %s", p.Path, b.Line, why)
			}
		}
	}
}

func unruly(b page.Block) string {
	known, ok := words[b.Lang()]
	switch {
	case b.Lang() == "":
		return "the block has no language: say what it is (text, if nothing else)"
	case !ok && !shows[b.Lang()]:
		return fmt.Sprintf("no rule for %s; doc.go has those there are", b.Lang())
	}
	for _, w := range strings.Fields(b.Info)[1:] {
		if name, _, _ := strings.Cut(w, "="); !slices.Contains(known, name) {
			return fmt.Sprintf("%s is no word for %s, but %v", w, b.Lang(), known)
		}
	}
	return ""
}

func TestUnruly(t *testing.T) {
	t.Parallel()
	for info, fine := range map[string]bool{
		"": false, "text": true, "yaml": true, "yaml fragment=Record": true, "yaml framgent": false, "cobol": false, "text file=a": false, "console e2e": true, "sh e2e": false,
	} {
		if got := unruly(page.Block{Info: info}); (got == "") != fine {
			t.Errorf("%q: %q", info, got)
		}
	}
}

// parse returns what is wrong with the syntax of a block, if its language is known.
func parse(b page.Block) error {
	switch b.Lang() {
	case "yaml":
		_, err := documents(b.Text())
		return err
	case "json":
		if !json.Valid([]byte(b.Text())) {
			return errors.New("this is no JSON")
		}
	case "sh":
		if out, err := tool(context.Background(), "", nil, strings.NewReader(b.Text()), "/bin/bash", "-n"); err != nil {
			return fmt.Errorf("this is no script: %s", out)
		}
	case "jq":
		if out, err := tool(context.Background(), "", nil, strings.NewReader("null"), "jq", "-n", "def f: "+b.Text()+"; 1"); err != nil {
			return fmt.Errorf("this is no program for jq: %s", out)
		}
	}
	return nil
}

// documents returns the objects of a YAML stream.
func documents(text string) ([]map[string]any, error) {
	var out []map[string]any
	for r := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text))); ; {
		doc, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		o := map[string]any{}
		if err := errors.Join(err, yaml.UnmarshalStrict(doc, &o)); err != nil {
			return nil, fmt.Errorf("this is no YAML: %w", err)
		}
		if len(o) > 0 {
			out = append(out, o)
		}
	}
}

func objectsOf(text string) ([]*unstructured.Unstructured, error) {
	docs, err := documents(text)
	var out []*unstructured.Unstructured
	for _, d := range docs {
		out = append(out, &unstructured.Unstructured{Object: d})
	}
	return out, err
}

// bases are the minimal objects of each kind, into which fragments are merged.
var bases = map[string]string{
	"Record": `{apiVersion: dns.cloudflare.m.crossplane.io/v1alpha1, kind: Record, metadata: {name: fragment, namespace: default},
		spec: {forProvider: {zoneName: example.com, name: www, type: A, content: 192.0.2.1}}}`,
	"Zone": `{apiVersion: zone.cloudflare.m.crossplane.io/v1alpha1, kind: Zone, metadata: {name: fragment, namespace: default},
		spec: {forProvider: {name: example.com}}}`,
	"ProviderConfig": `{apiVersion: cloudflare.m.crossplane.io/v1alpha1, kind: ProviderConfig, metadata: {name: fragment, namespace: default},
		spec: {credentials: {secretRef: {name: cloudflare, key: token}}}}`,
}

// fragment checks a part of an object against the kind's schema.
func (c *cluster) fragment(ctx context.Context, kind, text string) error {
	base, ok := bases[kind]
	if !ok {
		return fmt.Errorf("there is no kind %s to merge this into", kind)
	}
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(base), &o.Object); err != nil {
		return err
	}
	docs, err := documents(text)
	if err != nil {
		return err
	}
	for _, d := range docs {
		merge(o.Object, d)
	}
	if err := c.kube.Create(ctx, o, client.DryRunAll, client.FieldValidation("Strict")); err != nil {
		return fmt.Errorf("this is no part of a %s: %w", kind, err)
	}
	return nil
}

// merge copies from into to. Values of from win.
func merge(to, from map[string]any) {
	for k, v := range from {
		a, isMap := to[k].(map[string]any)
		b, areMaps := v.(map[string]any)
		if isMap && areMaps {
			merge(a, b)
			continue
		}
		to[k] = v
	}
}

func TestFragment(t *testing.T) {
	for text, fine := range map[string]bool{
		"spec:\n  adoptionPolicy: NameAndType\n":  true,
		"spec:\n  adoptionPolicy: Sometimes\n":    false,
		"spec:\n  forProvider:\n    unknown: 1\n": false,
	} {
		if err := shared.fragment(t.Context(), "Record", text); (err == nil) != fine {
			t.Errorf("%s: %v", text, err)
		}
	}
}
