// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"testing"
	"time"
)

// TestRefusal checks that a request that is refused every time is sent several times in the first
// half hour, and then once each half hour.
func TestRefusal(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	began := now
	var r refusal
	if r.stands("", now) {
		t.Error("what was never sent was refused")
	}
	sent := func(within time.Duration) (n int) {
		for end := now.Add(within); now.Before(end); now = now.Add(time.Second) {
			if !r.stands("a", now) {
				r, n = r.again("a", errRefused, now), n+1
			}
		}
		return n
	}
	if n := sent(time.Hour); n != 8 {
		t.Errorf("it is sent %d times in the first hour", n)
	}
	if n := sent(10 * time.Hour); n != 20 {
		t.Errorf("it is sent %d times in ten hours more", n)
	}
	if r.stands("b", now) {
		t.Error("another body was refused, too")
	}
	if next := r.again("b", errRefused, now); next.times != 1 || !next.stands("b", now.Add(firstPause-1)) || next.stands("b", now.Add(firstPause)) {
		t.Errorf("another body pauses as the one before: %+v", next)
	}
	if r.over(now) || !r.over(now.Add(2*time.Hour)) || r.at.Before(began) {
		t.Error("it is forgotten at once, or never")
	}
}
