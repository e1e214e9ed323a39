// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package clients runs other projects' Cloudflare clients, which are used in production,
// against test/simulator. They were written for the real API. So a simulator that works with
// them does not only match this project's reading of the documentation.
//
// Every exchange is also checked against the official OpenAPI document. The package is a module
// of its own, so that none of these clients is a dependency of the provider.
package clients
