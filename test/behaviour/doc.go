// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package behaviour holds the tests of what users see: the real provider manager
// against a real kube-apiserver and the simulator of the Cloudflare API. Every
// request and answer between the two is held against the official OpenAPI
// document.
//
// There is one API server, one simulator and one provider for all tests; each
// test has a namespace, an account, a zone and a token of its own, and so a rate
// limit of its own. Tests that stop the provider are not parallel.
package behaviour
