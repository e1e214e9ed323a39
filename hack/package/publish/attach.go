// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package publish

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Media types of attached documents.
const (
	CycloneDX types.MediaType = "application/vnd.cyclonedx+json"
	InToto    types.MediaType = "application/vnd.in-toto+json"

	emptyJSON types.MediaType = "application/vnd.oci.empty.v1+json"
)

// Attachment is a document about a package.
type Attachment struct {
	Type types.MediaType
	Path string
	// Arch is the architecture of the package that it is about; empty means all of them.
	Arch string
}

// referrer is an artefact of the OCI image specification that is about another one.
// Registries list it among the referrers of its subject.
type referrer struct {
	path     string
	manifest []byte
	blobs    []v1.Layer
}

// RawManifest returns the manifest. With MediaType, it lets remote.Put write a referrer.
func (r *referrer) RawManifest() ([]byte, error) { return r.manifest, nil }

// MediaType returns the media type of the manifest.
func (r *referrer) MediaType() (types.MediaType, error) { return types.OCIManifestSchema1, nil }

// manifest is the manifest of the OCI image specification 1.1; v1.Manifest has no
// artifactType.
type manifest struct {
	SchemaVersion int             `json:"schemaVersion"`
	MediaType     types.MediaType `json:"mediaType"`
	ArtifactType  types.MediaType `json:"artifactType"`
	Config        v1.Descriptor   `json:"config"`
	Layers        []v1.Descriptor `json:"layers"`
	Subject       v1.Descriptor   `json:"subject"`
}

// about returns the referrer for a. It has the document as its only layer and the empty
// configuration.
func (a Attachment) about(subjects map[string]v1.Descriptor) (*referrer, error) {
	of, ok := subjects[a.Arch]
	if !ok {
		return nil, fmt.Errorf("cannot attach %s: there is no package for %s", a.Path, a.Arch)
	}
	content, err := os.ReadFile(a.Path)
	if err != nil {
		return nil, fmt.Errorf("cannot attach: %w", err)
	}
	document := describe(a.Type, content)
	document.Annotations = map[string]string{"org.opencontainers.image.title": filepath.Base(a.Path)}
	nothing := []byte("{}")
	raw, err := json.Marshal(manifest{
		SchemaVersion: 2, MediaType: types.OCIManifestSchema1, ArtifactType: a.Type,
		Config: describe(emptyJSON, nothing), Layers: []v1.Descriptor{document}, Subject: of,
	})
	if err != nil {
		return nil, err
	}
	return &referrer{path: a.Path, manifest: raw, blobs: []v1.Layer{static.NewLayer(nothing, emptyJSON), static.NewLayer(content, a.Type)}}, nil
}

func describe(mediaType types.MediaType, content []byte) v1.Descriptor {
	sum := sha256.Sum256(content)
	return v1.Descriptor{
		MediaType: mediaType, Size: int64(len(content)),
		Digest: v1.Hash{Algorithm: "sha256", Hex: hex.EncodeToString(sum[:])},
	}
}

func (r *referrer) push(repository name.Repository, options []remote.Option) error {
	for _, blob := range r.blobs {
		if err := remote.WriteLayer(repository, blob, options...); err != nil {
			return fmt.Errorf("cannot attach %s: %w", r.path, err)
		}
	}
	digest, _, err := v1.SHA256(bytes.NewReader(r.manifest))
	if err != nil {
		return err
	}
	if err := remote.Put(repository.Digest(digest.String()), r, options...); err != nil {
		return fmt.Errorf("cannot attach %s: %w", r.path, err)
	}
	return nil
}
