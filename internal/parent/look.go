// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// listAll lists the collection.
func (c *Collection[R]) listAll(t *Pacer) (CommitFunc, int, error) {
	var rows map[string]R
	calls, err := Whole(c.terms.What, func() (*PageCount, int, error) {
		var tally *PageCount
		var err error
		rows, tally, err = c.listPages(t)
		return tally, len(rows), err
	})
	if err != nil {
		return nil, calls, err
	}
	return func(began Moment) []string { return c.index.land(rows, nil, began) }, calls, nil
}

// listPages lists every page, once. If a row moves to the next page meanwhile, it is listed
// twice, and the later one is the newer.
func (c *Collection[R]) listPages(t *Pacer) (map[string]R, *PageCount, error) {
	rows, tally, cursor := map[string]R{}, &PageCount{}, ""
	var cursors cloudflare.Cursors
	for {
		var p Page[R]
		err := t.Call(func(ctx context.Context) (err error) {
			p, err = c.src.List(ctx, cursor)
			return err
		})
		tally.Page(max(p.Total, 0), true)
		if err != nil {
			return nil, tally, err
		}
		tally.leftOut += p.LeftOut
		for _, r := range p.Rows {
			rows[r.ID()] = r
		}
		switch {
		case p.Next == "" || len(p.Rows)+p.LeftOut == 0:
			return rows, tally, nil
		case cursors.Again(p.Next) || tally.Endless(len(rows)):
			return nil, tally, &IncompleteError{What: c.terms.What, Listed: len(rows)}
		}
		cursor = p.Next
	}
}

// giveUp is how many GETs of a round may fail, with no success, before the round ends.
const giveUp = 3

// getAll makes a GET for each row that a caller asked for lately. It takes the place of a list
// if no list shows the rows in full. A failure of one GET says nothing about the next row: the
// row keeps what is known of it, and the next question about it asks the API. If no GET
// succeeds, the round fails.
func (c *Collection[R]) getAll(t *Pacer) (CommitFunc, int, error) {
	ids := c.lately()
	get, err := c.round(t, ids)
	if err != nil {
		return nil, 1, err
	}
	rows, doubted, answered := map[string]R{}, map[string]struct{}{}, 0
	var refused []string // Rows that the credential may not read any more: their readers have to know.
	for _, id := range ids {
		r, there, err := c.getInTurn(t, get, id)
		switch {
		case err == nil && there:
			rows[id] = r
		case err != nil:
			doubted[id] = struct{}{}
			a := c.view.get(id)
			if a.there {
				rows[id] = a.row
			}
			if a.there && !a.doubted && cloudflare.IsForbidden(err) {
				refused = append(refused, id)
			}
		}
		if err == nil {
			answered++
		}
		if hopeless := answered == 0 && len(doubted) >= min(giveUp, len(ids)); hopeless || ends(err) {
			c.resumeAfter(id)
			return nil, len(ids), err
		}
	}
	slices.Sort(ids)
	return func(began Moment) []string {
		return append(c.among(ids, c.view.land(rows, doubted, began)), refused...)
	}, len(ids), nil
}

// ends reports whether no other GET can succeed after this error of one.
func ends(err error) bool { return cloudflare.IsThrottled(err) || cloudflare.IsInvalidCredential(err) }

// round returns the function that makes one GET of a round.
func (c *Collection[R]) round(t *Pacer, ids []string) (get getter[R], err error) {
	s, shares := c.src.(BatchGetter[R])
	if !shares || len(ids) == 0 {
		return c.src.Get, nil
	}
	err = t.Call(func(ctx context.Context) (err error) {
		get, err = s.Round(ctx, c.sure)
		return err
	})
	return get, err
}

// sure returns a row as it is known. It returns false if the row is not known, or the last
// sweep could not read it.
func (c *Collection[R]) sure(id string) (R, bool) {
	a := c.view.get(id)
	return a.row, a.there && !a.doubted
}

// getInTurn makes the GET of one row. That the row is not there is an answer, and no error.
func (c *Collection[R]) getInTurn(t *Pacer, get getter[R], id string) (r R, there bool, err error) {
	err = t.Call(func(ctx context.Context) (err error) {
		r, err = get.row(ctx, id)
		return err
	})
	if errors.Is(err, ErrNotFound) {
		return r, false, nil
	}
	return r, err == nil, err
}

// lately returns the IDs that were asked for lately, and forgets the others. They are sorted,
// but begin after the ID at which the round before ended early.
func (c *Collection[R]) lately() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.o.Now()
	maps.DeleteFunc(c.asked, func(_ string, at time.Time) bool { return now.Sub(at) > c.o.Idle })
	ids := slices.Sorted(maps.Keys(c.asked))
	at, found := slices.BinarySearch(ids, c.resume)
	if found {
		at++
	}
	return slices.Concat(ids[at:], ids[:at])
}

// resumeAfter sets the ID after which the next round begins.
func (c *Collection[R]) resumeAfter(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.resume = id
}

// among returns those of changed that are in ids, which are the rows that were looked for. The
// other rows did not change: they are only not known any more.
func (c *Collection[R]) among(ids, changed []string) []string {
	return slices.DeleteFunc(changed, func(id string) bool {
		_, looked := slices.BinarySearch(ids, id)
		return !looked
	})
}
