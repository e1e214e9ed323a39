// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package compositions holds the tests of examples/composition: Crossplane itself
// renders them with the functions as local processes, its CLI validates the result, and
// a real API server with all the kinds concerned takes it or refuses it. What comes of some
// is made Ready there by the provider, against a simulated Cloudflare. Nothing is asked of a
// network.
package compositions
