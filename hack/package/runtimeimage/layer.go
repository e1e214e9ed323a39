// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package runtimeimage

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// File is one file of a layer.
type File struct {
	Path    string // Absolute.
	Mode    int64
	Content []byte
}

// Layer returns a layer with files, in that order, and their parent folders. All belong to
// root and have no times. The layer has gzip's best compression: it is built once and
// downloaded often.
func Layer(files ...File) (v1.Layer, error) {
	content, err := archive(files)
	if err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}, tarball.WithCompressionLevel(gzip.BestCompression), tarball.WithCompressedCaching)
}

func archive(files []File) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	there := map[string]bool{"/": true}
	for _, f := range files {
		if err := makeFolder(w, filepath.Dir(f.Path), there); err != nil {
			return nil, err
		}
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: f.Path[1:], Mode: f.Mode, Size: int64(len(f.Content))}); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.Content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// makeFolder writes a folder after its parents, unless it exists.
func makeFolder(w *tar.Writer, dir string, there map[string]bool) error {
	if there[dir] {
		return nil
	}
	if err := makeFolder(w, filepath.Dir(dir), there); err != nil {
		return err
	}
	there[dir] = true
	return w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir[1:] + "/", Mode: 0o755})
}
