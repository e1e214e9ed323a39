// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import "time"

// window is for how long at least, and for twice as long at most, the greatest number
// of callers counts. A caller that has left may have gone for the next object only,
// and be back a moment later.
const window = 250 * time.Millisecond

// A concurrency estimates how many callers are at work on a zone, from how many there
// are and were a moment ago. It is not safe for concurrent use.
type concurrency struct {
	present int
	// most is the greatest number since since, before that of the window before.
	most, before int
	since        time.Time
}

// add counts n more callers, or fewer.
func (c *concurrency) add(n int, now time.Time) {
	c.roll(now)
	c.present += n
	c.most = max(c.most, c.present)
}

// estimate is how many callers there are, or were a moment ago.
func (c *concurrency) estimate(now time.Time) int {
	c.roll(now)
	return max(c.most, c.before)
}

func (c *concurrency) roll(now time.Time) {
	switch passed := now.Sub(c.since); {
	case passed < window:
		return
	case passed < 2*window:
		c.before = c.most
	default:
		c.before = c.present
	}
	c.most, c.since = c.present, now
}
