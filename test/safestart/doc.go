// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package safestart tests how the provider starts. Its start is gated by the
// kinds that are served, one of several replicas leads, and it serves probes and
// metrics. Each test has an API server of its own.
package safestart
