// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

// A Resource is an external resource.
type Resource struct {
	// ID is its identity below its parent.
	ID string
	// Parameters are the path parameters that lead to it, by the document's names.
	Parameters map[string]string
	// Live is the API's answer about it.
	Live Document
}
