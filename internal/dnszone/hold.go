// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// firstHold is how long a kind of call is held at first. It is no longer than the
// work queue's first back-off.
const firstHold = time.Second

// A hold keeps a kind of call from being made again and again while it fails for
// what is not in the call: hundreds of objects that come back one after the other,
// each at its own time, share one failure instead of making one each. It begins
// with a refusal that the next call would meet as well, or with the second failure
// of another kind, for most come alone; it doubles with each, up to most. It is
// safe for concurrent use.
type hold struct {
	most time.Duration

	mu sync.Mutex
	// suspect is true after a failure that came alone.
	suspect bool
	err     error
	until   time.Time
	pause   time.Duration
}

// A HeldError says that a call was not made because the one before it failed.
type HeldError struct {
	// Cause is what the call before came to.
	Cause error
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("not sent, for the last one failed and the next is only due in a moment: %v", e.Cause)
}

// Unwrap gives the cause, unless that would make a call which was not sent one
// whose outcome nobody knows.
func (e *HeldError) Unwrap() error {
	if cloudflare.IsAmbiguous(e.Cause) {
		return nil
	}
	return e.Cause
}

// held is the error of a call that is not to be made now, or nil.
func (h *hold) held(now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err != nil && now.Before(h.until) {
		return &HeldError{Cause: h.err}
	}
	return nil
}

// heldButOne is held for calls that nobody shares: once the time is over it lets
// one through, and the others when that has ended well, or after as long again.
func (h *hold) heldButOne(now time.Time) error {
	err := h.held(now)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil && h.err != nil {
		h.until = now.Add(h.pause)
	}
	return err
}

// ended notes what a call came to.
func (h *hold) ended(err error, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case err == nil || answers(err):
		h.err, h.pause, h.suspect = nil, 0, false
	case cloudflare.IsThrottled(err) || errors.As(err, new(*HeldError)):
		// The credential pauses; nothing was asked.
	case !h.suspect && !refuses(err):
		h.suspect = true
	default:
		h.suspect = true
		h.pause = min(max(2*h.pause, firstHold), h.most)
		h.err, h.until = err, now.Add(h.pause)
	}
}

// idle reports whether nothing failed since then.
func (h *hold) idle(since time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.err == nil || h.until.Before(since)
}

// refuses reports whether the API refused the caller or the zone.
func refuses(err error) bool {
	return cloudflare.IsInvalidCredential(err) || cloudflare.IsForbidden(err) || cloudflare.IsZoneUnknown(err)
}

// answers reports whether err is the API's answer to the very call, so that
// another call may well be answered otherwise.
//
// A refusal with a status of success is none: the API gives it whatever it is asked.
func answers(err error) bool {
	var e *cloudflare.Error
	odd := errors.As(err, &e) && e.Status/100 == 2
	return !odd && (errors.As(err, new(*UnreadableError)) || cloudflare.IsRecordGone(err) || cloudflare.IsRejected(err))
}
