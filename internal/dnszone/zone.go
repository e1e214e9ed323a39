// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// A Zone is one zone seen with one credential. It is safe for concurrent use.
type Zone struct {
	id  string
	api API
	o   Options

	// running are the calls that go on without whoever asked for them, and closing
	// is closed when they must not wait for a better moment.
	running *underway
	closing <-chan struct{}

	writer   *writer
	schedule *schedule

	// What is not asked again for a moment because it failed.
	lists, gets, names, writes *breaker

	mu         sync.Mutex
	view       view
	listedAt   time.Time           // when the snapshot's list began; zero: never listed
	listed     uint64              // that in logical time
	outdated   bool                // the API refused a later list: the snapshot may not answer
	doubt      uint64              // logical time of the last sign that the snapshot lacks a record
	pages      int                 // calls that the last list took
	clock      uint64              // logical time: advances with every list's begin and every write's end
	list       *listing            // the list under way, or nil
	last       *listing            // the last list that ended, or nil
	unreported map[string]struct{} // IDs of records that lists showed to have changed, until a sweep reports them
	usedAt     time.Time
	unused     bool // no Record was in it when it was last to be swept
	name       zoneName
	// proofs bounds how often the zone is listed although its snapshot is fresh.
	proofs *rate.Limiter
}

func newZone(id string, api API, p *Pool, l *schedule) *Zone {
	z := &Zone{
		id: id, api: api, o: p.o, running: &p.running, closing: p.closing, schedule: l,
		view: newView(), unreported: map[string]struct{}{}, usedAt: p.o.Now(), pages: 1,
		proofs: rate.NewLimiter(rate.Every(proofInterval), proofBurst),
	}
	for _, h := range []**breaker{&z.lists, &z.gets, &z.names, &z.writes} {
		*h = p.o.newBreaker()
	}
	z.writer = newWriter(z)
	return z
}

// ID of the zone.
func (z *Zone) ID() string { return z.id }

// wasListed reports whether the zone was ever listed with its credential, and that is
// what its snapshot still answers from.
func (z *Zone) wasListed() bool {
	z.mu.Lock()
	defer z.mu.Unlock()
	return !z.listedAt.IsZero() && !z.outdated
}

// outdate has the zone be listed anew before its snapshot answers again.
func (z *Zone) outdate() {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.outdated = true
}

// setInUse notes whether the zone is in use.
func (z *Zone) setInUse(is bool) {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.unused = !is
}

// Get gives the record of that ID, or ErrNotFound when there is none.
func (z *Zone) Get(ctx context.Context, id string) (Entry, error) {
	e, err := z.GetGuarded(ctx, id)
	if errors.Is(err, errUnlisted) {
		return z.getOne(ctx, id)
	}
	return e, err
}

// errUnlisted is an ErrNotFound that rests on a list alone.
var errUnlisted = fmt.Errorf("%w in the zone's list", ErrNotFound)

// GetGuarded is Get for whoever, if there is no record of that ID, makes the same
// record anew: the API refuses to make what exists, so that a list lacks it will
// do, and a thousand records that others deleted cost no call each. A
// record that was changed meanwhile is not refused, so whoever asks must be sure that
// lists have shown it for longer than they lag.
func (z *Zone) GetGuarded(ctx context.Context, id string) (Entry, error) {
	if !cloudflare.ValidID(id) {
		return Entry{}, &cloudflare.IDError{What: "DNS record", ID: id}
	}
	if err := z.catchUp(ctx); err != nil {
		return Entry{}, err
	}
	z.mu.Lock()
	e, ok, gone := z.view.get(id)
	unreadable, partial := z.view.unreadable(id), z.view.base.withoutID > 0
	z.mu.Unlock()
	switch {
	case ok:
		return e, nil
	case unreadable != nil:
		return Entry{}, unreadable
	case gone:
		return Entry{}, ErrNotFound
	case partial || z.doubtful():
		return z.getOne(ctx, id)
	}
	return Entry{}, errUnlisted
}

// getOne asks the API for one record: what a list does not show is not gone
// until the API says so of the ID.
func (z *Zone) getOne(ctx context.Context, id string) (Entry, error) {
	z.mu.Lock()
	asked := z.clock
	z.mu.Unlock()
	if err := z.gets.checkOne(z.o.Now()); err != nil {
		return Entry{}, fmt.Errorf("cannot read the DNS record: %w", err)
	}
	l, err := z.read(ctx, id)
	z.gets.record(err, z.o.Now())
	switch {
	case cloudflare.IsRecordGone(err):
		z.drop(id)
		return Entry{}, ErrNotFound
	case err != nil:
		return Entry{}, fmt.Errorf("cannot read the DNS record: %w", err)
	}
	return z.putRead(l, asked)
}

// read asks the API for one record. That it cannot be read says nothing of others.
func (z *Zone) read(ctx context.Context, id string) (l dnsrecord.Live, err error) {
	var raw json.RawMessage
	if err := z.api.GetRecord(ctx, z.id, id, &raw); err != nil {
		return l, err
	}
	err = decodeLive(raw, &l)
	switch {
	case err != nil && newUnreadableRow(raw, err).id == id:
		return l, &UnreadableError{ID: id, Cause: err}
	case err != nil || l.ID != id:
		return l, fmt.Errorf("the Cloudflare API answered with something else: %w", errImplausible)
	}
	return l, nil
}

// A Query asks for the records of a name and type.
type Query struct {
	// Key of the record looked for. Its Rdata may be empty: then any record of
	// that name and type will do, but none is taken for all.
	Key dnsrecord.Key
	// Guarded says that the absence of the record is not relied on: whoever asks
	// creates it next and never tried before, and the API refuses to make what
	// exists; or nothing is made of it at all. A thousand creations then cost no list each. Whoever lost track of a
	// creation, or would take over another record, must not say so.
	Guarded bool
	// Since is when what is asked for was there, if it is there at all: a list that
	// began later proves its absence, though it began before the question. Zero is that
	// nobody knows.
	Since time.Time
}

// Find gives all records of the query's name and type, by ID. A fresh snapshot
// answers when it holds the very record looked for. It also does when the question is
// guarded or the snapshot's list began after Since, and no refusal has shown that the
// snapshot lacks records. Any other answer comes from a list that began after the
// question.
func (z *Zone) Find(ctx context.Context, q Query) ([]Entry, error) {
	nt := nameType{q.Key.Name, q.Key.Type}
	if q.Guarded {
		if err := z.catchUp(ctx); err != nil {
			return nil, err
		}
	}
	if z.fresh() {
		if found := z.find(nt); holds(found, q.Key) || (q.Guarded && !z.doubtful()) {
			return found, nil
		}
	}
	if !z.listedSince(q.Since) {
		if err := z.refresh(ctx); err != nil {
			return nil, err
		}
	}
	found := z.find(nt)
	if !q.Guarded && !holds(found, q.Key) {
		if err := z.unreadableOf(nt); err != nil {
			return nil, fmt.Errorf("cannot tell whether there is a DNS record %s %s: %w", nt.name, nt.typ, err)
		}
	}
	return found, nil
}

func holds(found []Entry, key dnsrecord.Key) bool {
	return slices.ContainsFunc(found, func(e Entry) bool { return e.Record.Key() == key })
}

// listedSince reports whether the snapshot shows what was there at that time, if that
// is not zero.
func (z *Zone) listedSince(t time.Time) bool {
	if t.IsZero() || !z.fresh() || z.doubtful() {
		return false
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.listedAt.After(t)
}

func (z *Zone) find(nt nameType) []Entry {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.view.find(nt)
}

// fresh reports whether the snapshot may answer, and notes that it was asked.
func (z *Zone) fresh() bool {
	z.mu.Lock()
	defer z.mu.Unlock()
	now := z.o.Now()
	z.usedAt = now
	return z.isFresh(now)
}

// isFresh is fresh without the note. z.mu is held.
func (z *Zone) isFresh(now time.Time) bool {
	return !z.listedAt.IsZero() && !z.outdated && now.Sub(z.listedAt) <= z.schedule.fresh(z.o.Fresh)
}

// doubtful reports whether a refusal has shown, since the snapshot's list began,
// that the zone holds a record which the snapshot lacks.
func (z *Zone) doubtful() bool {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.doubt >= z.listed
}

// doubtAbsence notes that the API refused to create a record because it exists.
func (z *Zone) doubtAbsence() {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.clock++
	z.doubt = z.clock
}

// put notes what a write made of a record. Of two writes whose answers overtook
// each other the one the API carried out last stays.
func (z *Zone) put(l dnsrecord.Live) Entry {
	e := newEntry(l)
	z.mu.Lock()
	defer z.mu.Unlock()
	if old, ok, _ := z.view.get(l.ID); !ok || !old.Live.ModifiedOn.After(l.ModifiedOn) {
		z.change(l.ID, change{entry: e, written: true})
	}
	return e
}

// putRead notes a record that was read by a call asked at that logical time,
// unless something newer is known of it: a read undoes neither a write nor a list.
func (z *Zone) putRead(l dnsrecord.Live, asked uint64) (Entry, error) {
	e := newEntry(l)
	z.mu.Lock()
	defer z.mu.Unlock()
	if c, ok := z.view.changes[l.ID]; ok && c.at > asked {
		if c.gone {
			return Entry{}, ErrNotFound
		}
		return c.entry, nil
	}
	if z.last == nil || z.last.begun <= asked {
		z.change(l.ID, change{entry: e})
	}
	return e, nil
}

// change notes a change of the record of that ID. z.mu is held.
func (z *Zone) change(id string, c change) {
	z.clock++
	c.at, c.when = z.clock, z.o.Now()
	z.view.change(id, c)
}

func (z *Zone) drop(id string) {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.change(id, change{gone: true})
}

// idle is how long ago anybody asked anything of the zone.
func (z *Zone) idle() time.Duration {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.o.Now().Sub(z.usedAt)
}

// cost is how many calls a list of the zone takes.
func (z *Zone) cost() int {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.pages
}

// sleep waits, and gives false when ctx ends or closing is closed first.
func sleep(ctx context.Context, closing <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
	case <-closing:
	}
	return false
}
