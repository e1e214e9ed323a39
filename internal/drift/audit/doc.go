// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package audit finds out who changed a resource outside the provider, from the audit logs of
// its account (version 2).
//
// A caller asks a Trail about a Subject only after it has found drift. A Trail promises:
//
//   - At most one call of the audit logs for each parent and sweep, regardless of how many
//     resources below the parent have drifted. The answer is remembered, and callers that come
//     while the call is under way share it.
//   - A credential that may not read the audit logs of an account costs one refused call in
//     six hours. No message reports the refusal: the permission is optional.
//   - Calls count as calls of a sweep: users' calls go first, and no caller waits for the
//     budget.
//   - Two credentials, or two accounts, never share an answer.
//   - A change is attributed only to an entry that fits the resource, its kind of change and
//     its time. If the last change in the logs is the provider's own, or no entry fits, the
//     answer is that the cause is not known: entries come late.
//
// Which entry explains a change, and the text about it, are pure functions.
package audit
