// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package limits decides what a provider config allows: of which kinds its objects are, and to which zones and
// accounts their calls go. What names stand for, it asks; it makes no calls itself.
package limits
