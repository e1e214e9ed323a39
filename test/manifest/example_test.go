// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// write creates a folder of examples from files by their paths.
func write(t *testing.T, files map[string]string) Examples {
	t.Helper()
	e := Examples{Folder: t.TempDir(), Zone: "team.example", Namespace: "team"}
	for name, text := range files {
		path := filepath.Join(e.Folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

const (
	zone   = "# A zone.\napiVersion: v1\nkind: Zone\nmetadata: {name: example-zone, namespace: default}\nspec: {name: example.com}\n"
	record = "apiVersion: v1\nkind: Record\nmetadata: {name: www}\nspec:\n  zoneIdRef:\n    name: example-zone\n"
	dnssec = "apiVersion: v1\nkind: DNSSEC\nmetadata: {name: signed}\nspec:\n  zoneIdRef:\n    name: example-zone\n"
)

// ids returns the kinds and names of objects, in order.
func ids(all []*unstructured.Unstructured) string {
	var out []string
	for _, o := range all {
		out = append(out, o.GetKind()+"/"+o.GetName())
	}
	return strings.Join(out, " ")
}

func TestExamplesOf(t *testing.T) {
	secret := "apiVersion: v1\nkind: Secret\nmetadata: {name: input}\n---\n"
	tests := []struct {
		reason, kind string
		files        map[string]string
		want, fails  string
	}{
		{"what it refers to comes first", "DNSSEC", map[string]string{"zone/zone.yaml": zone, "dnssec/dnssec.yaml": dnssec}, "Zone/example-zone DNSSEC/signed", ""},
		{
			"a zone of its own in place of the zone's example", "DNSSEC",
			map[string]string{"zone/zone.yaml": zone, "dnssec/dnssec.yaml": strings.ReplaceAll(zone, "example-zone", "own") + "---\n" + dnssec},
			"Zone/own DNSSEC/signed", "",
		},
		{"all objects of the file", "Zone", map[string]string{"zone/zone.yaml": secret + zone}, "Secret/input Zone/example-zone", ""},
		{"the file of the kind's name, of several", "Zone", map[string]string{"zone/a.yaml": "nonsense", "zone/zone.yaml": zone}, "Zone/example-zone", ""},
		{"else the first", "Zone", map[string]string{"zone/a.yaml": zone, "zone/b.yaml": "nonsense"}, "Zone/example-zone", ""},
		{"no example", "DNSSEC", map[string]string{"zone/zone.yaml": zone}, "", "DNSSEC"},
		{"no example of what it refers to", "DNSSEC", map[string]string{"dnssec/dnssec.yaml": dnssec}, "", "Zone"},
		{"an example of something else", "Zone", map[string]string{"zone/zone.yaml": record}, "", "no object of kind Zone"},
		{"no YAML", "Zone", map[string]string{"zone/zone.yaml": "a: b: c"}, "", "zone.yaml"},
	}
	for _, tc := range tests {
		got, err := write(t, tc.files).Of(tc.kind)
		switch {
		case tc.fails != "" && (err == nil || !strings.Contains(err.Error(), tc.fails)):
			t.Errorf("%s: the error is %v, want one that says %q", tc.reason, err, tc.fails)
		case tc.fails == "" && (err != nil || ids(got) != tc.want):
			t.Errorf("%s: %s (%v), want %s", tc.reason, ids(got), err, tc.want)
		}
		for _, o := range got {
			if name, _, _ := unstructured.NestedString(o.Object, "spec", "name"); o.GetNamespace() != "team" || name == "example.com" {
				t.Errorf("%s: %s is in namespace %s, about %s", tc.reason, o.GetKind(), o.GetNamespace(), name)
			}
		}
	}
}

func TestExamplesAll(t *testing.T) {
	files := map[string]string{"zone/zone.yaml": zone, "record/a.yaml": record, "dnssec/dnssec.yaml": dnssec}
	got, err := write(t, files).All([]string{"DNSSEC", "Record", "Zone"})
	if want := "Zone/example-zone DNSSEC/signed Record/www"; err != nil || ids(got) != want {
		t.Errorf("got %s (%v), want %s", ids(got), err, want)
	}
	files["record/a.yaml"] = strings.Replace(zone, "example.com", "other.example", 1) + "---\n" + record
	if _, err := write(t, files).All([]string{"DNSSEC", "Record"}); err == nil || !strings.Contains(err.Error(), "Record") || !strings.Contains(err.Error(), "example-zone") {
		t.Errorf("two examples with different zones of one name: the error is %v", err)
	}
	if got, err := write(t, files).All([]string{"Zone", "Nonsense"}); err == nil || slices.Contains(strings.Fields(ids(got)), "Zone/example-zone") {
		t.Errorf("got %s (%v) of kinds of which one has no example", ids(got), err)
	}
}
