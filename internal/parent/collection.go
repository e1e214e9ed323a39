// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A Collection is the rows of one kind below one parent, seen with one credential. It is
// safe for concurrent use.
type Collection[R Row[R]] struct {
	key   string
	src   Source[R]
	terms CollectionOptions
	bg    *Background
	o     Options
	clock *Clock
	fresh func() time.Duration
	// gets are GETs of one row.
	gets *Breaker

	// Get answers from view, and lists keep it up to date.
	lists *Lists
	view  *view[R]
	// Find answers from index: the same as view if lists are complete, nil if there are no lists.
	indexed *Lists
	index   *view[R]

	mu sync.Mutex
	// asked is when a caller last asked for a row, by the row's ID. If lists do not show rows in full, sweeps read
	// these rows by GETs. The next round begins after the ID resume.
	asked  map[string]time.Time
	resume string
}

func newCollection[R Row[R]](key string, src Source[R], terms CollectionOptions, bg *Background, o Options, fresh func() time.Duration) *Collection[R] {
	hold := min(terms.Interval/2, maxHold)
	c := &Collection[R]{
		key: key, src: src, terms: terms, bg: bg, o: o, clock: &Clock{}, fresh: fresh, asked: map[string]time.Time{},
		gets: NewBreaker(hold, o.Now(), func(err error) bool { return errors.Is(err, ErrNotFound) }),
	}
	lists := ListsOptions{Cannot: "cannot list " + terms.What, Fresh: fresh, CallTimeout: o.CallTimeout, Hold: hold, Now: o.Now}
	if terms.Listing != None {
		c.index = newView[R](c.clock, o.Now, terms.Names)
		listed := lists
		listed.List = c.listAll
		c.indexed = NewLists(bg, c.clock, listed)
	}
	if terms.Listing == Complete {
		c.lists, c.view = c.indexed, c.index
		return c
	}
	lists.List = c.getAll
	if c.indexed != nil {
		lists.OnOutdate = c.indexed.Outdate
	}
	c.view = newView[R](c.clock, o.Now, terms.Names)
	c.view.single = true
	c.lists = NewLists(bg, c.clock, lists)
	return c
}

// Key returns the key of the collection.
func (c *Collection[R]) Key() string { return c.key }

// Get returns the row of that ID, or ErrNotFound if there is none. Presence may come from a list, a GET or a write,
// and is no older than one and a half intervals. Absence is what the API said of the ID.
func (c *Collection[R]) Get(ctx context.Context, id string) (R, error) {
	return c.GetSince(ctx, id, time.Time{})
}

// GetSince is Get for a caller that must not see the row as it was before since, zero for any time. The answer comes
// from a list that began later, which all such callers share, or from a GET.
func (c *Collection[R]) GetSince(ctx context.Context, id string, since time.Time) (R, error) {
	var none R
	listed := c.lists.Fresh() // It notes that the collection was asked.
	if c.terms.Listing == Complete {
		if err := c.lists.CatchUpSince(ctx, since); err != nil {
			return c.unlisted(ctx, id, since, err)
		}
	} else {
		c.remember(id)
	}
	a := c.view.get(id)
	switch {
	case a.there && !a.doubted && c.current(a, listed, since):
		return a.row, nil
	case a.gone && !a.alone && (!c.terms.Names || c.o.Now().Sub(a.at) <= Lag): // A name may be back by now.
		return none, fmt.Errorf("%s %w", id, ErrNotFound)
	case c.terms.NoGet:
		return c.relist(ctx, id)
	}
	return c.Look(ctx, id)
}

// current reports whether what was seen of a row is no older than Get allows, and no older than since. listed is true
// if the newest list is no older than Get allows.
func (c *Collection[R]) current(a answer[R], listed bool, since time.Time) bool {
	switch {
	case c.terms.Listing == Complete:
		return true
	case a.at.IsZero():
		return listed && c.lists.Shows(since)
	}
	return c.o.Now().Sub(a.at) <= c.fresh() && !c.lists.Outdated() && !a.at.Before(since)
}

// relist returns the row of that ID from a list that begins after the call.
func (c *Collection[R]) relist(ctx context.Context, id string) (R, error) {
	var none R
	if err := c.lists.Refresh(ctx); err != nil {
		return none, err
	}
	if a := c.view.get(id); a.there {
		return a.row, nil
	}
	return none, fmt.Errorf("%s %w", id, ErrNotFound)
}

// Prove returns nil if the absence of a row that Get or Look did not find is proven. The proof is two answers: a read
// of the row and a list, or two reads Lag apart if there is no list. known is true if the row was known to be there.
// Then the list has to be the later answer. If known is false, as for an ID that only a user names, Prove lists the
// collection, because an earlier list need not exist. It returns a *DisputedError if the answers contradict each
// other or one is missing, and the error of a list that failed.
func (c *Collection[R]) Prove(ctx context.Context, id string, known bool) error {
	v, lists := c.index, c.indexed
	if v == nil {
		v, lists = c.view, nil
	}
	a := v.get(id)
	alone := a.alone || c.view.get(id).alone // A list from before the row says nothing against it.
	switch {
	case c.view.deleted(id), known && !alone, c.terms.NoGet:
		return nil
	case lists == nil && !a.alone:
		return nil
	case lists == nil:
		return &DisputedError{Says: c.lacks(id), Wait: Lag - c.o.Now().Sub(a.since)}
	}
	if err := lists.Refresh(ctx); err != nil {
		return err
	}
	if v.shows(id) {
		return &DisputedError{Says: c.lacks(id), Listed: true, Wait: Lag}
	}
	return nil
}

// lacks returns the words for an answer that there is no row of that ID.
func (c *Collection[R]) lacks(id string) string { return id + " is none of the " + c.terms.What }

// CatchUp returns when a list has landed that shows what was there at since; zero is the time of the call. Find then
// answers from that list, whether its question is guarded or not.
func (c *Collection[R]) CatchUp(ctx context.Context, since time.Time) error {
	switch {
	case c.indexed == nil:
		return fmt.Errorf("cannot list %s: %w", c.terms.What, ErrNoList)
	case c.indexed.Since(since):
		return nil
	}
	return c.indexed.Refresh(ctx)
}

// Look is Get that always asks the API. It is for a caller that cannot rely on what is known, because the outcome of
// its own write is open.
func (c *Collection[R]) Look(ctx context.Context, id string) (R, error) {
	return c.LookJudged(ctx, id, func(R) error { return nil })
}

// LookJudged is Look for a caller that can tell that an answer is out of date. If judge returns an error for the row
// that the API shows, LookJudged returns that error and stores nothing of the answer.
func (c *Collection[R]) LookJudged(ctx context.Context, id string, judge func(R) error) (R, error) {
	var none R
	c.remember(id)
	asked := c.clock.Now()
	if err := c.gets.CheckOne(c.o.Now()); err != nil {
		return none, fmt.Errorf("cannot read %s: %w", id, err)
	}
	r, err := getter[R](c.src.Get).row(ctx, id)
	c.gets.Record(err, c.o.Now())
	if err != nil && !errors.Is(err, ErrNotFound) {
		return none, fmt.Errorf("cannot read %s: %w", id, err)
	}
	if err == nil {
		if refused := judge(r); refused != nil {
			return none, refused
		}
	}
	c.lists.Saw()
	a := c.view.read(id, r, err == nil, asked)
	if c.index != c.view && c.index != nil && a.gone {
		c.index.read(id, none, false, asked)
	}
	if a.gone {
		return none, fmt.Errorf("%s %w", id, ErrNotFound)
	}
	return a.row, nil
}

// A getter makes one GET.
type getter[R Row[R]] func(ctx context.Context, id string) (R, error)

// row returns the row of that ID. An answer with another row is a *WrongRowError.
func (get getter[R]) row(ctx context.Context, id string) (R, error) {
	r, err := get(ctx, id)
	if err == nil && r.ID() != id {
		return r, &WrongRowError{Asked: id, Got: r.ID()}
	}
	return r, err
}

// A Query asks for the rows of a key.
type Query struct {
	Key string
	// Guarded is true if the caller does not rely on absence. Either it creates the row next, for the first time, and
	// the API refuses to create a row that exists (see Doubt). Or it does nothing because of the absence.
	Guarded bool
	// Since is a time at which the row was there if it exists at all. A list that began later proves its absence,
	// even if it began before the question. Zero means that no such time is known.
	Since time.Time
	// Seen is the time before which a row that is found must not have been seen last, zero for any.
	Seen time.Time
}

// Find returns the rows of the query's key, by ID. A fresh list answers if it shows a row, if it began after Since,
// or if the question is guarded. Any other answer comes from a list that begins after the question. If the
// collection's lists are Partial, the rows are as these lists show them. If there are no lists, the error is
// ErrNoList.
func (c *Collection[R]) Find(ctx context.Context, q Query) ([]R, error) {
	if c.indexed == nil {
		return nil, fmt.Errorf("cannot find %q among %s: %w", q.Key, c.terms.What, ErrNoList)
	}
	c.lists.Fresh() // It notes that the collection was asked.
	if q.Guarded {
		if err := c.indexed.CatchUp(ctx); err != nil {
			return nil, err
		}
	}
	old := false
	if c.indexed.Fresh() {
		found := c.index.find(q.Key)
		old = len(found) > 0 && !c.indexed.Shows(q.Seen)
		if !old && (len(found) > 0 || (q.Guarded && !c.indexed.Doubtful())) {
			return found, nil
		}
	}
	if old || !c.indexed.Since(q.Since) {
		if err := c.indexed.Refresh(ctx); err != nil {
			return nil, err
		}
	}
	return c.index.find(q.Key), nil
}

// Shown returns the rows of a key as they are known at the moment, by ID, without a call.
func (c *Collection[R]) Shown(key string) []R {
	if c.index == nil {
		return nil
	}
	return c.index.find(key)
}

// Looked returns how many sweeps have looked at the rows so far, and when the last but one began.
func (c *Collection[R]) Looked() (before time.Time, sweeps uint64) { return c.lists.Looked() }

// Changes returns how often the rows changed, as far as is known without a call. Callers use it to tell one state of
// the parent from another.
func (c *Collection[R]) Changes() uint64 {
	n := c.view.changed()
	if c.index != nil && c.index != c.view {
		n += c.index.changed()
	}
	return n
}

// Forget drops what is known of rows from reads and writes of single rows. Only what the newest list showed of them
// stays. A caller uses it if it does not trust an answer, or after a call that changed the rows and did not return
// them.
func (c *Collection[R]) Forget(ids ...string) {
	c.view.forget(ids)
	if c.index != nil && c.index != c.view {
		c.index.forget(ids)
	}
}

// Written notes a row as the API's answer to a write shows it. The writer has to call it before it goes on. Questions
// that follow are answered with this row. No list that began before, or that comes from an older copy, undoes it.
func (c *Collection[R]) Written(r R) {
	c.remember(r.ID())
	c.lists.Saw()
	c.view.written(r)
	if c.index != nil && c.index != c.view {
		c.index.written(r)
	}
}

// Removed notes that the API confirmed the deletion of a row.
func (c *Collection[R]) Removed(id string) {
	c.mu.Lock()
	delete(c.asked, id)
	c.mu.Unlock()
	c.view.removed(id)
	if c.index != nil && c.index != c.view {
		c.index.removed(id)
	}
}

// Missed notes that the API did not find a row that was to be deleted.
func (c *Collection[R]) Missed(id string) {
	var none R
	asked := c.clock.Now()
	c.view.read(id, none, false, asked)
	if c.index != nil && c.index != c.view {
		c.index.read(id, none, false, asked)
	}
}

// Deleted reports whether this process has deleted the row of that ID.
func (c *Collection[R]) Deleted(id string) bool { return c.view.deleted(id) }

// Doubt notes that the API refused to create a row because it exists. The next Find whose answer would be absence
// lists again.
func (c *Collection[R]) Doubt() {
	if c.indexed != nil {
		c.indexed.Doubt()
	}
}

// remember notes that a caller asked for a row.
func (c *Collection[R]) remember(id string) {
	if c.terms.Listing == Complete {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[id] = c.o.Now()
}
