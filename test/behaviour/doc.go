// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package behaviour holds the tests of what users see: the real provider manager
// against an API server and the simulator of the Cloudflare API. Every request and
// answer between the two is held against the official OpenAPI document.
//
// Each test has an API server in memory, a simulator and a provider of its own, in a
// bubble of testing/synctest, where waiting takes no time. What a real API server
// alone does is tested on one that these tests share, with one simulator and one
// provider: there a test has a namespace, an account, a zone and a token of its own,
// and so a rate limit of its own. REAL_API_SERVER=1 has all tests run there; those
// that stop the provider are not parallel then.
package behaviour
