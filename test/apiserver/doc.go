// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package apiserver is a Kubernetes API server in memory. It keeps what clients, caches and
// controllers rely on: resource versions and conflicts, status as a subresource, generations,
// finalizers and deletion timestamps, watches, and of each CustomResourceDefinition the pruning,
// the defaults, the schema and the validation rules, by the libraries of the real API server.
//
// A Server starts no goroutine of its own but those of watches, and reads no clock but package
// time: in a bubble of testing/synctest, time is virtual for it and its clients.
//
// It does not authenticate, and it allows everything. It has no admission but that namespaces have to
// exist, no server-side apply, no protobuf, no other versions of a kind, and no garbage collection.
// Managed fields are not kept. What it does not have, it refuses.
package apiserver
