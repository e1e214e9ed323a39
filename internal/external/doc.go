// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package external provides the one external client for all kinds. It gathers what is known
// about an object and its external resource, has package decision decide, and carries the
// step out. A kind supplies an Adapter: how to find, compare, create, update and delete.
//
// A decision is bound to the UID, generation and resource version of the object that it was
// made for. Every write to the object requires that version. After a merge, a reload or a
// conflict, nothing that cannot be undone follows: the reconcile ends, and the next one
// observes and decides again.
package external
