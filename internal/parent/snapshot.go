// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// A Row is one of the things below a parent, as the API shows it. It is immutable.
type Row[R any] interface {
	// ID by which the API knows it, below its parent.
	ID() string
	// Keys by which Find finds it.
	Keys() []string
	// Modified is when it was changed last; zero where the API does not say so both in
	// lists and in the answers to writes, to the same precision.
	Modified() time.Time
	// Same reports whether nothing that matters differs.
	Same(other R) bool
}

// A snapshot is the outcome of one list. It is immutable.
type snapshot[R Row[R]] struct {
	rows  map[string]R
	byKey map[string][]string
	// doubted are the IDs of rows that could not be read: what rows has of them is older.
	doubted map[string]struct{}
}

// newSnapshot indexes rows. One that is in before and still the same, as old as it was, is
// kept from there, so that it takes up memory once.
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

// differ gives the IDs of the rows that are not the same in both, or in one only.
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

// A view is a snapshot under what is known since its list began. It is safe for
// concurrent use.
type view[R Row[R]] struct {
	clock *Clock
	now   func() time.Time
	// names is true where IDs are names, which may come back.
	names bool
	// single is true where what lands are reads of single rows, and not lists.
	single bool

	mu sync.Mutex
	// began is when the snapshot's list began; zero before the first one.
	began Moment
	base  *snapshot[R]
	known Known[R]
	// changes counts the writes that were noted, and the lists that showed another row than the view held.
	changes uint64
}

func newView[R Row[R]](clock *Clock, now func() time.Time, names bool) *view[R] {
	return &view[R]{clock: clock, now: now, names: names, base: &snapshot[R]{}, known: Known[R]{}}
}

// An answer is what a view has of one row.
type answer[R any] struct {
	row R
	// there is true where the view has the row, and gone where it is known to be deleted,
	// rather than just not known.
	there, gone bool
	// at is when that became known, where it is not from a list.
	at time.Time
	// alone is true of a row that one answer alone says to be gone, since then.
	alone bool
	since time.Time
	// doubted is true where a list could not read the row.
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

// find gives the rows of a key, by ID. One that a single answer says to be gone is among them.
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

// written notes what a write made of a row. Of two writes whose answers overtook each
// other the one that the API carried out last stays, where times tell which that is.
func (v *view[R]) written(r R) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if old := v.look(r.ID()); !old.there || !old.row.Modified().After(r.Modified()) || r.Modified().IsZero() {
		v.note(r.ID(), Fact[R]{Row: r, Written: true})
	}
}

// removed notes that a row was deleted.
func (v *view[R]) removed(id string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.note(id, Fact[R]{Gone: true, Written: true, Returns: v.names})
}

// deleted reports whether the row of that ID is known to be deleted, rather than not shown.
func (v *view[R]) deleted(id string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	f := v.known[id]
	return f.Gone && f.Written
}

// forget drops what is known of rows beside the snapshot.
func (v *view[R]) forget(ids []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, id := range ids {
		delete(v.known, id)
	}
}

// read notes what a GET showed that was begun at that logical time, unless something newer is
// known: a GET undoes neither a write nor a list. It gives what is known then. Where a write
// that is older than the GET hides what the list shows, that is what the GET showed: whoever
// writes what they read must have read what others changed since.
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
	f := Fact[R]{Row: r, Gone: !there, Returns: v.names}
	if f.Gone {
		f.Alone, f.Since = v.contradicts(id)
		f.Was = v.was(id)
		read.alone, read.since = f.Alone, f.Since
	}
	v.note(id, f)
	return read
}

// contradicts reports whether an answer that a row is gone stands alone against what is known, and
// since when there is such an answer. v.mu is held.
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

// was is the row of that ID as it is known, though one answer alone may say that it is gone. v.mu is
// held.
func (v *view[R]) was(id string) *R {
	if a := v.look(id); a.there {
		return &a.row
	}
	return v.known[id].Was
}

// shows reports whether the newest list has a row, whatever else is known of it.
func (v *view[R]) shows(id string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, shown := v.base.rows[id]
	return shown
}

// note notes a fact. v.mu is held.
func (v *view[R]) note(id string, f Fact[R]) {
	if was := v.look(id); was.there == f.Gone || was.there && !was.row.Same(f.Row) {
		v.changes++
	}
	f.At = Moment{Logical: v.clock.Tick(), Wall: v.now()}
	v.known[id] = f
}

// land puts a list's rows under what it has not seen, unless a younger list landed
// before, and gives the IDs of the rows that are not what the view held before, in no
// order. Of the first list these are only what was known before it.
func (v *view[R]) land(rows map[string]R, doubted map[string]struct{}, began Moment) []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if began.Logical <= v.began.Logical {
		return nil
	}
	first, base, known := v.began.Logical == 0, v.base, v.known
	s := newSnapshot(rows, doubted, base)
	kept, released := known.Survivors(began, func(id string, f Fact[R]) Sight { return sight(s, id, f) })
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

// sight says what a snapshot shows of a row of which f is known.
func sight[R Row[R]](s *snapshot[R], id string, f Fact[R]) Sight {
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
