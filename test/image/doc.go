// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package image holds the tests of the provider's image: what is in it, that it is
// the same when it is built again, and that it runs as a pod with a hardened security
// context runs it. They need root, or user namespaces.
package image
