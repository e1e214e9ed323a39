// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package publish combines the packages for several architectures into a file or in a
// registry, and attaches documents about them.
//
// The result depends on the packages alone. Pushed files of type .xpkg have the same
// digest as an archive of the same packages without extensions.
package publish

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/provider-cloudflare/provider-cloudflare/hack/package/xpkg"
)

// Annotate turns an image in the form of "docker save" into the image that a registry
// serves. That has media types of OCI, and an annotation for each layer that a label
// describes.
func Annotate(img v1.Image) (v1.Image, error) {
	cfg, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	layers, err := img.Layers()
	if err != nil {
		return nil, err
	}
	out := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	for _, layer := range layers {
		digest, err := layer.Digest()
		if err != nil {
			return nil, err
		}
		add := mutate.Addendum{Layer: layer, MediaType: types.OCILayer}
		if value := cfg.Config.Labels[xpkg.Label(digest)]; value != "" {
			add.Annotations = map[string]string{xpkg.Annotation: value}
		}
		if out, err = mutate.Append(out, add); err != nil {
			return nil, err
		}
	}
	if out, err = mutate.ConfigFile(out, cfg); err != nil {
		return nil, err
	}
	annotated, ok := mutate.Annotations(out, about(cfg.Config.Labels)).(v1.Image)
	if !ok {
		return nil, fmt.Errorf("cannot annotate a %T", out)
	}
	return annotated, nil
}

// about returns the labels that are annotations of the OCI image specification.
func about(labels map[string]string) map[string]string {
	out := maps.Clone(labels)
	maps.DeleteFunc(out, func(name, _ string) bool { return !strings.HasPrefix(name, "org.opencontainers.image.") })
	return out
}

// Index returns an index of one package for each architecture, in the order of the
// architectures' names. It has the annotations that are equal in all packages.
func Index(images []v1.Image) (v1.ImageIndex, error) {
	byArch := map[string]mutate.IndexAddendum{}
	var common map[string]string
	for _, img := range images {
		img, err := Annotate(img)
		if err != nil {
			return nil, err
		}
		cfg, err := img.ConfigFile()
		if err != nil {
			return nil, err
		}
		if _, twice := byArch[cfg.Architecture]; twice {
			return nil, fmt.Errorf("two packages are for %s", cfg.Architecture)
		}
		byArch[cfg.Architecture] = mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{
			MediaType: types.OCIManifestSchema1, Platform: &v1.Platform{OS: cfg.OS, Architecture: cfg.Architecture},
		}}

		said := about(cfg.Config.Labels)
		if common == nil {
			common = said
		}
		maps.DeleteFunc(common, func(name, value string) bool { return said[name] != value })
	}
	idx := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, arch := range slices.Sorted(maps.Keys(byArch)) {
		idx = mutate.AppendManifests(idx, byArch[arch])
	}
	annotated, ok := mutate.Annotations(idx, common).(v1.ImageIndex)
	if !ok {
		return nil, fmt.Errorf("cannot annotate a %T", idx)
	}
	return annotated, nil
}

// Extend adds the image with what marketplaces show of the packages to their index. It is
// for no platform, so no node takes it for the package.
func Extend(idx v1.ImageIndex, extensions v1.Image) v1.ImageIndex {
	return mutate.AppendManifests(idx, mutate.IndexAddendum{Add: extensions, Descriptor: v1.Descriptor{
		MediaType: types.OCIManifestSchema1, Platform: &v1.Platform{OS: "unknown", Architecture: "unknown"},
		Annotations: map[string]string{xpkg.Annotation: xpkg.Extensions},
	}})
}
