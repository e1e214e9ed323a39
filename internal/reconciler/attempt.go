// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"fmt"
	"time"
)

// DefaultSettleTime is how long after a creation that got no answer its absence
// is not believed. It covers what a server takes to carry out a request whose
// client has gone, and how far lists lag behind; Cloudflare promises neither.
const DefaultSettleTime = 30 * time.Second

// An OpenAttemptError says that a creation got no answer, and that it is too early
// to take what is not there for not made.
type OpenAttemptError struct {
	// What was being created.
	What string
	// Until is when absence will be believed.
	Until time.Time
}

func (e *OpenAttemptError) Error() string {
	return fmt.Sprintf("an earlier attempt to create %s got no answer, and what it made may still appear at Cloudflare: "+
		"looking again until %s before anything else is done", e.What, e.Until.UTC().Format(time.RFC3339))
}

// AttemptVisibleSince is from when on whoever looks at the time now sees what the last
// attempt made: when it is settled, or, before that, when it began. Times are in whole
// seconds, so that many attempts share a look.
func AttemptVisibleSince(begun, settled, now time.Time) time.Time {
	seen := settled
	if now.Before(settled) {
		seen = begun
	}
	if seen.IsZero() {
		return seen
	}
	return seen.Truncate(time.Second).Add(time.Second)
}

// callTimeout is how long a call may go on after its reconcile has ended.
const callTimeout = 90 * time.Second

// An Attempt is an attempt to create an external resource, by what is known of its time.
type Attempt struct {
	// Begun is when it began, and Unseen for how long after that it may have begun once more
	// without a trace.
	Begun  time.Time
	Unseen time.Duration
	// Ended is when it ended without an answer, zero where nothing tells that it ended.
	Ended time.Time
}

// AttemptSettledAt is when an attempt has shown all it ever will. One that began and did not end
// was sent some time after that, for writes wait for each other: before its reconcile ended, or
// its process, which was before this process began to lead, at began.
func AttemptSettledAt(a Attempt, began time.Time, settle time.Duration) time.Time {
	if !a.Ended.IsZero() {
		return a.Ended.Add(settle)
	}
	sent := a.Begun.Add(a.Unseen + Timeout + callTimeout)
	if a.Begun.Before(began) && began.Before(sent) {
		sent = began
	}
	return sent.Add(settle)
}
