// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package audit finds out who changed a resource outside the provider, from the audit logs
// of its account (version 2).
//
// A caller asks a Trail about a Subject only once it has found drift. What a Trail promises:
//
//   - At most one call of the audit logs for each parent and sweep, however many resources
//     below the parent have drifted: the answer is remembered, and callers that come while
//     the call is under way share it.
//   - A credential that may not read the audit logs of an account costs one refused call in
//     six hours. No message says so: the permission is optional.
//   - Calls count as calls of a sweep: users' calls go first, and nobody waits for the budget.
//   - Two credentials, or two accounts, never share anything.
//   - A change is named only where an entry fits the resource, its kind of change and its
//     time. Where the last change that the logs show is the provider's own, or nothing fits,
//     the answer is that nobody knows: entries come late.
//
// Which entry explains a change, and how that reads, are pure functions.
package audit
