// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package safestart holds the tests of how the provider starts: gated by the
// kinds that are served, led by one of several replicas, with probes and metrics.
// Each test has an API server of its own.
package safestart
