// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package harness has what the tests of the provider start and wait for: an API server
// or a whole control plane, a simulator of Cloudflare, the provider in the process of
// the test, and conditions of objects. Every exchange with the simulator is checked
// against the official OpenAPI document.
//
// For tests in which each part is a process of its own, see test/rig.
package harness
