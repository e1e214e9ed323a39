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
//	  not its own yet:         AskClaim                            deleting ── Gone
//	AskAttempt, AskMark,           │                               may create ─ Create
//	     AskClaim,               ours                              else ─────── None
//	   BeginToManage               ▼
//	         │◀───────────────── Adopt
//	         ▼
//	     AskClaim
//	         │
//	       ours
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
//   - Nothing is changed or deleted but what the object has created, by the journal or its
//     status, or taken over by a decision of this package. An external name that a user sets is
//     a request, and decided as a match by the natural key is.
//   - Nothing is adopted, changed or deleted that is not claimed for the object.
//   - Nothing is adopted, or deleted as the work of an attempt, that another controller
//     marks as its own.
//   - Nothing is created while an earlier attempt may still show what it made, unless
//     the API refuses the same creation for what the attempt made.
//   - Only proof is absence. What could not be looked at is neither created nor gone.
package decision
