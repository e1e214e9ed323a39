// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package publish

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// refName is the annotation by which tools select an entry of an image layout.
const refName = "org.opencontainers.image.ref.name"

// layoutFile is in every image layout and in no other tarball.
const layoutFile = "oci-layout"

// WriteTarball writes an image as "docker save" does, under a name if there is one. This
// is the format of .xpkg files, which have no name. The image that is read back has the
// same layers and configuration.
func WriteTarball(path string, img v1.Image, ref name.Reference) error {
	return create(path, func(w io.Writer) error { return tarball.Write(ref, img, w) })
}

// WriteArchive writes an OCI image layout that has the index, as a tarball. The same
// index produces the same bytes.
func WriteArchive(path, version string, idx v1.ImageIndex) (err error) {
	dir, err := os.MkdirTemp("", "layout")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	l, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	if err := l.AppendIndex(idx, layout.WithAnnotations(map[string]string{refName: version})); err != nil {
		return fmt.Errorf("cannot write the image layout: %w", err)
	}
	return create(path, func(w io.Writer) error { return pack(os.DirFS(dir), w) })
}

// create writes a file, and leaves no partly written one.
func create(path string, write func(io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	f, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("cannot write %s: %w", path, err), os.Remove(f.Name()))
		}
	}()
	if err := errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// pack puts files into a tarball, in the order of their names.
func pack(files fs.FS, to io.Writer) error {
	w := tar.NewWriter(to)
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: path, Mode: 0o644, Size: int64(len(content))}); err != nil {
			return err
		}
		_, err = w.Write(content)
		return err
	})
	return errors.Join(err, w.Close())
}

// Open reads packages: files of type .xpkg, or one archive of WriteArchive. It returns
// an image for a single .xpkg file, and an index otherwise. The result reads from the
// folder dir, which has to stay as long as the result is used.
func Open(dir string, paths []string) (Artefact, error) {
	if len(paths) == 1 {
		archive, err := isLayout(paths[0])
		if err != nil {
			return nil, err
		}
		if archive {
			return openArchive(dir, paths[0])
		}
	}
	images := make([]v1.Image, 0, len(paths))
	for _, path := range paths {
		img, err := tarball.ImageFromPath(path, nil)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", path, err)
		}
		images = append(images, img)
	}
	if len(images) == 1 {
		return Annotate(images[0])
	}
	return Index(images)
}

func isLayout(path string) (found bool, err error) {
	err = members(path, func(h *tar.Header, _ io.Reader) error {
		if h.Name == layoutFile {
			found = true
			return io.EOF
		}
		return nil
	})
	return found, err
}

func openArchive(dir, path string) (Artefact, error) {
	if err := unpack(dir, path); err != nil {
		return nil, err
	}
	outer, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	manifest, err := outer.IndexManifest()
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	if len(manifest.Manifests) != 1 || !manifest.Manifests[0].MediaType.IsIndex() {
		return nil, fmt.Errorf("%s has not one index of packages", path)
	}
	return outer.ImageIndex(manifest.Manifests[0].Digest)
}

// unpack puts the files of a tarball into dir, and none outside of it.
func unpack(dir, path string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	err = members(path, func(h *tar.Header, r io.Reader) error {
		if h.Typeflag != tar.TypeReg {
			return nil
		}
		if err := root.MkdirAll(filepath.Dir(h.Name), 0o750); err != nil {
			return err
		}
		f, err := root.Create(h.Name)
		if err != nil {
			return err
		}
		_, err = io.CopyN(f, r, h.Size)
		return errors.Join(err, f.Close())
	})
	return errors.Join(err, root.Close())
}

// members calls see with each member of a tarball, until see returns an error. io.EOF
// ends this without an error.
func members(path string, see func(*tar.Header, io.Reader) error) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if err == nil {
			err = see(h, r)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", path, err)
		}
	}
}
