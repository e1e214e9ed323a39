// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package parent puts what is below one parent in Cloudflare (a zone, an account, a document)
// behind one type, so that many callers cost few calls. A Collection is the rows of one kind
// below one parent, seen with one credential. A Pool holds the collections in use and sweeps
// each of them once an interval. A Source makes the calls. The caller defines what a row is.
//
// A controller asks for its collection at each reconcile (Pool.Collection), observes with Get
// or Find, and calls Written or Removed with the answer to each write before it goes on. One
// goroutine runs Pool.Run. Its handler enqueues the objects of the rows that changed.
//
// What a caller may rely on:
//
//   - Presence (Get, Find) may come from what was seen in the last one and a half intervals.
//     Absence needs a GET that proves it. For a key, or if there is no GET, absence needs a
//     list that began after the question, or after the time at which the row was there if it
//     ever was (Query.Since).
//   - A write is in the collection as soon as Written or Removed returns. A list that began
//     before that does not undo it. Neither does a list that comes from an older copy, for Lag
//     after the write; such a list is not reported as a change either. A change that another
//     process makes within Lag is reported by the next list that begins after it, or at once if
//     rows have times of modification.
//   - Handler.OnChange names each row that a list showed to be changed, gone or new since the
//     list before, and no row that this process wrote itself. If a question caused the list,
//     the next sweep reports what it showed.
//   - If lists are complete, a sweep costs one list, however many rows there are. If they are
//     not, a sweep costs one GET for each row that a caller asked for lately, at the same
//     times.
//   - Sweeps have their share of the credential's budget, and the calls of users go first. If
//     all sweeps with a credential together cost more than their share, all intervals are
//     stretched alike, and Options.OnPace says so. Pools that share a SweepLoad share the budget.
//   - Callers that need a list at the same time share it. A call that failed is not made again
//     for a moment, for any caller.
//   - Two credentials never share a read.
//   - A call of a list goes on when its callers have left. Drain waits for it.
//
// The parts of a Collection are usable one by one: Lists, Overlay, Sweeps, Breaker and
// Background. Package dnszone uses the parts and not a Collection, because it stores its rows
// in another way.
//
// The package knows no Kubernetes types, no kind and no path of the API.
package parent
