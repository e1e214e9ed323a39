// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/provider-cloudflare/provider-cloudflare/hack/package/publish"
	"github.com/provider-cloudflare/provider-cloudflare/hack/package/runtimeimage"
	"github.com/provider-cloudflare/provider-cloudflare/hack/package/xpkg"
)

// archPlaceholder stands for the architecture in --out.
const archPlaceholder = "{arch}"

// build writes one .xpkg for each architecture, and an archive of all of them.
func build(_ context.Context, stdout io.Writer, fs *flag.FlagSet, args []string) error {
	var o origin
	o.register(fs)
	var examples list
	fs.Var(&examples, "examples", "folder of examples (repeatable)")
	var objects list
	fs.Var(&objects, "objects", "file with more objects of the package (repeatable)")
	root := fs.String("root", "", "folder with crossplane.yaml")
	amd64 := fs.String("binary-amd64", "", "static binary for linux/amd64")
	arm64 := fs.String("binary-arm64", "", "static binary for linux/arm64")
	ca := fs.String("ca", "", "PEM bundle of certificate authorities (default: Mozilla's)")
	out := fs.String("out", "", ".xpkg to write; "+archPlaceholder+" in it becomes the architecture")
	archive := fs.String("archive", "", "OCI image layout of all architectures to write, as a tarball")
	notes := fs.String("release-notes", "", "Markdown file: the archive gets this, the readme and the icon, for marketplaces")
	if err := parse(fs, args, "root", "version", "out"); err != nil {
		return err
	}
	if *notes != "" && *archive == "" {
		return errors.New("--release-notes go into the archive: package build needs --archive, too")
	}
	pkg, err := xpkg.Read(*root, objects...)
	if err != nil {
		return err
	}
	binaries := given(*amd64, *arm64)
	if pkg.Runs() != (len(binaries) > 0) {
		return fmt.Errorf("package build needs --binary-amd64 or --binary-arm64 for a Provider or a Function, and none for a Configuration; %s has a %s", *root, pkg.Meta.Kind)
	}
	if !pkg.Runs() {
		return buildConfiguration(stdout, o, pkg, examples, *out, *archive)
	}
	if len(binaries) > 1 && !strings.Contains(*out, archPlaceholder) {
		return fmt.Errorf("--out %s names one file for %d architectures: it needs %s", *out, len(binaries), archPlaceholder)
	}
	images, err := packages(o, pkg, examples, binaries, *ca)
	if err != nil {
		return err
	}
	for i, img := range images {
		path := strings.ReplaceAll(*out, archPlaceholder, binaries[i].arch)
		if err := publish.WriteTarball(path, img, nil); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(stdout, path); err != nil {
			return err
		}
	}
	if *archive == "" {
		return nil
	}
	idx, err := index(pkg, images, *notes)
	if err != nil {
		return fmt.Errorf("cannot put the packages together: %w", err)
	}
	return writeArchive(stdout, *archive, o.version, idx)
}

// buildConfiguration writes a package without a program: one file for all
// architectures.
func buildConfiguration(stdout io.Writer, o origin, pkg *xpkg.Package, examples []string, out, archive string) error {
	if archive != "" || strings.Contains(out, archPlaceholder) {
		return fmt.Errorf("a Configuration is for all architectures: it takes no --archive, and no %s in --out", archPlaceholder)
	}
	shown, err := xpkg.Examples(examples...)
	if err != nil {
		return err
	}
	base, err := runtimeimage.Nothing(o.about(pkg))
	if err != nil {
		return err
	}
	img, err := xpkg.Build(base, pkg, shown)
	if err != nil {
		return fmt.Errorf("cannot build the package: %w", err)
	}
	if err := publish.WriteTarball(out, img, nil); err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, out)
	return err
}

// packages returns the package for each of the binaries, in their order.
func packages(o origin, pkg *xpkg.Package, examples []string, binaries []binary, ca string) ([]v1.Image, error) {
	shown, err := xpkg.Examples(examples...)
	if err != nil {
		return nil, err
	}
	images := make([]v1.Image, 0, len(binaries))
	for _, b := range binaries {
		img, err := runtimeimage.Build(runtimeimage.Options{Binary: b.path, Arch: b.arch, CA: ca, About: o.about(pkg)})
		if err != nil {
			return nil, err
		}
		if img, err = xpkg.Build(img, pkg, shown); err != nil {
			return nil, fmt.Errorf("cannot build the package for %s: %w", b.arch, err)
		}
		images = append(images, img)
	}
	return images, nil
}

// index returns an index of the packages. With release notes it also has what
// marketplaces show.
func index(pkg *xpkg.Package, images []v1.Image, releaseNotes string) (v1.ImageIndex, error) {
	idx, err := publish.Index(images)
	if err != nil || releaseNotes == "" {
		return idx, err
	}
	notes, err := os.ReadFile(releaseNotes)
	if err != nil {
		return nil, err
	}
	extensions, err := pkg.Extend(notes)
	if err != nil {
		return nil, err
	}
	return publish.Extend(idx, extensions), nil
}

func writeArchive(stdout io.Writer, path, version string, idx v1.ImageIndex) error {
	if err := publish.WriteArchive(path, version, idx); err != nil {
		return err
	}
	digest, err := idx.Digest()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, path, digest)
	return err
}

// binary is a program for an architecture.
type binary struct{ arch, path string }

func given(amd64, arm64 string) []binary {
	var out []binary
	for _, b := range []binary{{"amd64", amd64}, {"arm64", arm64}} {
		if b.path != "" {
			out = append(out, b)
		}
	}
	return out
}

// image writes the image of the program, without the package around it, for "docker
// load".
func image(_ context.Context, stdout io.Writer, fs *flag.FlagSet, args []string) error {
	var o origin
	o.register(fs)
	root := fs.String("root", "", "folder with crossplane.yaml")
	path := fs.String("binary", "", "static Linux binary to run")
	arch := fs.String("arch", "amd64", "architecture of the binary")
	ca := fs.String("ca", "", "PEM bundle of certificate authorities (default: Mozilla's)")
	tag := fs.String("tag", "", "name and tag of the image")
	out := fs.String("out", "", "tarball to write")
	if err := parse(fs, args, "root", "binary", "tag", "out"); err != nil {
		return err
	}
	ref, err := name.NewTag(*tag)
	if err != nil {
		return fmt.Errorf("cannot use --tag: %w", err)
	}
	pkg, err := xpkg.Read(*root)
	if err != nil {
		return err
	}
	img, err := runtimeimage.Build(runtimeimage.Options{Binary: *path, Arch: *arch, CA: *ca, About: o.about(pkg)})
	if err != nil {
		return err
	}
	if err := publish.WriteTarball(*out, img, ref); err != nil {
		return err
	}
	digest, err := img.Digest()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s %s@%s\n", *out, ref, digest)
	return err
}
