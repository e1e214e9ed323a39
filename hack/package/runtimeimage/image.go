// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package runtimeimage puts a static binary into an image without a container engine.
//
// The image holds the binary, certificate authorities, and nothing else: no shell, no
// libraries, no users' names. A binary that needs more is refused. The same input produces
// the same image.
package runtimeimage

import (
	"bytes"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is the user as which Crossplane runs packages. The image must work as any other
// user, too.
const user = "2000:2000"

// binaryDir is the folder of the binary. caPath is where Go looks for authorities on
// Linux.
const (
	binaryDir = "/usr/local/bin"
	caPath    = "/etc/ssl/certs/ca-certificates.crt"
)

// Options has the content of an image.
type Options struct {
	// Binary is the path of a static Linux binary for Arch, which is amd64 or arm64. The
	// image runs it under the same name.
	Binary, Arch string
	// CA is the path of a PEM bundle of certificate authorities. Empty means Mozilla's, in
	// the version that go.mod pins: then the image does not depend on the machine.
	CA string
	// About is what the image says about itself.
	About About
}

// About has the annotations of the OCI image specification. Empty ones are left out.
type About struct {
	Title, Description, Source, Licences string
	Version, Revision                    string
	// Created is set by the caller and not read from a clock: otherwise no two builds
	// would be equal.
	Created time.Time
}

// Annotations returns the keys of the OCI image specification with their values. They are
// labels of an image, and annotations of an index.
func (a About) Annotations() map[string]string {
	out := map[string]string{}
	for name, value := range map[string]string{
		"title":       a.Title,
		"description": a.Description,
		"source":      a.Source,
		"licenses":    a.Licences,
		"version":     a.Version,
		"revision":    a.Revision,
		"created":     a.Created.UTC().Format(time.RFC3339),
	} {
		if value != "" {
			out["org.opencontainers.image."+name] = value
		}
	}
	return out
}

// Nothing returns the image of a package without a program. It is for no platform.
func Nothing(a About) (v1.Image, error) {
	return mutate.ConfigFile(empty.Image, &v1.ConfigFile{
		Created: v1.Time{Time: a.Created.UTC()},
		RootFS:  v1.RootFS{Type: "layers"},
		Config:  v1.Config{Labels: a.Annotations()},
	})
}

// Build assembles the image.
func Build(o Options) (v1.Image, error) {
	binary, err := os.ReadFile(o.Binary)
	if err != nil {
		return nil, fmt.Errorf("cannot read the binary: %w", err)
	}
	if err := runsAlone(binary, o.Arch); err != nil {
		return nil, fmt.Errorf("cannot use the binary %s: %w", o.Binary, err)
	}
	ca, err := authorities(o.CA)
	if err != nil {
		return nil, err
	}
	img, err := assemble(o, binary, ca)
	if err != nil {
		return nil, fmt.Errorf("cannot assemble the image: %w", err)
	}
	return img, nil
}

// authorities reads the PEM bundle at path, or returns Mozilla's if path is empty.
func authorities(path string) ([]byte, error) {
	if path == "" {
		return mozilla()
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read certificate authorities: %w", err)
	}
	if block, _ := pem.Decode(content); block == nil || block.Type != "CERTIFICATE" {
		return nil, fmt.Errorf("%s holds no certificate", path)
	}
	return content, nil
}

// mozilla returns the bundle of NSS, without the authorities that are trusted only for
// signatures before a certain day. A file of certificates cannot express that, and Mozilla
// is removing these authorities.
func mozilla() ([]byte, error) {
	var b bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue
		}
		if err := pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	if b.Len() == 0 {
		return nil, errors.New("the bundle of certificate authorities is empty")
	}
	return b.Bytes(), nil
}

func assemble(o Options, binary, ca []byte) (v1.Image, error) {
	path := binaryDir + "/" + filepath.Base(o.Binary)
	img := empty.Image
	// The binary changes most often and comes last.
	for _, f := range []File{{caPath, 0o644, ca}, {path, 0o755, binary}} {
		layer, err := Layer(f)
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
	cfg.OS, cfg.Architecture = "linux", o.Arch
	created := v1.Time{Time: o.About.Created.UTC()}
	cfg.Created = created
	for i := range cfg.History {
		cfg.History[i].Created = created
	}
	cfg.Config = v1.Config{Entrypoint: []string{path}, User: user, WorkingDir: "/", Labels: o.About.Annotations()}
	return mutate.ConfigFile(img, cfg)
}
