// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package document

import (
	"context"

	"github.com/provider-cloudflare/provider-cloudflare/hack/officialdoc"
)

// Official reads the document of the SDK version in go.mod.
func Official(ctx context.Context) (*Document, error) {
	raw, err := officialdoc.Read(ctx)
	if err != nil {
		return nil, err
	}
	return Parse(raw)
}

// FromModule reads the document of the SDK in a folder.
func FromModule(dir string) (*Document, error) {
	raw, err := officialdoc.FromModule(dir)
	if err != nil {
		return nil, err
	}
	return Parse(raw)
}
