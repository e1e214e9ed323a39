// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package publish

import (
	"context"
	"fmt"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/provider-cloudflare/provider-cloudflare/hack/package/xpkg"
)

// Artefact is an image or an index.
type Artefact interface {
	partial.Describable
	RawManifest() ([]byte, error)
}

// Push writes the artefact to a registry, and returns its digest. It connects without
// TLS to addresses of this machine and of private networks, and only with TLS to
// others. Credentials are those that "docker login" and similar tools have stored.
func Push(ctx context.Context, to name.Tag, what Artefact, attachments []Attachment) (name.Digest, error) {
	options := []remote.Option{remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain)}
	subjects, err := subjects(what)
	if err != nil {
		return name.Digest{}, err
	}
	// This is before any write: an attachment without a subject is a mistake.
	referrers := make([]*referrer, 0, len(attachments))
	for _, a := range attachments {
		r, err := a.about(subjects)
		if err != nil {
			return name.Digest{}, err
		}
		referrers = append(referrers, r)
	}

	switch what := what.(type) {
	case v1.ImageIndex:
		err = remote.WriteIndex(to, what, options...)
	case v1.Image:
		err = remote.Write(to, what, options...)
	default:
		err = fmt.Errorf("a %T is neither an image nor an index", what)
	}
	if err != nil {
		return name.Digest{}, fmt.Errorf("cannot push %s: %w", to, err)
	}
	for _, r := range referrers {
		if err := r.push(to.Context(), options); err != nil {
			return name.Digest{}, err
		}
	}
	return to.Context().Digest(subjects[""].Digest.String()), nil
}

// subjects returns the possible subjects of an attachment: the artefact itself under
// "", and the package of each architecture.
func subjects(what Artefact) (map[string]v1.Descriptor, error) {
	whole, err := partial.Descriptor(what)
	if err != nil {
		return nil, err
	}
	out := map[string]v1.Descriptor{"": subject(*whole)}
	switch what := what.(type) {
	case v1.ImageIndex:
		manifest, err := what.IndexManifest()
		if err != nil {
			return nil, err
		}
		for _, d := range manifest.Manifests {
			if d.Platform != nil && !xpkg.IsExtensions(d) {
				out[d.Platform.Architecture] = subject(d)
			}
		}
	case v1.Image:
		cfg, err := what.ConfigFile()
		if err != nil {
			return nil, err
		}
		out[cfg.Architecture] = out[""]
	}
	return out, nil
}

// subject returns the part of a descriptor that identifies a manifest.
func subject(d v1.Descriptor) v1.Descriptor {
	return v1.Descriptor{MediaType: d.MediaType, Size: d.Size, Digest: d.Digest}
}
