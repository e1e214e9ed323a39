// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import "time"

const (
	// firstPause is how long what was refused once is not sent again, and longestPause what was refused often. In
	// between the pause doubles: what comes to be accepted by itself is sent within twice the time that it took.
	firstPause   = 15 * time.Second
	longestPause = 30 * time.Minute
)

// A refusal is that the API refused what an object sent, in a way that it would refuse the same again.
type refusal struct {
	// of tells what was sent, and what it was sent for, from anything else.
	of string
	// err is what the API answered.
	err error
	// at is when it did, and times how often in a row.
	at    time.Time
	times int
}

// again is the refusal after another one.
func (r refusal) again(of string, err error, at time.Time) refusal {
	next := refusal{of: of, err: err, at: at, times: 1}
	if r.of == of {
		next.times += r.times
	}
	return next
}

// stands reports whether what is to be sent now was refused, and is not sent again yet.
func (r refusal) stands(of string, now time.Time) bool {
	return r.err != nil && r.of == of && now.Before(r.at.Add(r.pause()))
}

func (r refusal) pause() time.Duration {
	return min(firstPause<<min(r.times-1, 10), longestPause)
}

// over reports whether nothing depends on the refusal any more, whatever is sent.
func (r refusal) over(now time.Time) bool { return now.After(r.at.Add(2 * longestPause)) }
