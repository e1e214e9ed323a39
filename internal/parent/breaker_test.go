// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"errors"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

var errAnswer = errors.New("an answer to the very call")

func TestBreaker(t *testing.T) {
	forbidden := apiError(403, 10000)
	tests := []struct {
		reason   string
		outcomes []error
		// open is how long calls are not made after the outcomes.
		open time.Duration
	}{
		{"most failures come alone", []error{errLost}, 0},
		{"the second does not", []error{errLost, errLost}, time.Second},
		{"a refusal meets the next call as well", []error{forbidden}, time.Second},
		{"the time doubles", []error{errLost, errLost, errLost, errLost}, 4 * time.Second},
		{"up to the longest", []error{forbidden, forbidden, forbidden, forbidden, forbidden, forbidden}, 10 * time.Second},
		{"a success ends it", []error{forbidden, forbidden, nil}, 0},
		{"and the suspicion", []error{errLost, nil, errLost}, 0},
		{"so does a refusal of what the call contains", []error{forbidden, apiError(400, 9005)}, 0},
		{"and what its owner takes for an answer", []error{forbidden, errAnswer}, 0},
		{"a refusal with a status of success does not", []error{apiError(200, 9005), apiError(200, 9005)}, time.Second},
		{"a credential that pauses made no call", []error{throttled(time.Minute), throttled(time.Minute)}, 0},
		{"nor did one that is not swept with", []error{cloudflare.ErrWithdrawn, cloudflare.ErrWithdrawn}, 0},
		{"nor did an open breaker", []error{forbidden, &CircuitOpenError{Cause: forbidden}}, time.Second},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			b := NewBreaker(10*time.Second, now, func(err error) bool { return errors.Is(err, errAnswer) })
			for _, err := range tc.outcomes {
				b.Record(err, now)
			}
			if err := b.Check(now.Add(tc.open - 1)); (err != nil) != (tc.open > 0) {
				t.Errorf("%s: got %v until %v", tc.reason, err, tc.open)
			}
			if err := b.Check(now.Add(tc.open)); err != nil {
				t.Errorf("%s: got %v after %v", tc.reason, err, tc.open)
			}
		})
	}
}

func TestABreakerLetsOneThrough(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	b := NewBreaker(10*time.Second, now, nil)
	b.Record(apiError(403, 10000), now)
	now = now.Add(time.Second)
	if first, second := b.CheckOne(now), b.CheckOne(now); first != nil || second == nil {
		t.Errorf("got %v and %v, want one through", first, second)
	}
	b.Record(nil, now)
	if err := b.CheckOne(now); err != nil {
		t.Errorf("got %v, want all through once that has succeeded", err)
	}
	if b.IdleSince(now) || !b.IdleSince(now.Add(1)) {
		t.Error("want that the last call counts as use")
	}
}

// TestWhatWasNotSentIsNotAmbiguous checks that a writer need not look for the outcome of a
// call that was not made.
func TestWhatWasNotSentIsNotAmbiguous(t *testing.T) {
	if err := error(&CircuitOpenError{Cause: apiError(403, 10000)}); !cloudflare.IsForbidden(err) {
		t.Errorf("%v hides why", err)
	}
	if err := error(&CircuitOpenError{Cause: t.Context().Err()}); cloudflare.IsAmbiguous(err) {
		t.Errorf("%v says that a call may have been made", err)
	}
}
