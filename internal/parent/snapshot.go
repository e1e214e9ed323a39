// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// A Row is something below a parent, as the API shows it. It is immutable.
type Row[R any] interface {
	// ID returns the ID by which the API knows the row, below its parent.
	ID() string
	// Keys returns the keys by which Find finds the row.
	Keys() []string
	// Modified returns when the row was changed last. It is zero if the API does not say so both in lists
	// and in the answers to writes, to the same precision.
	Modified() time.Time
	// Same reports whether the rows differ in nothing that matters.
	Same(other R) bool
}

// A snapshot is the outcome of one list. It is immutable.
type snapshot[R Row[R]] struct {
	rows  map[string]R
	byKey map[string][]string
	// doubted are the IDs of rows that could not be read. What rows has of them is older.
	doubted map[string]struct{}
}

// newSnapshot indexes rows. A row that is the same in before, with the same time of modification, is kept
// from there, so that it takes up memory once.
func newSnapshot[R Row[R]](rows map[string]R, doubted map[string]struct{}, before *snapshot[R]) *snapshot[R] {
	s := &snapshot[R]{rows: rows, byKey: map[string][]string{}, doubted: doubted}
	for id, r := range rows {
		if old, ok := before.rows[id]; ok && old.Same(r) && old.Modified().Equal(r.Modified()) {
			rows[id] = old
		}
		for _, key := range r.Keys() {
			s.byKey[key] = append(s.byKey[key], id)
		}
	}
	return s
}

// differ returns the IDs of the rows that are not the same in both snapshots, or are in one only.
func (s *snapshot[R]) differ(o *snapshot[R]) []string {
	var ids []string
	for id, r := range s.rows {
		if other, ok := o.rows[id]; !ok || !r.Same(other) {
			ids = append(ids, id)
		}
	}
	for id := range o.rows {
		if _, ok := s.rows[id]; !ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// A view is a snapshot, overlaid with what has become known since its list began. It is safe for
// concurrent use.
type view[R Row[R]] struct {
	clock *Clock
	now   func() time.Time
	// names is true if IDs are names, which may come back.
	names bool
	// single is true if what lands are reads of single rows, and not lists.
	single bool

	mu sync.Mutex
	// began is when the snapshot's list began; zero before the first one.
	began Moment
	base  *snapshot[R]
	known Overlay[R]
	// changes counts the writes that were noted, and the lists that showed other rows than the view held.
	changes uint64
}

func newView[R Row[R]](clock *Clock, now func() time.Time, names bool) *view[R] {
	return &view[R]{clock: clock, now: now, names: names, base: &snapshot[R]{}, known: Overlay[R]{}}
}

// An answer is what a view has of one row.
type answer[R any] struct {
	row R
	// there is true if the view has the row. gone is true if the row is known to be deleted; a row that is
	// not known is neither.
	there, gone bool
	// at is when that became known, zero if it is from a list.
	at time.Time
	// alone is true of a row that a single answer says to be gone, since then.
	alone bool
	since time.Time
	// doubted is true if a list could not read the row.
	doubted bool
}

func (v *view[R]) get(id string) answer[R] {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.look(id)
}

func (v *view[R]) look(id string) answer[R] {
	if f, ok := v.known[id]; ok {
		return answer[R]{row: f.Row, there: !f.Gone, gone: f.Gone, alone: f.Alone, since: f.Since, at: f.At.Wall}
	}
	r, ok := v.base.rows[id]
	_, doubted := v.base.doubted[id]
	return answer[R]{row: r, there: ok, doubted: doubted}
}

// find returns the rows of a key, by ID. A row that a single answer says to be gone is among them.
func (v *view[R]) find(key string) []R {
	v.mu.Lock()
	defer v.mu.Unlock()
	var out []R
	for _, id := range v.base.byKey[key] {
		if _, known := v.known[id]; !known {
			out = append(out, v.base.rows[id])
		}
	}
	for _, f := range v.known {
		row := &f.Row
		if f.Gone {
			row = nil
		}
		if f.Alone {
			row = f.Was
		}
		if row != nil && slices.Contains((*row).Keys(), key) {
			out = append(out, *row)
		}
	}
	slices.SortFunc(out, func(a, b R) int { return strings.Compare(a.ID(), b.ID()) })
	return out
}

// written notes the row as a write left it. If the answers of two writes overtook each other, the row that
// the API wrote last stays, if times of modification tell which one that is.
func (v *view[R]) written(r R) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if old := v.look(r.ID()); !old.there || !old.row.Modified().After(r.Modified()) || r.Modified().IsZero() {
		v.note(r.ID(), OverlayEntry[R]{Row: r, Written: true})
	}
}

// removed notes that a row was deleted.
func (v *view[R]) removed(id string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.note(id, OverlayEntry[R]{Gone: true, Written: true, Returns: v.names})
}

// deleted reports whether this process deleted the row of that ID. It returns false for a row that was
// only not shown.
func (v *view[R]) deleted(id string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	f := v.known[id]
	return f.Gone && f.Written
}

// forget drops what is known of rows from reads and writes of single rows.
func (v *view[R]) forget(ids []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, id := range ids {
		delete(v.known, id)
	}
}

// read notes what a GET showed that began at the logical time asked, unless something newer is known: a
// GET undoes neither a write nor a list. It returns what is known then. There is one exception. If a write
// that is older than the GET hides what a newer list shows, read returns what the GET showed, because a
// caller that writes back what it read must have read what other writers changed since.
func (v *view[R]) read(id string, r R, there bool, asked uint64) answer[R] {
	v.mu.Lock()
	defer v.mu.Unlock()
	if f, ok := v.known[id]; ok && f.At.Logical > asked {
		return v.look(id)
	}
	read := answer[R]{row: r, there: there, gone: !there}
	if v.began.Logical > asked && (there || v.names) {
		if f, ok := v.known[id]; ok && there && !f.Gone {
			return read
		}
		if a := v.look(id); a.there || a.gone {
			return a
		}
		return read
	}
	f := OverlayEntry[R]{Row: r, Gone: !there, Returns: v.names}
	if f.Gone {
		f.Alone, f.Since = v.contradicts(id)
		f.Was = v.was(id)
		read.alone, read.since = f.Alone, f.Since
	}
	v.note(id, f)
	return read
}

// contradicts reports whether an answer that a row is gone stands alone against what is known, and since
// when there is such an answer. v.mu is held.
func (v *view[R]) contradicts(id string) (alone bool, since time.Time) {
	now := v.now()
	f, known := v.known[id]
	_, shown := v.base.rows[id]
	switch {
	case known && f.Gone:
		return f.Alone && (!v.single || now.Sub(f.Since) < Lag), f.Since
	case known, shown, v.began.Logical == 0:
		return true, now
	case v.single:
		return now.Sub(v.began.Wall) < Lag, v.began.Wall
	}
	return false, now
}

// was returns the row of that ID as it is known, even if a single answer says that it is gone. v.mu is
// held.
func (v *view[R]) was(id string) *R {
	if a := v.look(id); a.there {
		return &a.row
	}
	return v.known[id].Was
}

// shows reports whether the newest list has a row, regardless of what else is known of it.
func (v *view[R]) shows(id string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, shown := v.base.rows[id]
	return shown
}

// note notes a fact. v.mu is held.
func (v *view[R]) note(id string, f OverlayEntry[R]) {
	if was := v.look(id); was.there == f.Gone || was.there && !was.row.Same(f.Row) {
		v.changes++
	}
	f.At = Moment{Logical: v.clock.Tick(), Wall: v.now()}
	v.known[id] = f
}

// land replaces the snapshot with the rows of a list that began at that moment, and keeps each OverlayEntry that
// the list must not undo. It does nothing if a younger list landed before. It returns the IDs of the rows
// that are not what the view held before, in no order. For the first list these are only rows that were
// known before it.
func (v *view[R]) land(rows map[string]R, doubted map[string]struct{}, began Moment) []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if began.Logical <= v.began.Logical {
		return nil
	}
	first, base, known := v.began.Logical == 0, v.base, v.known
	s := newSnapshot(rows, doubted, base)
	kept, released := known.Survivors(began, func(id string, f OverlayEntry[R]) Ordering { return sight(s, id, f) })
	for id, f := range kept {
		if _, shown := s.rows[id]; f.Alone && !shown {
			kept[id] = f.confirmed(began, v.single)
		}
	}
	v.began, v.base, v.known = began, s, kept
	var changed []string
	if !first {
		changed = known.Uncovered(base.differ(s))
	}
	for _, id := range released {
		was, now := known[id], v.look(id)
		if was.Gone == now.there || (now.there && !was.Row.Same(now.row)) {
			changed = append(changed, id)
		}
	}
	if len(changed) > 0 || first {
		v.changes++
	}
	return changed
}

func (v *view[R]) changed() uint64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.changes
}

// sight returns what a snapshot shows of a row of which f is known.
func sight[R Row[R]](s *snapshot[R], id string, f OverlayEntry[R]) Ordering {
	r, ok := s.rows[id]
	switch {
	case !ok:
		return Missing
	case f.Gone || r.Modified().IsZero() || f.Row.Modified().IsZero():
		return Unordered
	case r.Modified().Before(f.Row.Modified()):
		return Older
	case r.Modified().After(f.Row.Modified()):
		return Newer
	}
	return Unordered
}
