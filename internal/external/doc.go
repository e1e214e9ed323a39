// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package external has the one external client for all kinds. It gathers what is known
// about an object and its external resource, has package decision decide, and carries the
// step out. A kind supplies an Adapter: how to find, compare, create, update and delete.
//
// What is decided is bound to the object that it was decided on, by UID, generation and
// resource version. Every write to the object goes under that version. Nothing that
// cannot be undone follows a merge, a reload or a conflict: the reconcile ends there, and
// the next one observes and decides again.
package external
