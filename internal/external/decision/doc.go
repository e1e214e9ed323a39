// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package decision decides the next step for an object from facts alone.
//
// Decide returns one step. A step asks for one more fact, writes to the object, or ends the
// observation. The caller carries the step out, adds the result to the facts, and calls
// Decide again:
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
// From anywhere: Refuse, if an obstacle prevents the next step. For an object that is being
// deleted: Leave, if the resource is not the object's own, and Gone, if the external
// resource went with its parent or by the object's own deletion (AskDeleted).
//
// These rules hold for all facts, and tests check them:
//
//   - An object that only observes creates, changes and deletes nothing.
//   - An object changes and deletes only what it has created, by the journal or its status, or
//     taken over by a decision of this package. An external name that a user sets is a request.
//     It is decided like a match by the natural key.
//   - An object that manages adopts, changes and deletes only what is claimed for it.
//   - Such an object does not adopt what another controller marks as its own, and does not
//     delete it as the result of an attempt.
//   - Nothing is created while an earlier attempt may still show what it made, unless the API
//     refuses the same creation because of what the attempt made.
//   - Only proof is absence. After a look that failed, a resource is neither created nor
//     considered gone.
package decision
