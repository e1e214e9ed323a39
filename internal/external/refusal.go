// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import "time"

const (
	// firstPause is the pause after the first refusal before the same is sent again, and longestPause is the longest
	// one. In between the pause doubles. So a request that becomes acceptable by itself is sent within twice the time
	// that it took.
	firstPause   = 15 * time.Second
	longestPause = 30 * time.Minute
)

// A refusal is an answer in which the API refused what an object sent, and would refuse the same again.
type refusal struct {
	// of identifies what was sent, and what it was sent for.
	of string
	// err is what the API answered.
	err error
	// at is when the API answered, and times is the number of the same refusals in a row.
	at    time.Time
	times int
}

// again returns the refusal that follows r.
func (r refusal) again(of string, err error, at time.Time) refusal {
	next := refusal{of: of, err: err, at: at, times: 1}
	if r.of == of {
		next.times += r.times
	}
	return next
}

// stands reports whether the value to be sent now was refused, and is not sent again yet.
func (r refusal) stands(of string, now time.Time) bool {
	return r.err != nil && r.of == of && now.Before(r.at.Add(r.pause()))
}

func (r refusal) pause() time.Duration {
	return min(firstPause<<min(r.times-1, 10), longestPause)
}

// over reports whether the refusal has no effect any more on anything that is sent.
func (r refusal) over(now time.Time) bool { return now.After(r.at.Add(2 * longestPause)) }
