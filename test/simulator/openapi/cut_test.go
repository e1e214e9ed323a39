// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi

import (
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/hack/officialdoc"
)

func TestCut(t *testing.T) {
	const doc = `{
		"openapi": "3.0.3", "info": {}, "security": [],
		"paths": {"/a": {"get": {"$ref": "#/components/schemas/loop"}}, "/b": {"$ref": "#/components/schemas/none"}, "/c": 1},
		"components": {
			"schemas": {"loop": {"items": [{"$ref": "#/components/schemas/loop"}, {"$ref": "#/components/schemas/leaf"}]}, "leaf": {}, "other": {}},
			"securitySchemes": {"token": {}}
		}
	}`
	got, err := cut([]byte(doc), []string{"/a"})
	if err != nil {
		t.Fatalf("cut(): %v", err)
	}
	kept := schemas(got)
	if kept["loop"] == nil || kept["leaf"] == nil || kept["other"] != nil {
		t.Errorf("what a path refers to is kept, directly or not, and nothing else: got %v", kept)
	}
	for path, want := range map[string]string{"/b": "#/components/schemas/none", "/x": "no path /x"} {
		if _, err := cut([]byte(doc), []string{path}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("cut to %s: error with %q wanted, got %v", path, want, err)
		}
	}
	if _, err := cut([]byte("<html>"), nil); err == nil {
		t.Error("what is no JSON is an error")
	}
}

// BenchmarkBuild measures the cost of the first Load in a process.
func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		raw, err := officialdoc.Read(b.Context())
		if err != nil {
			b.Fatalf("officialdoc.Read(): %v", err)
		}
		if _, err := build(raw, corrections()); err != nil {
			b.Fatalf("build(): %v", err)
		}
	}
}
