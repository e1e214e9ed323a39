// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Command image puts a static binary into an image without a container engine.
//
// The result is a tarball as "docker save" writes it: "docker load" and "crossplane
// xpkg build --embed-runtime-image-tarball" take it. It holds the binary, the
// certificate authorities of this machine, and nothing else: no shell, no libraries,
// no users' names. A binary that would need more is refused. The same input gives the
// same bytes.
package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// user is the one Crossplane runs providers as. The image must work as any other.
const user = "2000:2000"

// binaryDir is where the binary goes, caPath where Go looks for authorities on Linux.
const (
	binaryDir = "/usr/local/bin"
	caPath    = "/etc/ssl/certs/ca-certificates.crt"
)

// What the image says of itself wherever it comes from.
const (
	title       = "provider-cloudflare"
	description = "A Crossplane provider that makes Cloudflare zones and DNS records Kubernetes objects."
	source      = "https://github.com/provider-cloudflare/provider-cloudflare"
	licence     = "Apache-2.0"
)

type options struct {
	binary, ca, tag, arch, out string
	version, revision          string
	// created is in seconds since 1970. It is told and not asked of a clock, or no build
	// would equal another.
	created int64
}

func main() {
	var o options
	flag.StringVar(&o.binary, "binary", "", "static Linux binary to run")
	flag.StringVar(&o.ca, "ca", "", "PEM bundle of certificate authorities (default: this machine's)")
	flag.StringVar(&o.tag, "tag", "", "name and tag of the image")
	flag.StringVar(&o.arch, "arch", "amd64", "architecture of the binary")
	flag.StringVar(&o.out, "out", "", "tarball to write")
	flag.StringVar(&o.version, "version", "", "version of the binary")
	flag.StringVar(&o.revision, "revision", "", "commit it was built from")
	flag.Int64Var(&o.created, "created", 0, "time of the commit, in seconds since 1970")
	flag.Parse()
	if err := build(o); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func build(o options) error {
	tag, err := name.NewTag(o.tag)
	if err != nil {
		return fmt.Errorf("cannot use --tag: %w", err)
	}
	binary, err := os.ReadFile(o.binary)
	if err != nil {
		return fmt.Errorf("cannot read --binary: %w", err)
	}
	if err := runsAlone(binary, o.arch); err != nil {
		return fmt.Errorf("cannot use --binary: %w", err)
	}
	ca, err := authorities(o.ca)
	if err != nil {
		return err
	}
	img, err := image(o, binary, ca)
	if err != nil {
		return fmt.Errorf("cannot assemble the image: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(o.out), 0o750); err != nil {
		return err
	}
	if err := tarball.WriteToFile(o.out, tag, img); err != nil {
		return fmt.Errorf("cannot write the tarball: %w", err)
	}
	digest, err := img.Digest()
	if err != nil {
		return err
	}
	_, err = fmt.Printf("%s %s@%s\n", o.out, tag, digest)
	return err
}

// authorities reads the PEM bundle at path, or where the distributions keep it.
func authorities(path string) ([]byte, error) {
	candidates := []string{
		caPath,                             // Debian, Alpine, Arch
		"/etc/pki/tls/certs/ca-bundle.crt", // Fedora
		"/etc/ssl/ca-bundle.pem",           // SUSE
		"/etc/ssl/cert.pem",                // macOS, BSD
	}
	if path != "" {
		candidates = []string{path}
	}
	for _, c := range candidates {
		pem, err := os.ReadFile(c)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("cannot read certificate authorities: %w", err)
		}
		if !bytes.Contains(pem, []byte("-----BEGIN CERTIFICATE-----")) {
			return nil, fmt.Errorf("%s holds no certificate", c)
		}
		return pem, nil
	}
	return nil, fmt.Errorf("no certificate authorities in %q: install ca-certificates or give --ca", candidates)
}

func image(o options, binary, ca []byte) (v1.Image, error) {
	path := binaryDir + "/" + filepath.Base(o.binary)
	// The binary changes most often and comes last.
	layers := []file{{caPath, 0o644, ca}, {path, 0o755, binary}}

	img := empty.Image
	for _, f := range layers {
		content, err := archive(f)
		if err != nil {
			return nil, err
		}
		layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(content)), nil
		})
		if err != nil {
			return nil, err
		}
		if img, err = mutate.AppendLayers(img, layer); err != nil {
			return nil, err
		}
	}

	cfg, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	cfg = cfg.DeepCopy()
	cfg.OS, cfg.Architecture = "linux", o.arch
	created := time.Unix(o.created, 0).UTC()
	cfg.Created = v1.Time{Time: created}
	for i := range cfg.History {
		cfg.History[i].Created = v1.Time{Time: created}
	}
	cfg.Config = v1.Config{Entrypoint: []string{path}, User: user, WorkingDir: "/", Labels: labels(o, created)}
	return mutate.ConfigFile(img, cfg)
}

// labels are the annotations of the OCI image specification.
func labels(o options, created time.Time) map[string]string {
	out := map[string]string{
		"title":       title,
		"description": description,
		"source":      source,
		"licenses":    licence,
		"version":     o.version,
		"revision":    o.revision,
		"created":     created.Format(time.RFC3339),
	}
	for name, value := range out {
		delete(out, name)
		if value != "" {
			out["org.opencontainers.image."+name] = value
		}
	}
	return out
}

// file is one file of a layer.
type file struct {
	path    string // Absolute.
	mode    int64
	content []byte
}

// archive is a layer with f and the folders above it, all root's.
func archive(f file) ([]byte, error) {
	var dirs []string
	for dir := filepath.Dir(f.path); dir != "/"; dir = filepath.Dir(dir) {
		dirs = append([]string{dir}, dirs...)
	}

	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, dir := range dirs {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir[1:] + "/", Mode: 0o755}); err != nil {
			return nil, err
		}
	}
	if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: f.path[1:], Mode: f.mode, Size: int64(len(f.content))}); err != nil {
		return nil, err
	}
	if _, err := w.Write(f.content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
