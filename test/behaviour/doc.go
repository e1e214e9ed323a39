// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package behaviour tests what users see: the real provider manager against an API
// server and the simulator of the Cloudflare API. Every exchange between the two is
// checked against the official OpenAPI document.
//
// Each test has an API server in memory, a simulator and a provider of its own, in a
// bubble of testing/synctest: waiting takes no time. Behaviour that only a real API
// server has is tested on one that these tests share, with one simulator and one
// provider. There, each test has a namespace, an account, a zone and a token of its
// own, and so a rate limit of its own. With REAL_API_SERVER=1, all tests run there,
// and tests that stop the provider are not parallel.
package behaviour
