// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package apiserver is a Kubernetes API server in memory. It implements what clients, caches and
// controllers rely on: resource versions and conflicts, the status subresource, generations,
// finalizers and deletion timestamps, and watches. For each CustomResourceDefinition, it prunes, sets
// defaults, and validates by the schema and the validation rules, with the libraries of the real API
// server.
//
// A Server starts goroutines for watches only, and reads the clock by package time only. In a bubble
// of testing/synctest, time is virtual for the server and its clients.
//
// It does not authenticate, and it allows every request. Its only admission is that a namespace has
// to exist. It has no server-side apply, no protobuf, no other versions of a kind, and no garbage
// collection. It does not keep managed fields. It refuses requests for what it does not have.
package apiserver
