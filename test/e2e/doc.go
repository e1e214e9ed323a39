// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package e2e installs the provider's package with a real Crossplane and uses it as users do.
// The package has only tests: see "make e2e" and "make e2e-full".
package e2e
