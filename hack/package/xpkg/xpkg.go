// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package xpkg makes Crossplane packages. A package is an image that runs a provider or a
// function, or nothing, with a layer of its objects and one of its examples.
//
// Annotations in the image's manifest identify the layers. A file of type .xpkg, which is
// a tarball as "docker save" writes it, has no manifest. There, labels in the image's
// configuration identify the layers, and a push turns the labels into annotations.
package xpkg

import (
	"fmt"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"

	"github.com/provider-cloudflare/provider-cloudflare/hack/package/runtimeimage"
)

// Annotation is the key of a layer's annotation; a label has the layer's digest after it.
// Base is its value for the layer with the package's objects. Upbound is its value for
// the layer with the examples, which Crossplane itself does not read but registries show.
const (
	Annotation = "io.crossplane.xpkg"
	Base       = "base"
	Upbound    = "upbound"
)

// objectsPath and examplesPath are the paths of the files in the layers.
const (
	objectsPath  = "/package.yaml"
	examplesPath = "/.up/examples.yaml"
)

// Label returns the name of the label that describes the layer with that digest.
func Label(layer v1.Hash) string { return Annotation + ":" + layer.String() }

// Runs reports whether the package has a program: a Configuration has none.
func (p *Package) Runs() bool { return p.Meta.Kind != "Configuration" }

// Build adds the layers of the package to the image that runs it.
func Build(runtime v1.Image, p *Package, examples []Object) (v1.Image, error) {
	cfg, err := runtime.ConfigFile()
	if err != nil {
		return nil, err
	}
	cfg = cfg.DeepCopy()
	if cfg.Config.Labels == nil {
		cfg.Config.Labels = map[string]string{}
	}

	img := runtime
	add := func(value, path string, objects []Object) error {
		layer, err := runtimeimage.Layer(runtimeimage.File{Path: path, Mode: 0o644, Content: stream(objects)})
		if err != nil {
			return fmt.Errorf("cannot make the layer %s: %w", path, err)
		}
		digest, err := layer.Digest()
		if err != nil {
			return err
		}
		cfg.Config.Labels[Label(digest)] = value
		img, err = mutate.Append(img, mutate.Addendum{Layer: layer, History: v1.History{Created: cfg.Created}})
		return err
	}
	if err := add(Base, objectsPath, append([]Object{p.Meta}, p.Objects...)); err != nil {
		return nil, err
	}
	if len(examples) > 0 {
		if err := add(Upbound, examplesPath, examples); err != nil {
			return nil, err
		}
	}
	return mutate.Config(img, cfg.Config)
}
