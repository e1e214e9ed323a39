// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package zone reconciles Zone objects with zones in Cloudflare accounts.
package zone
