// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kindapi

import (
	"fmt"
	"maps"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// fill sets the body of a request. It leaves out the identity if the path has it.
func (r Resources) fill(req *cloudflare.Request, body kind.Document, secrets []string) error {
	req.Secrets = secrets
	if r.d.Named() {
		body = maps.Clone(body)
		delete(body, r.d.IDPath())
	}
	if r.d.Upload == nil {
		req.Body = r.d.Sent(body)
		return nil
	}
	metadata, files := r.d.Upload.Split(body)
	part, err := cloudflare.JSONPart(r.d.Upload.Metadata, metadata)
	if err != nil {
		return fmt.Errorf("cannot encode the %s of the %s: %w", r.d.Upload.Metadata, r.d.Noun, err)
	}
	req.Parts = []cloudflare.Part{part}
	for _, f := range files {
		req.Parts = append(req.Parts, cloudflare.Part{Name: f.Name, FileName: f.Name, MediaType: f.MediaType, Content: []byte(f.Content)})
	}
	return nil
}
