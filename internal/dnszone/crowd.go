// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import "time"

// moment is for how long at least, and for twice as long at most, a crowd is
// remembered by its greatest size. Who has left may have gone for the next object
// only, and is back a moment later.
const moment = 250 * time.Millisecond

// A crowd counts who is at work on a zone, and remembers for a moment how many
// there were. It is not safe for concurrent use.
type crowd struct {
	present int
	// most is the greatest number since since, before that of the moment before.
	most, before int
	since        time.Time
}

// add counts n more, or fewer.
func (c *crowd) add(n int, now time.Time) {
	c.roll(now)
	c.present += n
	c.most = max(c.most, c.present)
}

// size is how many there are, or were a moment ago.
func (c *crowd) size(now time.Time) int {
	c.roll(now)
	return max(c.most, c.before)
}

func (c *crowd) roll(now time.Time) {
	switch passed := now.Sub(c.since); {
	case passed < moment:
		return
	case passed < 2*moment:
		c.before = c.most
	default:
		c.before = c.present
	}
	c.most, c.since = c.present, now
}
