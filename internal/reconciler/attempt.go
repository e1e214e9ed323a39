// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"
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

// CreationSettledAt is when the last attempt to create the external resource of mg has
// shown all it ever will, by the runtime's notes of when it began and when it
// failed. It is the zero time where nothing was tried.
//
// One that was begun and did not fail was sent some time after that, for writes
// wait for each other: before its reconcile ended, or its process, which was before
// this process began to lead.
func CreationSettledAt(mg client.Object, began time.Time, settle time.Duration) time.Time {
	pending, failed := meta.GetExternalCreatePending(mg), meta.GetExternalCreateFailed(mg)
	switch {
	case pending.IsZero() && failed.IsZero():
		return time.Time{}
	case failed.Before(pending): // They are in whole seconds; most fail within one.
		failed = time.Time{}
	}
	return AttemptSettledAt(pending, failed, began, settle)
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

// AttemptSettledAt is CreationSettledAt for an attempt that began at begun, and ended without an answer
// at ended: zero where nobody knows that it ended.
func AttemptSettledAt(begun, ended, began time.Time, settle time.Duration) time.Time {
	if !ended.IsZero() {
		return ended.Add(settle)
	}
	sent := begun.Add(Timeout + callTimeout)
	if begun.Before(began) && began.Before(sent) {
		sent = began
	}
	return sent.Add(settle)
}
