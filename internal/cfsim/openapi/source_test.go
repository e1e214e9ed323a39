// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strings"
	"testing"
)

func TestUnpack(t *testing.T) {
	pack := func(s string) string {
		var packed bytes.Buffer
		zw := gzip.NewWriter(&packed)
		if _, err := zw.Write([]byte(s)); err != nil {
			t.Fatalf("gzip: %v", err)
		}
		if err := zw.Close(); err != nil {
			t.Fatalf("gzip: %v", err)
		}
		return base64.StdEncoding.EncodeToString(packed.Bytes())
	}
	tests := map[string]struct {
		reason  string
		script  string
		want    string
		wantErr string
	}{
		"Found":       {reason: "The variable holds the document.", script: "x\n  EMBEDDED_SPEC=\"" + pack("{}") + "\"\ny", want: "{}"},
		"NoVariable":  {reason: "A script of another kind.", script: "echo", wantErr: "cannot find EMBEDDED_SPEC"},
		"NoEnd":       {reason: "A script that is cut off.", script: `EMBEDDED_SPEC="abc`, wantErr: "cannot find the end"},
		"NoBase64":    {reason: "A value of another kind.", script: `EMBEDDED_SPEC="$(cat x)"`, wantErr: "cannot decompress"},
		"Damaged":     {reason: "A value that is cut off.", script: `EMBEDDED_SPEC="` + pack("{}")[:20] + `"`, wantErr: "cannot decompress"},
		"FollowedByX": {reason: "Only the variable counts.", script: `EMBEDDED_SPEC="` + pack("[1]") + `"; X="` + pack("[2]") + `"`, want: "[1]"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := unpack([]byte(tc.script))
			if tc.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tc.wantErr) {
					t.Errorf("%s error with %q wanted, got %v", tc.reason, tc.wantErr, err)
				}
				return
			}
			if err != nil || string(got) != tc.want {
				t.Errorf("%s want %s, got %s and error %v", tc.reason, tc.want, got, err)
			}
		})
	}
}

func TestModuleDirUnknown(t *testing.T) {
	if dir, err := moduleDir("example.com/no/such/module"); err == nil {
		t.Errorf("a module that go.mod does not have is an error, got %q", dir)
	}
}

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

// BenchmarkBuild measures what the first Load of a process costs.
func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		raw, err := readOfficial()
		if err != nil {
			b.Fatalf("readOfficial(): %v", err)
		}
		if _, err := build(raw, corrections()); err != nil {
			b.Fatalf("build(): %v", err)
		}
	}
}
