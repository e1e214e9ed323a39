// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"sync"
	"time"
)

// A Clock returns the time of the simulated world. Timestamps, rate limits and the
// lifecycle of zones follow it.
type Clock interface {
	Now() time.Time
}

// A ManualClock stands still until it is advanced.
type ManualClock struct {
	mu  sync.Mutex
	now time.Time
}

// NewManualClock returns a clock that stands at start.
func NewManualClock(start time.Time) *ManualClock { return &ManualClock{now: start} }

// Now implements Clock.
func (c *ManualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock forward.
func (c *ManualClock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

// Advance moves the simulated time forward by d. It works with every clock: beside a
// running clock it is an offset. Everything that is due by then happens.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.offset += d
	s.settle(s.now())
}

// Now returns the simulated time.
func (s *Server) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now()
}

// now returns the simulated time. The caller holds the lock.
func (s *Server) now() time.Time { return s.clock.Now().Add(s.offset).UTC() }

// timestamp formats a time as the API does: microseconds and Z.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }
