// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"sync/atomic"
	"time"
)

// A Clock counts what happens to one parent: the begin of each list, the end of each
// write. It is logical time, which puts these in an order that no clock on a wall can.
type Clock struct{ n atomic.Uint64 }

// Now is the logical time.
func (c *Clock) Now() uint64 { return c.n.Load() }

// Tick advances the clock, and gives the new time.
func (c *Clock) Tick() uint64 { return c.n.Add(1) }

// A Moment is a point in time: in logical time, and on the wall.
type Moment struct {
	Logical uint64
	Wall    time.Time
}

// Lag is how long after a write of our own a list may show what was there before it:
// lists may be answered from a copy that is behind. For as long the write is believed,
// and not the list. What a list shows later is looked at.
const Lag = 5 * time.Second

// GoneKept is how long it is remembered that a row is deleted. The object that has
// deleted it looks again, and may wait for that behind thousands: asking for each by its
// ID would cost more calls than the deletions did.
const GoneKept = time.Hour

// GoneDisputed is how long a deletion of our own is believed and not the lists that show
// the row: no copy is that far behind. That a GET has shown no row is believed for Lag
// only: it may have come from a copy that is behind itself.
const GoneDisputed = 30 * time.Second

// A Fact is a row that this process wrote or read by itself, and so knows better than
// a list that began before, or that comes from an older copy.
type Fact[R any] struct {
	Row R
	// Gone is that the row is deleted.
	Gone bool
	// Written is true for what this process wrote or deleted, rather than read.
	Written bool
	// Returns is true of a Gone row whose ID may come back: it is a name.
	Returns bool
	// Alone is true of a Gone row where one answer alone says so, against what was known before, and
	// Since is when it did. Was is the row as it was known, nil for a row that was not.
	Alone bool
	Since time.Time
	Was   *R
	At    Moment
}

// A Sight is what a list shows of a row that is known to have changed.
type Sight int

const (
	// Missing is that the list does not show the row, or not so that it can be read.
	Missing Sight = iota
	// Unordered is that it shows the row, and nothing says which of the two is newer.
	Unordered
	// Older is that it shows the row as it was before the change.
	Older
	// Newer is that it shows the row as it became after the change.
	Newer
)

// survives reports whether a list that began at that moment, and shows s of the row,
// must not undo what is known of it: the list began before the change, or is older than
// it all the same because it comes from a copy that is behind.
//
// A copy may be behind although the list before showed the change already. So a change
// stays for Lag even where a list confirms it.
func (f Fact[R]) survives(s Sight, list Moment) bool {
	age := list.Wall.Sub(f.At.Wall)
	switch {
	case f.At.Logical >= list.Logical:
		return true
	case f.Gone && !f.Returns && s == Missing:
		return age <= GoneKept // Such an ID does not come back.
	case f.Gone && !f.Returns && f.Written:
		return age <= GoneDisputed
	case f.Gone:
		return s != Newer && age <= Lag
	case s == Older:
		return true
	case s == Newer:
		return false
	}
	return f.Written && age <= Lag
}

// confirmed is f after a list that began at that moment and lacks the row. Where lists are reads of
// single rows, two of them have to be Lag apart.
func (f Fact[R]) confirmed(list Moment, single bool) Fact[R] {
	if f.At.Logical < list.Logical && (!single || list.Wall.Sub(f.Since) >= Lag) {
		f.Alone = false
	}
	return f
}

// Known is what is known to have changed, by ID, since a list began. It lies over what
// that list showed.
type Known[R any] map[string]Fact[R]

// Survivors gives what is still known after a list that began at that moment, of which
// sight tells what it shows, and the IDs of the rows for which the list counts again.
// Whether these are as they were has to be looked at: what the list before showed of
// them was hidden.
func (k Known[R]) Survivors(list Moment, sight func(id string, f Fact[R]) Sight) (kept Known[R], released []string) {
	kept = Known[R]{}
	for id, f := range k {
		if f.survives(sight(id, f), list) {
			kept[id] = f
		} else {
			released = append(released, id)
		}
	}
	return kept, released
}

// Uncovered gives those of ids of which k knows nothing.
func (k Known[R]) Uncovered(ids []string) []string {
	var out []string
	for _, id := range ids {
		if _, known := k[id]; !known {
			out = append(out, id)
		}
	}
	return out
}
