// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

// A Resource is one at Cloudflare.
type Resource struct {
	// ID is its identity below its parent.
	ID string
	// Parameters lead to it, by the document's names.
	Parameters map[string]string
	// Live is what the API answers about it.
	Live Document
}
