// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package limits decides what a provider config allows: the kinds and namespaces of its objects, and the zones
// and accounts of their calls. It makes no calls itself. Names resolve IDs and names for it.
package limits
