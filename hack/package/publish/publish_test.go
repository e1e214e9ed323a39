// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package publish

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/provider-cloudflare/provider-cloudflare/hack/package/runtimeimage"
	"github.com/provider-cloudflare/provider-cloudflare/hack/package/xpkg"
)

const version = "org.opencontainers.image.version"

// image returns an image for arch, with a layer that a label describes and one without
// a label.
func image(t *testing.T, arch string) v1.Image {
	t.Helper()
	img, labels := empty.Image, map[string]string{version: "v1.2.3", "org.opencontainers.image.title": arch}
	for _, l := range []struct{ path, value string }{{"/" + arch, ""}, {"/package.yaml", xpkg.Base}} {
		layer, err := runtimeimage.Layer(runtimeimage.File{Path: l.path, Mode: 0o644, Content: []byte(l.path)})
		if err != nil {
			t.Fatal(err)
		}
		digest, err := layer.Digest()
		if err != nil {
			t.Fatal(err)
		}
		if l.value != "" {
			labels[xpkg.Label(digest)] = l.value
		}
		if img, err = mutate.AppendLayers(img, layer); err != nil {
			t.Fatal(err)
		}
	}
	img, err := mutate.ConfigFile(img, &v1.ConfigFile{OS: "linux", Architecture: arch, RootFS: must(img.ConfigFile()).RootFS, Config: v1.Config{Labels: labels}})
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// files writes a .xpkg for each architecture, and an archive of all.
func files(t *testing.T, dir string, archs ...string) (xpkgs []string, archive string) {
	t.Helper()
	var images []v1.Image
	for _, arch := range archs {
		img, path := image(t, arch), filepath.Join(dir, arch+".xpkg")
		if err := WriteTarball(path, img, nil); err != nil {
			t.Fatal(err)
		}
		xpkgs, images = append(xpkgs, path), append(images, img)
	}
	archive = filepath.Join(dir, "oci.tar")
	if err := WriteArchive(archive, "v1.2.3", must(Index(images))); err != nil {
		t.Fatal(err)
	}
	return xpkgs, archive
}

// serve starts a registry and returns its address.
func serve(t *testing.T, options ...registry.Option) string {
	t.Helper()
	srv := httptest.NewServer(registry.New(append(options, registry.Logger(log.New(io.Discard, "", 0)))...))
	t.Cleanup(srv.Close)
	return strings.TrimPrefix(srv.URL, "http://")
}

func TestPushIsTheSameFromFilesAndArchive(t *testing.T) {
	xpkgs, archive := files(t, t.TempDir(), "arm64", "amd64")
	host := serve(t)
	var digests []string
	for repository, paths := range map[string][]string{"files": xpkgs, "reversed": {xpkgs[1], xpkgs[0]}, "archive": {archive}} {
		tag := must(name.NewTag(host + "/" + repository + ":v1.2.3"))
		what, err := Open(t.TempDir(), paths)
		if err != nil {
			t.Fatal(err)
		}
		digest, err := Push(t.Context(), tag, what, nil)
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, digest.DigestStr())
		if served := must(remote.Head(tag)).Digest.String(); served != digest.DigestStr() {
			t.Errorf("%s is %s in the registry, and was said to be %s", tag, served, digest)
		}
	}
	if digests[0] != digests[1] || digests[1] != digests[2] {
		t.Errorf("the same packages have the digests %q", digests)
	}
}

func TestIndex(t *testing.T) {
	idx := must(Index([]v1.Image{image(t, "arm64"), image(t, "amd64")}))
	manifest := must(idx.IndexManifest())
	if got := manifest.Annotations; len(got) != 1 || got[version] != "v1.2.3" {
		t.Errorf("the index says %v, want what both packages say: their version", got)
	}
	for i, arch := range []string{"amd64", "arm64"} {
		d := manifest.Manifests[i]
		if d.Platform == nil || d.Platform.Architecture != arch || d.Platform.OS != "linux" {
			t.Errorf("package %d is %+v (%v), want an image for linux/%s", i, d, d.Platform, arch)
		}
		img := must(must(idx.Image(d.Digest)).Manifest())
		if img.MediaType != "application/vnd.oci.image.manifest.v1+json" || img.Config.MediaType != "application/vnd.oci.image.config.v1+json" {
			t.Errorf("the media types are %s and %s", img.MediaType, img.Config.MediaType)
		}
		annotated := 0
		for _, l := range img.Layers {
			if l.MediaType != "application/vnd.oci.image.layer.v1.tar+gzip" {
				t.Errorf("a layer is a %s", l.MediaType)
			}
			if l.Annotations[xpkg.Annotation] == xpkg.Base {
				annotated++
			}
		}
		if len(img.Layers) != 2 || annotated != 1 {
			t.Errorf("%d of %d layers are annotated, want one of two", annotated, len(img.Layers))
		}
	}
	if _, err := Index([]v1.Image{image(t, "amd64"), image(t, "amd64")}); err == nil || !strings.Contains(err.Error(), "amd64") {
		t.Errorf("two packages for one architecture: got %v", err)
	}
}

func TestPushOneFile(t *testing.T) {
	xpkgs, _ := files(t, t.TempDir(), "amd64")
	tag := must(name.NewTag(serve(t) + "/one:v1"))
	digest, err := Push(t.Context(), tag, must(Open(t.TempDir(), xpkgs)), nil)
	if err != nil {
		t.Fatal(err)
	}
	img, err := remote.Image(digest)
	if err != nil {
		t.Fatalf("one package has to be an image, and no index: %v", err)
	}
	if got := must(img.Manifest()).Annotations[version]; got != "v1.2.3" {
		t.Errorf("its version is %q", got)
	}
}

// TestAttach pushes to registries that know referrers, and to one that does not, where
// a tag leads to them.
func TestAttach(t *testing.T) {
	dir := t.TempDir()
	_, archive := files(t, dir, "amd64", "arm64")
	sbom, statement := filepath.Join(dir, "sbom.json"), filepath.Join(dir, "provenance.json")
	for _, path := range []string{sbom, statement} {
		if err := os.WriteFile(path, []byte(`"`+filepath.Base(path)+`"`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	attachments := []Attachment{{CycloneDX, sbom, "arm64"}, {InToto, statement, ""}}
	for _, known := range []bool{true, false} {
		host := serve(t, registry.WithReferrersSupport(known))
		what := must(Open(t.TempDir(), []string{archive}))
		digest, err := Push(t.Context(), must(name.NewTag(host+"/p:v1")), what, attachments)
		if err != nil {
			t.Fatal(err)
		}
		attached(t, digest, InToto, `"provenance.json"`)
		for _, d := range must(must(remote.Index(digest)).IndexManifest()).Manifests {
			of := digest.Context().Digest(d.Digest.String())
			if d.Platform.Architecture == "arm64" {
				attached(t, of, CycloneDX, `"sbom.json"`)
			} else if n := len(must(must(remote.Referrers(of)).IndexManifest()).Manifests); n != 0 {
				t.Errorf("%d documents are attached to the other package", n)
			}
		}
	}
	if _, err := Push(t.Context(), must(name.NewTag(serve(t)+"/p:v1")), must(Open(t.TempDir(), []string{archive})), []Attachment{{CycloneDX, sbom, "riscv64"}}); err == nil || !strings.Contains(err.Error(), "riscv64") {
		t.Errorf("a document about nothing: got %v", err)
	}
}

// attached looks for a document of that type among the referrers of a digest.
func attached(t *testing.T, of name.Digest, mediaType any, content string) {
	t.Helper()
	referrers := must(must(remote.Referrers(of)).IndexManifest()).Manifests
	if len(referrers) != 1 {
		t.Fatalf("%s has %d referrers, want one", of, len(referrers))
	}
	raw := must(remote.Get(of.Context().Digest(referrers[0].Digest.String()))).Manifest
	var m manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	if m.ArtifactType != mediaType || m.Subject.Digest.String() != of.DigestStr() || len(m.Layers) != 1 || m.Layers[0].MediaType != mediaType {
		t.Errorf("%s has the referrer %s, want one of type %s", of, raw, mediaType)
	}
	blob := must(must(remote.Layer(of.Context().Digest(m.Layers[0].Digest.String()))).Compressed())
	defer blob.Close()
	if got := must(io.ReadAll(blob)); string(got) != content {
		t.Errorf("the document is %q, want %q", got, content)
	}
}

func TestArchiveIsReproducible(t *testing.T) {
	_, first := files(t, t.TempDir(), "amd64", "arm64")
	_, second := files(t, t.TempDir(), "amd64", "arm64")
	if !bytes.Equal(must(os.ReadFile(first)), must(os.ReadFile(second))) {
		t.Error("the same packages gave two different archives")
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.xpkg")
	if err := os.WriteFile(text, []byte("no tarball"), 0o600); err != nil {
		t.Fatal(err)
	}
	for reason, paths := range map[string][]string{
		"a file that is not there":         {filepath.Join(dir, "missing.xpkg")},
		"a file that is none":              {text},
		"one of several that is not there": {text, filepath.Join(dir, "missing.xpkg")},
	} {
		if _, err := Open(t.TempDir(), paths); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: got %v, want an error that names the file", reason, err)
		}
	}
}
