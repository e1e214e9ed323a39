// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import "time"

// window is how long the greatest number of callers counts at least; it counts for twice
// that at most. A caller that has left may be back with its next object a moment later.
const window = 250 * time.Millisecond

// A concurrency estimates how many callers are at work on a zone, from the numbers of
// callers now and a moment ago. It is not safe for concurrent use.
type concurrency struct {
	present int
	// most is the greatest number of callers since the time since, before the greatest
	// number in the window before.
	most, before int
	since        time.Time
}

// add counts n more callers, or fewer.
func (c *concurrency) add(n int, now time.Time) {
	c.roll(now)
	c.present += n
	c.most = max(c.most, c.present)
}

// estimate returns how many callers there are, or were a moment ago.
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
