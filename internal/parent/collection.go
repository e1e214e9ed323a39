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
	terms Terms
	bg    *Background
	o     Options
	clock *Clock
	fresh func() time.Duration
	// gets are GETs of one row.
	gets *Breaker

	// What Get answers from, and what keeps that up to date.
	lists *Lists
	view  *view[R]
	// What Find answers from: the same where lists are complete, nil where there are none.
	indexed *Lists
	index   *view[R]

	mu sync.Mutex
	// asked is when somebody asked for a row last, by ID: these are swept by GETs where lists do not
	// show them. The next round begins after the ID resume.
	asked  map[string]time.Time
	resume string
}

func newCollection[R Row[R]](key string, src Source[R], terms Terms, bg *Background, o Options, fresh func() time.Duration) *Collection[R] {
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

// Key of the collection.
func (c *Collection[R]) Key() string { return c.key }

// Get gives the row of that ID, or ErrNotFound when there is none. That it is there may
// come from what a list, a GET or a write has shown, and is no older than one and a half
// intervals; that it is not is what the API said of the ID.
func (c *Collection[R]) Get(ctx context.Context, id string) (R, error) {
	return c.GetSince(ctx, id, time.Time{})
}

// GetSince is Get for whoever must not be answered with a row as it was before that time, zero for
// any: by a list that began later, which all who ask share, or by a GET.
func (c *Collection[R]) GetSince(ctx context.Context, id string, since time.Time) (R, error) {
	var none R
	listed := c.lists.Fresh() // The collection was asked.
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

// current reports whether what was seen of a row is no older than it may be, and than since. Listed is true where the
// newest list is no older than that.
func (c *Collection[R]) current(a answer[R], listed bool, since time.Time) bool {
	switch {
	case c.terms.Listing == Complete:
		return true
	case a.at.IsZero():
		return listed && c.lists.Shows(since)
	}
	return c.o.Now().Sub(a.at) <= c.fresh() && !c.lists.Outdated() && !a.at.Before(since)
}

// relist gives the row of that ID as a list has it that begins after the call.
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

// Prove is nil where the absence of a row is proven that Get or Look did not find: by two answers, a read
// of the row and a list, or two reads Lag apart where there is no list. Where the row was known to be there, the
// list has to be the later one; of a row that is not, as of one that only a user names, none may be
// known. The error is a *DisputedError where the answers contradict each other, or one is missing.
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

// lacks are the words for an answer that there is no row of that ID.
func (c *Collection[R]) lacks(id string) string { return id + " is none of the " + c.terms.What }

// CatchUp returns when a list has landed that shows what was there at that time; zero is the
// time of the call. Find answers with it then, even a question that is guarded.
func (c *Collection[R]) CatchUp(ctx context.Context, since time.Time) error {
	switch {
	case c.indexed == nil:
		return fmt.Errorf("cannot list %s: %w", c.terms.What, ErrNoList)
	case c.indexed.Since(since):
		return nil
	}
	return c.indexed.Refresh(ctx)
}

// Look is Get that asks the API, for whoever cannot rely on what is known: the outcome of
// its own write is open.
func (c *Collection[R]) Look(ctx context.Context, id string) (R, error) {
	return c.LookJudged(ctx, id, func(R) error { return nil })
}

// LookJudged is Look for whoever knows better than an answer that is behind. Where judge returns an error of a row that the
// API shows, that is the error, and nothing is noted of the answer.
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

// row gives the row of that ID.
func (get getter[R]) row(ctx context.Context, id string) (R, error) {
	r, err := get(ctx, id)
	if err == nil && r.ID() != id {
		return r, &UnlikelyError{Asked: id, Got: r.ID()}
	}
	return r, err
}

// A Query asks for the rows of a key.
type Query struct {
	Key string
	// Guarded says that absence is not relied on: whoever asks creates the row next and
	// never tried before, and the API refuses to make what exists (see Doubt); or nothing is
	// made of it at all.
	Guarded bool
	// Since is when what is asked for was there, if it is there at all: a list that
	// began later proves its absence, though it began before the question. Zero is that
	// nobody knows.
	Since time.Time
	// Seen is before when a row that is found must not have been seen last, zero for any.
	Seen time.Time
}

// Find gives the rows of the query's key, by ID. A fresh list answers where it shows one,
// or began after Since, or the question is guarded. Any other answer comes from a list that
// begins after the question. Of a collection whose lists are Partial the rows are what
// these show. Where there are no lists, the error is ErrNoList.
func (c *Collection[R]) Find(ctx context.Context, q Query) ([]R, error) {
	if c.indexed == nil {
		return nil, fmt.Errorf("cannot find %q among %s: %w", q.Key, c.terms.What, ErrNoList)
	}
	c.lists.Fresh() // The collection was asked.
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

// Shown gives the rows of a key as they are known at the moment, by ID, without a call.
func (c *Collection[R]) Shown(key string) []R {
	if c.index == nil {
		return nil
	}
	return c.index.find(key)
}

// Looked gives how many sweeps have looked at the rows so far, and when the last but one began.
func (c *Collection[R]) Looked() (before time.Time, sweeps uint64) { return c.lists.Looked() }

// Changes counts how often something of the rows changed, as far as is known without a call. It tells one state of
// the parent from another.
func (c *Collection[R]) Changes() uint64 {
	n := c.view.changed()
	if c.index != nil && c.index != c.view {
		n += c.index.changed()
	}
	return n
}

// Forget drops what is known of rows beside what lists show: somebody has changed them on our
// behalf, and only a list that begins now says how.
func (c *Collection[R]) Forget(ids ...string) {
	c.view.forget(ids)
	if c.index != nil && c.index != c.view {
		c.index.forget(ids)
	}
}

// Written notes a row as the API's answer to a write shows it. It has to be called
// before whoever wrote goes on: what is asked afterwards is answered with it, and no list
// that began before, or comes from an older copy, undoes it.
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

// Doubt notes that the API refused to make a row because it exists: the next Find whose
// answer would be absence lists again.
func (c *Collection[R]) Doubt() {
	if c.indexed != nil {
		c.indexed.Doubt()
	}
}

// remember notes that somebody asked for a row.
func (c *Collection[R]) remember(id string) {
	if c.terms.Listing == Complete {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[id] = c.o.Now()
}
