// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package clients lets Cloudflare clients that others wrote, and that are in
// production elsewhere, work against test/simulator. What they expect of the
// API they have learned from the real one, so a simulator that satisfies them
// is not just one that agrees with our own reading of the documentation.
//
// Every exchange is checked against the official OpenAPI document besides. It
// is a module of its own so that none of these clients is a dependency of the
// provider.
package clients
