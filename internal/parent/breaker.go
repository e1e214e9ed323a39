// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// FirstPause is how long a Breaker is open at first. It is no longer than the work queue's
// first back-off.
const FirstPause = time.Second

// A Breaker is a circuit breaker for one kind of call. It keeps a call from being made
// again and again while it fails for a reason that is not in the call. Hundreds of objects
// that come back one after the other, each at its own time, share one failure instead of
// making one each. It opens at a refusal that the next call would meet as well, or at the
// second failure of another kind, because most failures come alone. The time that it is
// open doubles with each failure. It is safe for concurrent use.
type Breaker struct {
	// longest is the longest time that it is open.
	longest time.Duration
	// answers reports whether an error answers this very call. Nil is never.
	answers func(error) bool

	mu sync.Mutex
	// suspect is true after a failure, until a call succeeds or gets an answer of its own.
	suspect bool
	err     error
	until   time.Time
	pause   time.Duration
	// used is when the outcome of the last call was recorded; at first, when the Breaker
	// was made.
	used time.Time
}

// NewBreaker makes a Breaker that is open for longest at most. answers reports whether an
// error is about one call only, so that the next call may get another answer. Rejections
// of what a call contains always count as such. A nil answers adds no error.
func NewBreaker(longest time.Duration, now time.Time, answers func(error) bool) *Breaker {
	return &Breaker{longest: longest, answers: answers, used: now}
}

// A CircuitOpenError says that a call was not made because the one before it failed
// a moment ago.
type CircuitOpenError struct {
	// Cause is the error of the call before.
	Cause error
}

func (e *CircuitOpenError) Error() string {
	return fmt.Sprintf("not sent, for the last one failed and the next is only due in a moment: %v", e.Cause)
}

// Unwrap returns the cause. It returns nil if the outcome of the call before is unknown:
// the call that was not sent has a known outcome.
func (e *CircuitOpenError) Unwrap() error {
	if cloudflare.IsAmbiguous(e.Cause) {
		return nil
	}
	return e.Cause
}

// Check returns the error of a call that is not made because the Breaker is open, or nil.
func (b *Breaker) Check(now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.check(now)
}

func (b *Breaker) check(now time.Time) error {
	if b.err != nil && now.Before(b.until) {
		return &CircuitOpenError{Cause: b.err}
	}
	return nil
}

// CheckOne is Check for calls that callers do not share. Once the time is over it lets one
// call through, and the others when that call has succeeded, or after the same time again.
func (b *Breaker) CheckOne(now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := b.check(now)
	if err == nil && b.err != nil {
		b.until = now.Add(b.pause)
	}
	return err
}

// Record notes the outcome of a call.
func (b *Breaker) Record(err error, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used = now
	switch {
	case err == nil || b.answered(err):
		b.err, b.pause, b.suspect = nil, 0, false
	case cloudflare.IsThrottled(err), errors.Is(err, cloudflare.ErrWithdrawn), errors.As(err, new(*CircuitOpenError)):
		// The credential pauses, or is not used for sweeps. No call was made.
	case !b.suspect && !refuses(err):
		b.suspect = true
	default:
		b.suspect = true
		b.pause = min(max(2*b.pause, FirstPause), b.longest)
		b.err, b.until = err, now.Add(b.pause)
	}
}

// IdleSince reports whether no call was made since then, so that the Breaker may be
// forgotten. A Breaker in use must stay: what it knows of the last failures keeps the next
// calls back.
func (b *Breaker) IdleSince(since time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used.Before(since)
}

// refuses reports whether the API refused the caller or the zone.
func refuses(err error) bool {
	return cloudflare.IsInvalidCredential(err) || cloudflare.IsForbidden(err) || cloudflare.IsZoneUnknown(err)
}

// answered reports whether err is the API's answer to this very call, so that another call
// may well get another answer.
//
// A refusal with a status of success is not such an answer: the API returns it for every
// call.
func (b *Breaker) answered(err error) bool {
	var e *cloudflare.Error
	odd := errors.As(err, &e) && e.Status/100 == 2
	return !odd && (cloudflare.IsRejected(err) || (b.answers != nil && b.answers(err)))
}
