// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"fmt"
	"time"
)

// DefaultSettleTime is how long the absence of a resource proves nothing after a creation that
// got no answer. It covers the time that a server takes to carry out a request whose client has
// gone, and the lag of lists. Cloudflare promises neither.
const DefaultSettleTime = 30 * time.Second

// A CreatePendingError says that a creation got no answer, and that the absence of the resource
// proves nothing yet.
type CreatePendingError struct {
	// What names the resource that was being created.
	What string
	// Until is when an absent resource counts as not created.
	Until time.Time
}

func (e *CreatePendingError) Error() string {
	return fmt.Sprintf("an earlier attempt to create %s got no answer, and what it made may still appear at Cloudflare: "+
		"looking again until %s before anything else is done", e.What, e.Until.UTC().Format(time.RFC3339))
}

// AttemptVisibleSince returns the time since which a look must have been made to count for the
// last attempt. It is when the attempt is settled or, if now is before that, when the attempt
// began. Times are in whole seconds, so that many attempts share a look.
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

// An Attempt is what is known of the times of an attempt to create an external resource.
type Attempt struct {
	// Begun is when it began. Unseen is for how long after that it may have begun once more
	// without a trace.
	Begun  time.Time
	Unseen time.Duration
	// Ended is when it ended without an answer. It is zero if no end is recorded.
	Ended time.Time
}

// AttemptSettledAt returns the time by which the result of an attempt is visible. The request of
// an attempt without a recorded end may have been sent later than the attempt began, because
// writes wait for each other. It was sent before the end of its reconcile. It was also sent
// before the end of its process, which is before this process became the leader, at began.
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
