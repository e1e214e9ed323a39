// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package leak looks for secrets in what a process emitted: keep everything in a
// Record as it comes, and search it when all secrets are known.
//
// A secret is found as it is, in base64 of any alignment, in hexadecimal and
// escaped for a URL; whole, or any twelve characters of it in a row.
package leak
