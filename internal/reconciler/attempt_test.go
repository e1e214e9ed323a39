// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"testing"
	"time"
)

func TestAttemptSettledAt(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tests := []struct {
		reason  string
		attempt Attempt
		want    time.Time
	}{
		{"it is under way, or its reconcile ended badly", Attempt{Begun: at}, at.Add(Timeout + callTimeout + time.Minute)},
		{"the process ended during the attempt, a minute before this one began", Attempt{Begun: at.Add(-2 * time.Minute)}, at.Add(-time.Minute + time.Minute)},
		{"the process ended long ago", Attempt{Begun: at.Add(-time.Hour)}, at.Add(-time.Hour + Timeout + callTimeout + time.Minute)},
		{"an earlier process may have tried it once more", Attempt{Begun: at.Add(-4 * time.Minute), Unseen: 2 * time.Minute}, at.Add(-time.Minute + time.Minute)},
		{"the call took a while to fail", Attempt{Begun: at, Ended: at.Add(90 * time.Second)}, at.Add(150 * time.Second)},
		{"the call failed at once", Attempt{Begun: at, Ended: at}, at.Add(time.Minute)},
	}
	for _, tc := range tests {
		if got := AttemptSettledAt(tc.attempt, at.Add(-time.Minute), time.Minute); !got.Equal(tc.want) {
			t.Errorf("%s: AttemptSettledAt(...) = %s, want %s", tc.reason, got, tc.want)
		}
	}
}

func TestVisibleSince(t *testing.T) {
	begun := time.Date(2026, 1, 2, 3, 4, 5, 600, time.UTC)
	settled := begun.Add(time.Minute)
	second := time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)
	tests := []struct {
		reason              string
		begun, settled, now time.Time
		want                time.Time
	}{
		{"nothing was tried", time.Time{}, time.Time{}, begun, time.Time{}},
		{"it may still show what it made: what was there as it began is seen", begun, settled, settled.Add(-1), second},
		{"it has shown all", begun, settled, settled, second.Add(time.Minute)},
		{"nobody knows when it began", time.Time{}, settled, begun, time.Time{}},
		{"within the second, attempts share a look", begun.Add(300 * time.Millisecond), settled, begun, second},
	}
	for _, tc := range tests {
		if got := AttemptVisibleSince(tc.begun, tc.settled, tc.now); !got.Equal(tc.want) {
			t.Errorf("%s: AttemptVisibleSince(...) = %s, want %s", tc.reason, got, tc.want)
		}
	}
}
