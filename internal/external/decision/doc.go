// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package decision decides what is done next for an object, by facts alone.
//
// Decide gives one step. A step either asks for one more fact, or writes to the object,
// or ends the observation. Whoever carries the step out adds what it gave to the facts
// and decides again:
//
//	       AskID ── absent ──▶ AskAttempt ── absent ──▶ AskKey ── nothing fits ──┐
//	         │                     │                      │                      │
//	       found              AskMark: found      AskTaken, AskMark: one fits    │
//	         │                     ▼                      ▼                      │
//	         │                 Confirm ◀──────────────────┘                      │
//	         ▼                     ▼                                             ▼
//	     AskClaim              AskClaim                            deleting ── Gone
//	         │                     │                               may create ─ Create
//	       ours                  ours                              else ─────── None
//	         │                     ▼
//	         │◀───────────────── Adopt
//	         ▼
//	only observed so far ── BeginToManage ─┐
//	         │◀────────────────────────────┘
//	         ├── deleting ─────────────── Delete
//	         ├── the spec leaves it open ─ Fill ─┐
//	         │◀──────────────────────────────────┘
//	         ├── differs, may update ──── Update
//	         └── else ─────────────────── Keep
//
// From anywhere: Refuse, for what stands in the way. For an object that is being deleted:
// Leave, for what is not its own, and Gone, where the external resource went with its
// parent or by the object's own deletion (AskDeleted).
//
// These rules hold for all facts, and tests check them:
//
//   - An object that only observes creates, changes and deletes nothing.
//   - Nothing is adopted, changed or deleted that is not claimed for the object.
//   - Nothing is adopted, or deleted as the work of an attempt, that another controller
//     marks as its own.
//   - Nothing is created while an earlier attempt may still show what it made, unless
//     the API refuses the same creation for what the attempt made.
//   - Only proof is absence. What could not be looked at is neither created nor gone.
package decision
