// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package decision

import "time"

const (
	// firstPause is how long what was refused once is not sent again, and longestPause what was refused often. In
	// between the pause doubles: what comes to be accepted by itself is sent within twice the time that it took.
	firstPause   = 15 * time.Second
	longestPause = 30 * time.Minute
)

// A Refusal is that the API refused what an object sent, in a way that it would refuse the same again.
type Refusal struct {
	// Of tells what was sent, and what it was sent for, from anything else.
	Of string
	// Err is what the API answered.
	Err error
	// At is when it did, and Times how often in a row.
	At    time.Time
	Times int
}

// Again is the refusal after another one.
func (r Refusal) Again(of string, err error, at time.Time) Refusal {
	next := Refusal{Of: of, Err: err, At: at, Times: 1}
	if r.Of == of {
		next.Times += r.Times
	}
	return next
}

// Stands reports whether what is to be sent now was refused, and is not sent again yet.
func (r Refusal) Stands(of string, now time.Time) bool {
	return r.Err != nil && r.Of == of && now.Before(r.At.Add(r.pause()))
}

func (r Refusal) pause() time.Duration {
	return min(firstPause<<min(r.Times-1, 10), longestPause)
}

// Over reports whether nothing depends on the refusal any more, whatever is sent.
func (r Refusal) Over(now time.Time) bool { return now.After(r.At.Add(2 * longestPause)) }
