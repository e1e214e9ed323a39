// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package operations tests what operators are given, each with the code of the
// tool that reads it: metrics, alerts and dashboard with Prometheus's parser and
// engine, health checks with Argo CD's interpreter and Flux's library. All of it
// over what a real provider exported and what a real API server holds.
package operations
