// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"sync"
	"time"
)

// A Clock tells the time of the simulated world: timestamps, rate limits, zone
// lifecycle.
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

// Advance moves the simulated time forward by d, whatever the clock: beside a
// running clock it is an offset. What becomes due meanwhile happens.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.offset += d
	s.settle(s.now())
}

// Now is the simulated time.
func (s *Server) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now()
}

// now is to be called with the lock held.
func (s *Server) now() time.Time { return s.clock.Now().Add(s.offset).UTC() }

// timestamp is the form of all times of the API: microseconds and Z.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }
