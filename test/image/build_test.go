// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const root = "../.."

// An image is the content of a "docker save" tarball.
type image struct {
	digest string // the tarball's
	config struct {
		Architecture string
		Config       struct {
			User, WorkingDir            string
			Entrypoint, Env, Cmd        []string
			Labels                      map[string]string
			ExposedPorts, Volumes       map[string]any
			Healthcheck, OnBuild, Shell any
		}
	}
	files []entry
}

// An entry is a file in the image's file system.
type entry struct {
	tar.Header

	content []byte
}

// built are the images of this checkout, by architecture.
var built = map[string]image{}

// ofCheckout returns the image of this checkout. The first call builds it. Tests must not
// change it.
func ofCheckout(t *testing.T, arch string) image {
	t.Helper()
	if _, is := built[arch]; !is {
		built[arch] = build(t, root, arch)
	}
	return built[arch]
}

// build builds the image for arch from the checkout at dir, as make image-tarball does.
func build(t *testing.T, dir, arch string) image {
	t.Helper()
	out := t.TempDir()
	binary, tarball := filepath.Join(out, "provider"), filepath.Join(out, "image.tar")
	// There is no stamp of the commit, because this checkout may have changes that a copy does
	// not have.
	t.Setenv("GOARCH", arch)
	command(t, dir, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X main.version=v0.0.0", "-o", binary, "./cmd/provider")
	t.Setenv("GOARCH", runtime.GOARCH)
	command(t, filepath.Join(dir, "hack", "package"), "go", "run", "-trimpath", ".", "image",
		"--root", mustAbs(t, filepath.Join(root, "package")), "--binary", binary, "--arch", arch,
		"--tag", "provider-cloudflare:v0.0.0", "--version", "v0.0.0", "--revision", "0123abcd", "--created", "1767225600", "--out", tarball)
	return unpack(t, tarball)
}

func command(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// unpack reads a tarball of "docker save".
func unpack(t *testing.T, tarball string) image {
	t.Helper()
	raw, err := os.ReadFile(tarball)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(raw)
	img := image{digest: hex.EncodeToString(sum[:])}
	members := map[string][]byte{}
	for _, e := range entries(t, bytes.NewReader(raw)) {
		members[e.Name] = e.content
	}
	var manifest []struct {
		Config string
		Layers []string
	}
	if err := json.Unmarshal(members["manifest.json"], &manifest); err != nil || len(manifest) != 1 {
		t.Fatalf("the tarball has the manifest %q (%v)", members["manifest.json"], err)
	}
	if err := json.Unmarshal(members[manifest[0].Config], &img.config); err != nil {
		t.Fatal(err)
	}
	for _, name := range manifest[0].Layers {
		layer, err := gzip.NewReader(bytes.NewReader(members[name]))
		if err != nil {
			t.Fatal(err)
		}
		img.files = append(img.files, entries(t, layer)...)
	}
	return img
}

func entries(t *testing.T, from io.Reader) []entry {
	t.Helper()
	var out []entry
	for r := tar.NewReader(from); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, entry{*h, content})
	}
}
