// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package runtimeimage

import (
	"archive/tar"
	"bytes"
	"crypto/x509"
	"debug/elf"
	"encoding/binary"
	"encoding/pem"
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
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

const certificate = "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n"

func write(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// static returns a binary with a header and program segments of those types.
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

// valid returns options that build an image.
func valid(t *testing.T) Options {
	t.Helper()
	dir := t.TempDir()
	return Options{
		Binary: write(t, filepath.Join(dir, "provider"), static(elf.EM_AARCH64)), Arch: "arm64",
		CA: write(t, filepath.Join(dir, "ca.pem"), certificate),
		About: About{
			Title: "provider-example", Source: "https://example.com/provider", Version: "v1", Revision: "0123abcd",
			Created: time.Unix(1767225600, 0),
		},
	}
}

func TestBuild(t *testing.T) {
	img, err := Build(valid(t))
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
		"org.opencontainers.image.title":    "provider-example",
		"org.opencontainers.image.source":   "https://example.com/provider",
		"org.opencontainers.image.version":  "v1",
		"org.opencontainers.image.revision": "0123abcd",
		"org.opencontainers.image.created":  "2026-01-01T00:00:00Z",
	}
	if !maps.Equal(cfg.Config.Labels, wantLabels) {
		t.Errorf("labels are %v, want %v: what is not known is left out", cfg.Config.Labels, wantLabels)
	}
	if got := cfg.Created.Format(time.RFC3339); got != "2026-01-01T00:00:00Z" {
		t.Errorf("created %s, want when the commit was", got)
	}
	if len(cfg.History) != 2 {
		t.Errorf("the history is %v, want an entry for each layer", cfg.History)
	}
	for _, h := range cfg.History {
		if !h.Created.Equal(cfg.Created.Time) {
			t.Errorf("a layer was created %s, want when the commit was", h.Created)
		}
	}

	got := contents(t, img)
	want := map[string]struct {
		mode    int64
		content string
	}{
		"usr/local/bin/provider":            {0o755, static(elf.EM_AARCH64)},
		"etc/ssl/certs/ca-certificates.crt": {0o644, certificate},
	}
	if len(got) != len(want) {
		t.Errorf("the image has %d files, want %d", len(got), len(want))
	}
	for path, w := range want {
		if g := got[path]; string(g.Content) != w.content || g.Mode != w.mode {
			t.Errorf("%s: %q with mode %o, want %q with %o", path, g.Content, g.Mode, w.content, w.mode)
		}
	}
}

// contents returns the regular files of the image's file system.
func contents(t *testing.T, img v1.Image) map[string]File {
	t.Helper()
	fs := mutate.Extract(img)
	defer fs.Close()
	found := map[string]File{}
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
		found[h.Name] = File{h.Name, h.Mode, content}
	}
}

func TestBuildIsReproducible(t *testing.T) {
	var digests []string
	for range 2 {
		img, err := Build(valid(t))
		if err != nil {
			t.Fatal(err)
		}
		digest, err := img.Digest()
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, digest.String())
	}
	if digests[0] != digests[1] {
		t.Errorf("the same input gave the images %q", digests)
	}
}

// TestMozillasAuthorities reads the bundle as the provider does, and looks for
// authorities that are known to issue Cloudflare's certificates.
func TestMozillasAuthorities(t *testing.T) {
	o := valid(t)
	o.CA = ""
	img, err := Build(o)
	if err != nil {
		t.Fatal(err)
	}
	rest, names := contents(t, img)["etc/ssl/certs/ca-certificates.crt"].Content, map[string]bool{}
	for block, more := pem.Decode(rest); block != nil; block, more = pem.Decode(more) {
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		names[c.Subject.CommonName] = true
	}
	if len(names) < 100 {
		t.Errorf("the image has %d authorities, want more than a hundred", len(names))
	}
	for _, name := range []string{"GTS Root R1", "GTS Root R4", "ISRG Root X1", "SSL.com TLS RSA Root CA 2022"} {
		if !names[name] {
			t.Errorf("%s is not among the authorities", name)
		}
	}
}

// TestAuthoritiesAreTrustedWhole checks that the bundle has no authority that Mozilla
// trusts only for some of its certificates: the file in the image cannot express that.
func TestAuthoritiesAreTrustedWhole(t *testing.T) {
	written, err := mozilla()
	if err != nil {
		t.Fatal(err)
	}
	constrained, all := map[string]bool{}, 0
	for root := range bundle.Roots() {
		all++
		if root.Constraint != nil {
			constrained[string(root.Certificate)] = true
		}
	}
	if len(constrained) == 0 {
		t.Fatal("no authority of the bundle is constrained: this test has nothing to look for, nor has the image")
	}
	n := 0
	for block, rest := pem.Decode(written); block != nil; block, rest = pem.Decode(rest) {
		n++
		if constrained[string(block.Bytes)] {
			t.Errorf("the image trusts authority %d wholly, Mozilla with constraints", n)
		}
	}
	if n != all-len(constrained) {
		t.Errorf("the image has %d authorities, want %d: all that are trusted wholly", n, all-len(constrained))
	}
}

func TestBuildRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*Options)
		want   string
	}{
		"NoBinary":  {"make build comes first", func(o *Options) { o.Binary += "x" }, "cannot read the binary"},
		"NoCA":      {"without authorities the provider could not call Cloudflare", func(o *Options) { o.CA += "x" }, "certificate authorities"},
		"NoELF":     {"what is no binary at all", func(o *Options) { o.Binary = o.CA }, "no Linux binary"},
		"OtherArch": {"the image would say it runs where it does not", func(o *Options) { o.Arch = "amd64" }, "EM_AARCH64"},
		"NoArch":    {"there are no images for others", func(o *Options) { o.Arch = "riscv64" }, "neither"},
		"Interpreter": {
			"there is no loader in the image",
			func(o *Options) {
				o.Binary = write(t, o.Binary+"-dynamic", static(elf.EM_AARCH64, elf.PT_LOAD, elf.PT_INTERP))
			}, "CGO_ENABLED=0",
		},
		"Dynamic": {
			"there are no libraries in the image",
			func(o *Options) { o.Binary = write(t, o.Binary+"-dynamic", static(elf.EM_AARCH64, elf.PT_DYNAMIC)) }, "CGO_ENABLED=0",
		},
		"EmptyCA": {"an empty bundle is as bad as none", func(o *Options) { o.CA = o.Binary }, "no certificate"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o := valid(t)
			tc.change(&o)
			if _, err := Build(o); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: got %v, want an error that says %q", tc.reason, err, tc.want)
			}
		})
	}
}
