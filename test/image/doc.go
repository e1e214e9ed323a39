// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package image holds the tests of the provider's image: its content, that a second build has
// the same result, and that it runs like a pod with a hardened security context. They need
// root, or user namespaces.
package image
