// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package parent puts what is below one parent in Cloudflare (a zone, an account, a
// document) behind one type, so that many callers cost few calls. A Collection is the
// rows of one kind below one parent, seen with one credential; a Pool holds the
// collections in use and sweeps each of them once an interval. The calls themselves
// are a Source's, and what a row is the caller's.
//
// A controller asks for its collection at each reconcile (Pool.Collection), observes with
// Get or Find, and calls Written or Removed with the answer to each write before it goes on.
// One goroutine runs Pool.Run, whose handler enqueues the objects of the rows that changed.
//
// What a caller may rely on:
//
//   - Presence (Get, Find) may come from what was seen in the last one and a half
//     intervals. Absence needs a GET that proves it, or, of a key and where there is no GET,
//     a list that began after the question (or after what is asked for was there, if it
//     ever was).
//   - A write is in the collection as soon as Written or Removed returns. A list that began
//     before that does not undo it. Neither does a list that comes from an older copy, for
//     Lag after the write: it is not reported as a change either. A change that somebody
//     else makes within that time is reported by the next list that begins after it, or
//     at once where rows have times of modification.
//   - Handler.OnChange names each row that a list showed to be changed, gone or new since
//     the list before, and none that this process wrote itself. Whoever caused the list
//     (a question, say), the next sweep reports what it showed.
//   - Where lists are complete, a sweep costs one list, whatever the number of rows. Where they
//     are not, it costs one GET for each row that somebody asked for lately, at the same
//     times.
//   - Sweeps have their share of the credential's budget, and users' calls go first. Where all
//     sweeps with a credential together cost more than their share, all intervals are stretched
//     alike, and Options.OnPace says so. Pools that share a Load share the budget.
//   - Callers that need a list at the same time share it. What fails is not called again
//     for a moment, for all of them.
//   - Two credentials never share a read.
//   - A call of a list goes on when its callers have left. Drain waits for it.
//
// The parts of a Collection are usable one by one: Lists, Known, Sweeps, Breaker and
// Background. Package dnszone stands on them, for its rows are stored in another way.
//
// The package knows no Kubernetes types, no kind and no path of the API.
package parent
