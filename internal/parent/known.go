// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"sync/atomic"
	"time"
)

// A Clock counts what happens to one parent: the begin of each list, the end of each write. It is
// logical time. Wall-clock time could not order these events.
type Clock struct{ n atomic.Uint64 }

// Now returns the logical time.
func (c *Clock) Now() uint64 { return c.n.Load() }

// Tick advances the clock, and returns the new time.
func (c *Clock) Tick() uint64 { return c.n.Add(1) }

// A Moment is a point in time: in logical time, and on the wall clock.
type Moment struct {
	Logical uint64
	Wall    time.Time
}

// Lag is how long after a write of our own a list may show what was there before it, because a copy
// that is behind may answer lists. During Lag the write is believed, and not the list. After it,
// what a list shows is taken as a change.
const Lag = 5 * time.Second

// GoneKept is how long a deletion of a row is remembered. The object that has deleted it looks
// again, and may wait for that behind thousands of others: a GET for each by its ID would cost more
// calls than the deletions did.
const GoneKept = time.Hour

// GoneDisputed is how long a deletion of our own is believed against lists that show the row. No
// copy is behind for longer than that. A GET that showed no row is believed for Lag only, because it
// may come from a copy that is behind itself.
const GoneDisputed = 30 * time.Second

// An OverlayEntry is what is known of a row that this process wrote or read by itself. It is newer than a
// list that began before, or that comes from an older copy.
type OverlayEntry[R any] struct {
	Row R
	// Gone is true if the row is deleted.
	Gone bool
	// Written is true if this process wrote or deleted the row, and false if it read it.
	Written bool
	// Returns is true of a Gone row whose ID may come back, because it is a name.
	Returns bool
	// Alone is true of a Gone row if a single answer says so, against what was known before. Since
	// is when it did. Was is the row as it was known, nil for a row that was not known.
	Alone bool
	Since time.Time
	Was   *R
	At    Moment
}

// An Ordering is what a list shows of a row of which an OverlayEntry is known.
type Ordering int

const (
	// Missing means that the list does not show the row, or not in a form that can be read.
	Missing Ordering = iota
	// Unordered means that it shows the row, and nothing says whether the list or the OverlayEntry is newer.
	Unordered
	// Older means that it shows the row as it was before the change.
	Older
	// Newer means that it shows the row as it became after the change.
	Newer
)

// survives reports whether a list must not undo what is known of a row. list is when the list began,
// s is what it shows of the row. Either the list began before the change, or it is older than the
// change because it comes from a copy that is behind.
//
// A copy may be behind although the list before showed the change already. So a change stays for Lag
// even if a list confirms it.
func (f OverlayEntry[R]) survives(s Ordering, list Moment) bool {
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

// confirmed returns f after a list that began at that moment and lacks the row. If lists are reads
// of single rows, two of them have to be Lag apart.
func (f OverlayEntry[R]) confirmed(list Moment, single bool) OverlayEntry[R] {
	if f.At.Logical < list.Logical && (!single || list.Wall.Sub(f.Since) >= Lag) {
		f.Alone = false
	}
	return f
}

// Overlay is what is known to have changed since a list began, by ID. It overlays what that list
// showed.
type Overlay[R any] map[string]OverlayEntry[R]

// Survivors returns what is still known after a list that began at that moment, and the IDs of the
// rows for which the list counts again. sight returns what the list shows of a row. The caller has
// to compare the released rows itself, because k hid what the list before showed of them.
func (k Overlay[R]) Survivors(list Moment, sight func(id string, f OverlayEntry[R]) Ordering) (kept Overlay[R], released []string) {
	kept = Overlay[R]{}
	for id, f := range k {
		if f.survives(sight(id, f), list) {
			kept[id] = f
		} else {
			released = append(released, id)
		}
	}
	return kept, released
}

// Uncovered returns the IDs of which k knows nothing.
func (k Overlay[R]) Uncovered(ids []string) []string {
	var out []string
	for _, id := range ids {
		if _, known := k[id]; !known {
			out = append(out, id)
		}
	}
	return out
}
