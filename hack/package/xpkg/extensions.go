// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package xpkg

import (
	"encoding/base64"
	"fmt"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/provider-cloudflare/provider-cloudflare/hack/package/runtimeimage"
)

// Extensions is the value of [Annotation] for the image with what marketplaces show of a package.
// It is beside the packages in their index, and Crossplane does not read it.
const Extensions = "xpkg-extensions"

// IsExtensions reports whether a manifest of an index is the one of the extensions.
func IsExtensions(d v1.Descriptor) bool { return d.Annotations[Annotation] == Extensions }

// iconKey is the annotation with an icon, which begins with svgPrefix.
const (
	iconKey   = "meta.crossplane.io/iconURI"
	svgPrefix = "data:image/svg+xml;base64,"
)

// Extend returns the image with the extensions: release notes in Markdown, and the readme and the
// icon of crossplane.yaml, if it has them. Its files are at the paths that "up alpha xpkg append"
// uses.
func (p *Package) Extend(releaseNotes []byte) (v1.Image, error) {
	files := []runtimeimage.File{{Path: "/release-notes/release_notes.md", Mode: 0o644, Content: releaseNotes}}
	said := p.Meta.Metadata.Annotations
	if readme := said["meta.crossplane.io/readme"]; readme != "" {
		files = append(files, runtimeimage.File{Path: "/readme/readme.md", Mode: 0o644, Content: []byte(readme)})
	}
	if uri := said[iconKey]; uri != "" {
		icon, err := svg(uri)
		if err != nil {
			return nil, err
		}
		files = append(files, runtimeimage.File{Path: "/icons/icon.svg", Mode: 0o644, Content: icon})
	}
	layer, err := runtimeimage.Layer(files...)
	if err != nil {
		return nil, fmt.Errorf("cannot make the layer of the extensions: %w", err)
	}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	return mutate.Append(base, mutate.Addendum{
		Layer: layer, MediaType: types.OCILayer, Annotations: map[string]string{Annotation: Extensions},
	})
}

// svg returns the icon in a data URI.
func svg(uri string) ([]byte, error) {
	icon, ok := strings.CutPrefix(uri, svgPrefix)
	if !ok {
		return nil, fmt.Errorf("%s does not begin with %s", iconKey, svgPrefix)
	}
	out, err := base64.StdEncoding.DecodeString(icon)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", iconKey, err)
	}
	return out, nil
}
