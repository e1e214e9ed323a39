// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package cloudflare is the client of the Cloudflare v4 API: it builds clients from
// credentials, makes raw calls through the official SDK's subpackages, and translates every
// failure into a typed Error.
//
// Bodies are raw JSON: the SDK decodes every DNS record as an A record and takes a 200
// answer with "success": false for a success, so this package reads the answer's envelope
// itself. The SDK's own retries are off: a repeated POST creates duplicates, so callers
// observe again before they retry.
package cloudflare
