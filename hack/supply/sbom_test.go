// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// document is the checked part of a CycloneDX document, read without the library that
// wrote it.
type document struct {
	BOMFormat, SpecVersion, SerialNumber string
	Metadata                             struct {
		Timestamp string
		Component part
	}
	Components   []part
	Dependencies []struct {
		Ref       string
		DependsOn []string
	}
}

type part struct {
	Name, Version, PURL string
	BOMRef              string `json:"bom-ref"`
	Hashes              []struct{ Alg, Content string }
	Licenses            []struct{ License struct{ ID string } }
	Properties          []struct{ Name, Value string }
}

// checksums returns those of go.sum in hexadecimal digits, by "path version".
func checksums(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		fields := strings.Fields(s.Text())
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(fields[2], "h1:"))
		if err != nil {
			t.Fatal(err)
		}
		out[fields[0]+" "+fields[1]] = hex.EncodeToString(raw)
	}
	return out
}

// build builds the provider as it is in the image.
func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "provider")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", binary, "./cmd/provider")
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("cannot build the provider: %v\n%s", err, out)
	}
	return binary
}

// TestSBOM compares the bill of materials of the real binary with what the compiler
// recorded in it, with go.sum, and with the policy on licences.
func TestSBOM(t *testing.T) {
	binary := build(t)
	files := [2]string{}
	for i := range files {
		files[i] = filepath.Join(t.TempDir(), "sbom.json")
		if err := run(t.Context(), []string{"sbom", "--binary", binary, "--version", "v1.2.3+x", "--revision", "0123abcd", "--created", "1767225600", "--out", files[i]}); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(files[1]); err != nil || !bytes.Equal(raw, again) {
		t.Errorf("the same binary gives two documents (%v)", err)
	}
	var doc document
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.BOMFormat != "CycloneDX" || doc.SpecVersion != "1.6" || !strings.HasPrefix(doc.SerialNumber, "urn:uuid:") || len(doc.SerialNumber) != 45 {
		t.Errorf("the document is %s %s %s", doc.BOMFormat, doc.SpecVersion, doc.SerialNumber)
	}

	content, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(content)
	c := doc.Metadata.Component
	if c.Version != "v1.2.3+x" || !strings.HasSuffix(c.PURL, "@v1.2.3%2Bx") || len(c.Hashes) != 1 || c.Hashes[0].Content != hex.EncodeToString(sum[:]) {
		t.Errorf("the binary is described as %+v", c)
	}
	commit := ""
	for _, p := range c.Properties {
		if p.Name == "go:vcs.revision" {
			commit = p.Value
		}
	}
	if commit != "0123abcd" || doc.Metadata.Timestamp != "2026-01-01T00:00:00Z" {
		t.Errorf("it is of the commit %q at %q", commit, doc.Metadata.Timestamp)
	}
	if len(doc.Dependencies) != 1 || doc.Dependencies[0].Ref != c.BOMRef || len(doc.Dependencies[0].DependsOn) != len(doc.Components) {
		t.Errorf("the binary depends on %+v, and there are %d components", doc.Dependencies, len(doc.Components))
	}

	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]part{}
	for _, p := range doc.Components {
		found[p.Name] = p
		if len(p.Licenses) == 0 {
			t.Errorf("%s has no licence", p.Name)
		}
		for _, l := range p.Licenses {
			if policy()[l.License.ID] == "" {
				t.Errorf("%s has the licence %q", p.Name, l.License.ID)
			}
		}
	}
	sums := checksums(t)
	if len(info.Deps) < 50 || len(found) != len(info.Deps)+1 {
		t.Errorf("there are %d components, and the binary has %d modules and the standard library", len(found), len(info.Deps))
	}
	for _, d := range info.Deps {
		p := found[d.Path]
		want := sums[d.Path+" "+d.Version]
		if p.Version != d.Version || want == "" || len(p.Hashes) != 1 || p.Hashes[0].Alg != "SHA-256" || p.Hashes[0].Content != want {
			t.Errorf("%s %s, whose checksum in go.sum is %q, is described as %+v", d.Path, d.Version, want, p)
		}
	}
	if p := found["std"]; "go"+p.Version != info.GoVersion {
		t.Errorf("the standard library of %s is described as %+v", info.GoVersion, p)
	}
}

// TestStamp checks that a stamp of git takes precedence over the given revision.
func TestStamp(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "stamped"}}}
	origin{revision: "given"}.stamp(info)
	if len(info.Settings) != 1 || info.Settings[0].Value != "stamped" {
		t.Errorf("the settings are %v", info.Settings)
	}
	unknown := &debug.BuildInfo{}
	origin{version: "v1"}.stamp(unknown)
	if len(unknown.Settings) != 0 {
		t.Errorf("nobody knows the commit, and the settings are %v", unknown.Settings)
	}
}

// TestSBOMOfSomethingElse checks that no licences are reported for a binary of another
// program.
func TestSBOMOfSomethingElse(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "sbom.json")
	err = run(t.Context(), []string{"sbom", "--binary", self, "--version", "v1", "--out", out})
	if err == nil || !strings.Contains(err.Error(), "build it from this checkout") {
		t.Errorf("got %v, want a refusal", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a document was written all the same")
	}
}
