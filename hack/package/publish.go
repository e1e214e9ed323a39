// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/provider-cloudflare/provider-cloudflare/hack/package/provenance"
	"github.com/provider-cloudflare/provider-cloudflare/hack/package/publish"
	"github.com/provider-cloudflare/provider-cloudflare/hack/package/xpkg"
)

// push writes packages to a registry, as one artefact, and attaches documents about
// them.
func push(ctx context.Context, stdout io.Writer, fs *flag.FlagSet, args []string) error {
	var packages, sboms list
	fs.Var(&packages, "package", ".xpkg files, or one archive of package build")
	fs.Var(&sboms, "sbom", "CycloneDX document to attach, as architecture=file (repeatable)")
	statement := fs.String("provenance", "", "statement of in-toto to attach")
	to := fs.String("to", "", "registry/repository:tag")
	if err := parse(fs, args, "package", "to"); err != nil {
		return err
	}
	tag, err := name.NewTag(*to, name.StrictValidation)
	if err != nil {
		return fmt.Errorf("cannot use --to: %w", err)
	}
	var attachments []publish.Attachment
	for _, s := range sboms {
		arch, path, ok := strings.Cut(s, "=")
		if !ok {
			return fmt.Errorf("--sbom %s is not architecture=file", s)
		}
		attachments = append(attachments, publish.Attachment{Type: publish.CycloneDX, Path: path, Arch: arch})
	}
	if *statement != "" {
		attachments = append(attachments, publish.Attachment{Type: publish.InToto, Path: *statement})
	}
	return withPackages(packages, func(what publish.Artefact) error {
		digest, err := publish.Push(ctx, tag, what, attachments)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(stdout, "%s@%s\n", tag, digest.DigestStr())
		return err
	})
}

// withPackages opens packages, calls use, and closes them.
func withPackages(paths []string, use func(publish.Artefact) error) (err error) {
	dir, err := os.MkdirTemp("", "package")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	what, err := publish.Open(dir, paths)
	if err != nil {
		return err
	}
	return use(what)
}

// provenanceOf writes the provenance of the packages.
func provenanceOf(_ context.Context, _ io.Writer, fs *flag.FlagSet, args []string) error {
	var o origin
	o.register(fs)
	var packages, files list
	fs.Var(&packages, "package", ".xpkg files, or one archive of package build")
	fs.Var(&files, "file", "another file that was built (repeatable)")
	binary := fs.String("binary", "", "a program in the packages, which knows the compiler")
	target := fs.String("target", "xpkg", "target of make that builds the packages")
	modified := fs.Bool("modified", false, "the sources are not those of --revision")
	out := fs.String("out", "", "file to write")
	if err := parse(fs, args, "package", "binary", "version", "out"); err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(*binary)
	if err != nil {
		return fmt.Errorf("cannot read what %s was built with: %w", *binary, err)
	}
	b := provenance.Build{
		Target: *target, Version: o.version, Revision: o.revision, Created: o.time(), Modified: *modified, GoVersion: info.GoVersion,
	}
	for _, path := range slices.Concat(packages, files) {
		s, err := fileSubject(path)
		if err != nil {
			return err
		}
		b.Subjects = append(b.Subjects, s)
	}
	return withPackages(packages, func(what publish.Artefact) error {
		if err := describe(&b, what); err != nil {
			return fmt.Errorf("cannot read what was built: %w", err)
		}
		statement, err := provenance.Statement(b, provenance.EnvironmentFrom(os.Getenv))
		if err != nil {
			return err
		}
		return os.WriteFile(*out, statement, 0o644) //nolint:gosec // To be read by everyone.
	})
}

func fileSubject(path string) (provenance.Subject, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return provenance.Subject{}, err
	}
	sum := sha256.Sum256(content)
	return provenance.Subject{Name: filepath.Base(path), Digest: map[string]string{"sha256": hex.EncodeToString(sum[:])}}, nil
}

// describe adds to b the digests that the pushed packages will have in a registry, and
// what the packages say about themselves.
func describe(b *provenance.Build, what publish.Artefact) error {
	whole, err := what.Digest()
	if err != nil {
		return err
	}
	labels := map[string]string{}
	add := func(name string, digest v1.Hash) {
		b.Subjects = append(b.Subjects, provenance.Subject{Name: name, Digest: map[string]string{digest.Algorithm: digest.Hex}})
	}
	switch what := what.(type) {
	case v1.ImageIndex:
		manifest, err := what.IndexManifest()
		if err != nil {
			return err
		}
		labels = manifest.Annotations
		add(labels[titleKey], whole)
		for _, d := range manifest.Manifests {
			if xpkg.IsExtensions(d) {
				add(labels[titleKey]+"/extensions", d.Digest)
				continue
			}
			b.Architectures = append(b.Architectures, d.Platform.Architecture)
			add(labels[titleKey]+"/"+d.Platform.Architecture, d.Digest)
		}
	case v1.Image:
		cfg, err := what.ConfigFile()
		if err != nil {
			return err
		}
		labels = cfg.Config.Labels
		if cfg.Architecture != "" {
			b.Architectures = []string{cfg.Architecture}
		}
		add(labels[titleKey], whole)
	}
	b.Source = labels[sourceKey]
	return nil
}

// Annotations with which packages describe themselves.
const (
	titleKey  = "org.opencontainers.image.title"
	sourceKey = "org.opencontainers.image.source"
)
