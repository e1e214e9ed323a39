// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"bytes"
	"debug/elf"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/provider-cloudflare/provider-cloudflare/hack/package/provenance"
	"github.com/provider-cloudflare/provider-cloudflare/hack/package/xpkg"
)

const root = "../.."

// program compiles a program for arch that does nothing.
func program(t *testing.T, arch string) string {
	t.Helper()
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "provider")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-buildvcs=false", "-o", binary, source)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// TestRelease does the same as make xpkg and make push, and checks what a cluster would
// pull.
func TestRelease(t *testing.T) {
	srv := httptest.NewServer(registry.New(registry.WithReferrersSupport(true), registry.Logger(log.New(io.Discard, "", 0))))
	defer srv.Close()
	dir, amd64, arm64 := t.TempDir(), program(t, "amd64"), program(t, "arm64")
	at := func(name string) string { return filepath.Join(dir, name) }
	to := strings.TrimPrefix(srv.URL, "http://") + "/org/provider-cloudflare:v1.2.3"
	origin := []string{"--version", "v1.2.3", "--revision", "0123abcd", "--created", "1767225600"}
	if err := os.WriteFile(at("sbom.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}

	var out bytes.Buffer
	for _, args := range [][]string{
		append([]string{
			"build", "--root", filepath.Join(root, "package"), "--examples", filepath.Join(root, "examples", "zone"),
			"--binary-amd64", amd64, "--binary-arm64", arm64, "--out", at("p-{arch}.xpkg"), "--archive", at("p.oci.tar"),
			"--release-notes", filepath.Join(root, "CHANGELOG.md"),
		}, origin...),
		append([]string{"provenance", "--package", at("p.oci.tar"), "--file", at("p-amd64.xpkg"), "--binary", amd64, "--out", at("provenance.json")}, origin...),
		{"push", "--package", at("p.oci.tar"), "--to", to, "--sbom", "amd64=" + at("sbom.json"), "--provenance", at("provenance.json")},
	} {
		out.Reset()
		if err := run(t.Context(), &out, args); err != nil {
			t.Fatalf("%s: %v", args[0], err)
		}
	}

	ref, err := name.NewDigest(strings.Replace(strings.TrimSpace(out.String()), ":v1.2.3@", "@", 1))
	if err != nil {
		t.Fatalf("push said %q: %v", out.String(), err)
	}
	for arch, machine := range map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64} {
		img, err := remote.Image(ref, remote.WithPlatform(v1.Platform{OS: "linux", Architecture: arch}))
		if err != nil {
			t.Fatal(err)
		}
		f, err := elf.NewFile(bytes.NewReader(file(t, img, "usr/local/bin/provider")))
		if err != nil {
			t.Fatal(err)
		}
		if f.Machine != machine {
			t.Errorf("a node of %s would get a program for %s", arch, f.Machine)
		}
		if !bytes.Contains(file(t, img, "package.yaml"), []byte("kind: CustomResourceDefinition")) {
			t.Errorf("the package for %s has no kinds", arch)
		}
	}

	var s struct {
		Subject []provenance.Subject
	}
	raw, err := os.ReadFile(at("provenance.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	subjects := map[string]string{}
	for _, subject := range s.Subject {
		subjects[subject.Name] = "sha256:" + subject.Digest["sha256"]
	}
	if subjects["provider-cloudflare"] != ref.DigestStr() || len(subjects) != 6 {
		t.Errorf("the provenance is of %v, want of the index %s, two packages, their extensions and two files", subjects, ref.DigestStr())
	}
	if got := len(referrers(t, ref)); got != 1 {
		t.Errorf("%d documents are attached, want the provenance", got)
	}
	shown(t, ref, subjects["provider-cloudflare/extensions"])
}

// shown checks the last image of the package, which marketplaces read.
func shown(t *testing.T, ref name.Digest, digest string) {
	t.Helper()
	idx, err := remote.Index(ref)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := idx.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	last := manifest.Manifests[len(manifest.Manifests)-1]
	if len(manifest.Manifests) != 3 || !xpkg.IsExtensions(last) || last.Digest.String() != digest || last.Platform.Architecture != "unknown" {
		t.Fatalf("the index has %+v, want two packages and then the extensions, %s", manifest.Manifests, digest)
	}
	img, err := idx.Image(last.Digest)
	if err != nil {
		t.Fatal(err)
	}
	for path, source := range map[string]string{"icons/icon.svg": "package/icon.svg", "release-notes/release_notes.md": "CHANGELOG.md"} {
		want, err := os.ReadFile(filepath.Join(root, source))
		if err != nil {
			t.Fatal(err)
		}
		if got := file(t, img, path); !bytes.Equal(bytes.TrimSpace(got), bytes.TrimSpace(want)) {
			t.Errorf("%s is not %s", path, source)
		}
	}
	if got := file(t, img, "readme/readme.md"); !bytes.HasPrefix(got, []byte("# provider-cloudflare\n")) {
		t.Errorf("the readme begins with %.40q", got)
	}
}

func referrers(t *testing.T, ref name.Digest) []v1.Descriptor {
	t.Helper()
	idx, err := remote.Referrers(ref)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := idx.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	return manifest.Manifests
}

// file returns a file of the image's file system.
func file(t *testing.T, img v1.Image, path string) []byte {
	t.Helper()
	fs := mutate.Extract(img)
	defer fs.Close()
	for r := tar.NewReader(fs); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			t.Fatalf("there is no %s", path)
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Name == path {
			content, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			return content
		}
	}
}

func TestImage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "image.tar")
	if err := run(t.Context(), io.Discard, []string{
		"image", "--root", filepath.Join(root, "package"), "--binary", program(t, "amd64"), "--tag", "example.com/provider:v1", "--version", "v1", "--out", path,
	}); err != nil {
		t.Fatal(err)
	}
	tag, err := name.NewTag("example.com/provider:v1")
	if err != nil {
		t.Fatal(err)
	}
	img, err := tarball.ImageFromPath(path, &tag)
	if err != nil {
		t.Fatal(err)
	}
	layers, err := img.Layers()
	if err != nil || len(layers) != 2 {
		t.Errorf("the image has %d layers (%v), want two: what runs, and no package", len(layers), err)
	}
}

func TestRunRefuses(t *testing.T) {
	pkg := filepath.Join(root, "package")
	cases := map[string]struct {
		reason, want string
		args         []string
	}{
		"Nothing":     {"a command is needed", "build", nil},
		"Unknown":     {"and one that there is", "pull", []string{"pull"}},
		"NoBinary":    {"a package runs something", "--binary-amd64", []string{"build", "--root", pkg, "--version", "v1", "--out", "x"}},
		"NoRoot":      {"a package is of something", "--root", []string{"build", "--version", "v1", "--out", "x"}},
		"OneFile":     {"the second would overwrite the first", "{arch}", []string{"build", "--root", pkg, "--version", "v1", "--binary-amd64", "a", "--binary-arm64", "b", "--out", "x.xpkg"}},
		"NoArchive":   {"what is given is not left out in silence", "needs --archive", []string{"build", "--root", pkg, "--version", "v1", "--binary-amd64", "a", "--out", "x.xpkg", "--release-notes", "y"}},
		"Argument":    {"what is no flag was meant to be one", "flags only", []string{"push", "--package", "x", "--to", "example.com/x:v1", "y"}},
		"NoTag":       {"latest is no version", "--to", []string{"push", "--package", "x", "--to", "example.com/x"}},
		"NoRegistry":  {"where to is said, not guessed", "--to", []string{"push", "--package", "x", "--to", "x:v1"}},
		"UnknownSBOM": {"a bill is for an architecture", "architecture=file", []string{"push", "--package", "x", "--to", "example.com/x/x:v1", "--sbom", "y"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if err := run(t.Context(), io.Discard, tc.args); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: got %v, want an error that says %q", tc.reason, err, tc.want)
			}
		})
	}
}

// TestConfiguration builds the Configuration twice to the same bytes, pushes it, and checks
// what a cluster of any architecture would pull.
func TestConfiguration(t *testing.T) {
	srv := httptest.NewServer(registry.New(registry.WithReferrersSupport(true), registry.Logger(log.New(io.Discard, "", 0))))
	defer srv.Close()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	to := strings.TrimPrefix(srv.URL, "http://") + "/org/configuration-cloudflare:v1.2.3"
	origin := []string{"--version", "v1.2.3", "--revision", "0123abcd", "--created", "1767225600"}
	website := filepath.Join(root, "examples", "composition", "website")
	build := []string{"build", "--root", filepath.Join(root, "configuration"), "--objects", filepath.Join(website, "xrd.yaml") + "," + filepath.Join(website, "composition.yaml")}
	var out bytes.Buffer
	for _, args := range [][]string{
		append(append(build, "--out", at("first.xpkg")), origin...),
		append(append(build, "--out", at("second.xpkg")), origin...),
		append([]string{"provenance", "--target", "configuration-xpkg", "--package", at("first.xpkg"), "--binary", program(t, "amd64"), "--out", at("provenance.json")}, origin...),
		{"push", "--package", at("first.xpkg"), "--to", to, "--provenance", at("provenance.json")},
	} {
		out.Reset()
		if err := run(t.Context(), &out, args); err != nil {
			t.Fatalf("%s: %v", args[0], err)
		}
	}
	first, err := os.ReadFile(at("first.xpkg"))
	if err != nil {
		t.Fatal(err)
	}
	if second, err := os.ReadFile(at("second.xpkg")); err != nil || !bytes.Equal(first, second) {
		t.Errorf("two builds differ (%v)", err)
	}
	ref, err := name.NewDigest(strings.Replace(strings.TrimSpace(out.String()), ":v1.2.3@", "@", 1))
	if err != nil {
		t.Fatalf("push said %q: %v", out.String(), err)
	}
	for _, arch := range []string{"amd64", "arm64"} {
		img, err := remote.Image(ref, remote.WithPlatform(v1.Platform{OS: "linux", Architecture: arch}))
		if err != nil {
			t.Fatal(err)
		}
		if content := file(t, img, "package.yaml"); !bytes.Contains(content, []byte("kind: Configuration")) || !bytes.Contains(content, []byte("kind: Composition\n")) {
			t.Errorf("the package for %s is %s", arch, content)
		}
	}
	if got := len(referrers(t, ref)); got != 1 {
		t.Errorf("%d documents are attached, want the provenance", got)
	}
}

// TestConfigurationRefused checks that a package and sources that do not fit cause an error.
func TestConfigurationRefused(t *testing.T) {
	out, configuration := filepath.Join(t.TempDir(), "x"), filepath.Join(root, "configuration")
	for name, tc := range map[string]struct {
		reason, want string
		args         []string
	}{
		"Binary":   {"a Configuration runs nothing", "none for a Configuration", []string{"--root", configuration, "--binary-amd64", "any", "--out", out}},
		"NoBinary": {"a Provider runs something", "needs --binary-amd64", []string{"--root", filepath.Join(root, "package"), "--out", out}},
		"Archive":  {"there is one image for all", "no --archive", []string{"--root", configuration, "--out", out, "--archive", out}},
		"Arch":     {"there is one file for all", "{arch}", []string{"--root", configuration, "--out", out + "-{arch}"}},
	} {
		err := run(t.Context(), io.Discard, append([]string{"build", "--version", "v1.2.3"}, tc.args...))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %s: got %v, want an error with %q", name, tc.reason, err, tc.want)
		}
	}
}
