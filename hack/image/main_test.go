// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// static is a binary that has a header and the program segments of those types.
func static(machine elf.Machine, segments ...elf.ProgType) string {
	var b bytes.Buffer
	h := elf.Header64{
		Type: uint16(elf.ET_EXEC), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT),
		Ehsize: 64, Phoff: 64, Phentsize: 56, Phnum: uint16(len(segments)), Shentsize: 64,
	}
	copy(h.Ident[:], elf.ELFMAG+string([]byte{byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)}))
	_ = binary.Write(&b, binary.LittleEndian, h)
	for _, s := range segments {
		_ = binary.Write(&b, binary.LittleEndian, elf.Prog64{Type: uint32(s)})
	}
	return b.String()
}

// valid are options that build an image in a folder of its own.
func valid(t *testing.T) options {
	t.Helper()
	dir := t.TempDir()
	return options{
		binary: write(t, filepath.Join(dir, "provider"), static(elf.EM_AARCH64)),
		ca:     write(t, filepath.Join(dir, "ca.pem"), pem),
		tag:    "example.com/provider-cloudflare:v1", arch: "arm64",
		out:     filepath.Join(dir, "out", "image.tar"),
		version: "v1", revision: "0123abcd", created: 1767225600,
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
	wantLabels := map[string]string{
		"org.opencontainers.image.title":       title,
		"org.opencontainers.image.description": description,
		"org.opencontainers.image.source":      source,
		"org.opencontainers.image.licenses":    licence,
		"org.opencontainers.image.version":     "v1",
		"org.opencontainers.image.revision":    "0123abcd",
		"org.opencontainers.image.created":     "2026-01-01T00:00:00Z",
	}
	if !maps.Equal(cfg.Config.Labels, wantLabels) {
		t.Errorf("labels are %v, want %v", cfg.Config.Labels, wantLabels)
	}
	if got := cfg.Created.Format(time.RFC3339); got != "2026-01-01T00:00:00Z" {
		t.Errorf("created %s, want when the commit was", got)
	}

	got := contents(t, img)
	want := map[string]struct {
		mode    int64
		content string
	}{
		"usr/local/bin/provider":            {0o755, static(elf.EM_AARCH64)},
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
		"NoTag":     {"an image that cannot be named cannot be loaded", func(o *options) { o.tag = "" }, "--tag"},
		"NoBinary":  {"make build comes first", func(o *options) { o.binary += "x" }, "--binary"},
		"NoCA":      {"without authorities the provider could not call Cloudflare", func(o *options) { o.ca += "x" }, "ca-certificates"},
		"NoELF":     {"what is no binary at all", func(o *options) { o.binary = o.ca }, "no Linux binary"},
		"OtherArch": {"the image would say it runs where it does not", func(o *options) { o.arch = "amd64" }, "EM_AARCH64"},
		"NoArch":    {"there are no images for others", func(o *options) { o.arch = "riscv64" }, "neither"},
		"Interpreter": {
			"there is no loader in the image",
			func(o *options) {
				o.binary = write(t, o.binary+"-dynamic", static(elf.EM_AARCH64, elf.PT_LOAD, elf.PT_INTERP))
			}, "CGO_ENABLED=0",
		},
		"Dynamic": {
			"there are no libraries in the image",
			func(o *options) { o.binary = write(t, o.binary+"-dynamic", static(elf.EM_AARCH64, elf.PT_DYNAMIC)) }, "CGO_ENABLED=0",
		},
		"EmptyCA": {"an empty bundle is as bad as none", func(o *options) { o.ca = o.binary }, "no certificate"},
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
