// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package kind describes kinds, and holds the pure half of the engine that serves all described
// kinds: names on the wire, comparison, merging, identity.
//
// A Description is data and pure functions. Three things derive from it: the Go types and CRD
// (hack/kindgen, together with Cloudflare's OpenAPI document), the documentation, and what the
// provider does with the objects (internal/controller/described).
//
// A path names a field of a body as Cloudflare writes it: member names with dots in
// between, "[]" after the name of a list for its elements, "{}" after the name of a map
// for its values, such as origins[].header.Host or rules{}.
package kind
