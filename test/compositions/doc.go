// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package compositions holds the tests of examples/composition. Crossplane itself renders them with
// the functions as local processes, its CLI validates the result, and a real API server with all
// kinds admits or refuses it. The provider makes the composed resources of some examples Ready,
// against a simulated Cloudflare. The tests need no network.
package compositions
