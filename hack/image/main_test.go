// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

const pem = "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n"

func write(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// valid are options that build an image in a folder of its own.
func valid(t *testing.T) options {
	t.Helper()
	dir := t.TempDir()
	return options{
		binary: write(t, filepath.Join(dir, "provider"), "\x7fELF"),
		ca:     write(t, filepath.Join(dir, "ca.pem"), pem),
		tag:    "example.com/provider-cloudflare:v1", arch: "arm64",
		out: filepath.Join(dir, "out", "image.tar"),
	}
}

func TestBuild(t *testing.T) {
	o := valid(t)
	if err := build(o); err != nil {
		t.Fatal(err)
	}
	img, err := tarball.ImageFromPath(o.out, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if cfg.OS != "linux" || cfg.Architecture != "arm64" || cfg.Config.User != "2000:2000" ||
		strings.Join(cfg.Config.Entrypoint, " ") != "/usr/local/bin/provider" {
		t.Errorf("config %+v on %s/%s", cfg.Config, cfg.OS, cfg.Architecture)
	}

	got := contents(t, img)
	want := map[string]struct {
		mode    int64
		content string
	}{
		"usr/local/bin/provider":            {0o755, "\x7fELF"},
		"etc/ssl/certs/ca-certificates.crt": {0o644, pem},
	}
	if len(got) != len(want) {
		t.Errorf("the image has %d files, want %d", len(got), len(want))
	}
	for path, w := range want {
		if g := got[path]; string(g.content) != w.content || g.mode != w.mode {
			t.Errorf("%s: %q with mode %o, want %q with %o", path, g.content, g.mode, w.content, w.mode)
		}
	}
}

// contents are the regular files of the image's file system.
func contents(t *testing.T, img v1.Image) map[string]file {
	t.Helper()
	fs := mutate.Extract(img)
	defer fs.Close()
	found := map[string]file{}
	for r := tar.NewReader(fs); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		found[h.Name] = file{h.Name, h.Mode, content}
	}
}

func TestBuildIsReproducible(t *testing.T) {
	var first []byte
	for range 2 {
		o := valid(t)
		if err := build(o); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(o.out)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b
		}
		if !bytes.Equal(first, b) {
			t.Error("the same input gave two different tarballs")
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*options)
		want   string
	}{
		"NoTag":    {"an image that cannot be named cannot be loaded", func(o *options) { o.tag = "" }, "--tag"},
		"NoBinary": {"make build comes first", func(o *options) { o.binary += "x" }, "--binary"},
		"NoCA":     {"without authorities the provider could not call Cloudflare", func(o *options) { o.ca += "x" }, "ca-certificates"},
		"EmptyCA":  {"an empty bundle is as bad as none", func(o *options) { o.ca = o.binary }, "no certificate"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o := valid(t)
			tc.change(&o)
			if err := build(o); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: got %v, want an error that says %q", tc.reason, err, tc.want)
			}
			if _, err := os.Stat(o.out); err == nil {
				t.Errorf("%s: a tarball was written", tc.reason)
			}
		})
	}
}
