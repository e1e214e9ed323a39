// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package kinds has the conformance suite of the described kinds: each row of the suite
// holds for each of them, on a real API server, with the real provider, against the
// simulator. A kind is excused from a row by its description, with a reason, or by its schema,
// which has no field for the row.
package kinds
