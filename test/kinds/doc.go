// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package kinds is the conformance suite of the described kinds. Each row of the suite holds for
// each kind, with the real provider against the simulator. A kind is excused from a row by its
// description, with a reason, or by its schema, if it has no field for the row.
//
// Each test has an API server in memory (test/apiserver), a simulator and a provider of its own, in
// a bubble of testing/synctest: its time is virtual, so that waiting takes no real time. With
// REAL_API_SERVER=1, all tests share a real API server.
package kinds
