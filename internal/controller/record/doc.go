// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package record reconciles Record objects with DNS records in Cloudflare zones.
package record
