// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package operations tests the files for operators with the code of the tools that read them:
// metrics, alerts and the dashboard with Prometheus's parser and engine, and health checks with
// Argo CD's interpreter and Flux's library. Their input is what a real provider exported and
// what a real API server stores.
package operations
