// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package harness has what the tests of the provider start and wait for: an API server
// or a whole control plane, a simulator of Cloudflare whose every exchange is held
// against the official OpenAPI document, the provider in the test's own process, and
// what objects come to say.
//
// Where everything has to be a process of its own, see test/rig.
package harness
