// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package registry is an OCI registry in this process. It makes images for it without a
// container engine.
package registry

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"log"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// Serve serves a registry at address, in memory and over plain HTTP, until ctx ends. It logs
// one line for each request.
func Serve(ctx context.Context, address string, requests io.Writer) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("cannot serve a registry: %w", err)
	}
	server := &http.Server{
		Handler:           registry.New(registry.Logger(log.New(requests, "", log.LstdFlags)), registry.WithReferrersSupport(true)),
		ReadHeaderTimeout: 10 * time.Second,
	}
	context.AfterFunc(ctx, func() { _ = server.Close() }) // too late to report an error
	go func() { _ = server.Serve(l) }()                   // ends with the line above
	return nil
}

// A Content is the content of an image: files and folders of this machine by their path in the
// image.
type Content struct {
	Files      map[string]string
	Entrypoint []string
}

// Push pushes an image for this machine's architecture to a registry.
func Push(ctx context.Context, ref string, c Content) error {
	r, err := name.ParseReference(ref)
	if err != nil {
		return fmt.Errorf("cannot push: %w", err)
	}
	img, err := image(c)
	if err != nil {
		return fmt.Errorf("cannot make the image %s: %w", ref, err)
	}
	if err := remote.Write(r, img, remote.WithContext(ctx)); err != nil {
		return fmt.Errorf("cannot push: %w", err)
	}
	return nil
}

func image(c Content) (v1.Image, error) {
	files, err := archive(c.Files)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files)), nil })
	if err != nil {
		return nil, err
	}
	img, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return nil, err
	}
	return mutate.ConfigFile(img, &v1.ConfigFile{
		OS: "linux", Architecture: runtime.GOARCH,
		RootFS: v1.RootFS{Type: "layers", DiffIDs: diffIDs(layer)},
		Config: v1.Config{Entrypoint: c.Entrypoint, User: "65532"},
	})
}

func diffIDs(l v1.Layer) []v1.Hash {
	id, err := l.DiffID()
	if err != nil {
		return nil // computed a moment ago
	}
	return []v1.Hash{id}
}

func archive(files map[string]string) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, to := range slices.Sorted(maps.Keys(files)) {
		from, err := filepath.EvalSymlinks(files[to])
		if err != nil {
			return nil, err
		}
		err = filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			below, err := filepath.Rel(from, path)
			if err != nil {
				return err
			}
			return add(w, path, filepath.Join(to, below))
		})
		if err != nil {
			return nil, err
		}
	}
	return out.Bytes(), w.Close()
}

func add(w *tar.Writer, from, to string) error {
	data, err := os.ReadFile(from) //nolint:gosec // What the suite was given.
	if err != nil {
		return err
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	h := &tar.Header{Typeflag: tar.TypeReg, Name: to, Size: int64(len(data)), Mode: int64(info.Mode().Perm() | 0o444)}
	if err := w.WriteHeader(h); err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}
