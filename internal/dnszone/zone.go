// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// A Zone is one zone seen with one credential. It is safe for concurrent use.
type Zone struct {
	id  string
	api API
	o   Options

	// running are the calls that go on after the callers that asked for them have left.
	running *parent.Background
	// sending are the writes among them.
	sending *parent.Background
	writer  *writer
	// seen is called with the zone itself after each read of it.
	seen func(cloudflare.Zone)
	// clock advances with the begin of every list and the end of every write.
	clock parent.Clock
	lists *parent.Lists

	// These breakers keep a call that failed from being made again for a moment.
	gets, names, writes *parent.Breaker

	mu     sync.Mutex
	view   view
	listed uint64 // logical time at which the snapshot's list began; 0: never listed
	// changes counts how often the zone's records were seen to change.
	changes uint64
	name    zoneName
}

// newZone makes a zone that was never listed. fresh returns the age up to which a list still answers; its argument
// asked is that age while sweeps keep to their interval.
func newZone(id string, api API, p *Pool, fresh func(asked time.Duration) time.Duration) *Zone {
	z := &Zone{id: id, api: api, o: p.o, running: p.running, sending: p.sending, seen: p.Seen, view: newView()}
	for _, h := range []**parent.Breaker{&z.gets, &z.names, &z.writes} {
		*h = p.o.newBreaker()
	}
	z.lists = parent.NewLists(p.running, &z.clock, parent.ListsOptions{
		Cannot: "cannot list the zone's DNS records", List: z.list, Fresh: func() time.Duration { return fresh(p.o.Fresh) },
		CallTimeout: p.o.CallTimeout, Hold: p.o.Interval / 2, Now: p.o.Now,
	})
	z.writer = newWriter(z)
	return z
}

// ID returns the ID of the zone.
func (z *Zone) ID() string { return z.id }

// CatchUp returns when the zone's records are known as they are since that time, zero for any time.
func (z *Zone) CatchUp(ctx context.Context, since time.Time) error {
	return z.lists.CatchUpSince(ctx, since)
}

// Get returns the record of that ID, or ErrNotFound if there is none.
func (z *Zone) Get(ctx context.Context, id string) (Entry, error) {
	e, err := z.GetGuarded(ctx, id)
	if errors.Is(err, errUnlisted) {
		return z.getOne(ctx, id)
	}
	return e, err
}

// errUnlisted is an ErrNotFound that rests on a list alone.
var errUnlisted = fmt.Errorf("%w in the zone's list", ErrNotFound)

// GetGuarded is Get for a caller that creates the same record again if there is none of that ID. The API refuses to
// create a record that exists. So a list that lacks the record is proof enough, and a thousand records that were
// deleted from outside cost no call each. The API does not refuse if the record was changed meanwhile. So the
// caller must be sure that lists have shown the record for longer than they lag.
func (z *Zone) GetGuarded(ctx context.Context, id string) (Entry, error) {
	if !cloudflare.ValidID(id) {
		return Entry{}, &cloudflare.IDError{What: "DNS record", ID: id}
	}
	if err := z.lists.CatchUp(ctx); err != nil {
		return Entry{}, err
	}
	z.mu.Lock()
	e, ok, gone := z.view.get(id)
	unreadable, unproven := z.view.unreadable(id), z.view.base.withoutID > 0 || z.view.disputed(id)
	z.mu.Unlock()
	switch {
	case ok:
		return e, nil
	case unreadable != nil:
		return Entry{}, unreadable
	case gone:
		return Entry{}, ErrNotFound
	case unproven || z.lists.Doubtful():
		return z.getOne(ctx, id)
	}
	return Entry{}, errUnlisted
}

// GetSince is Get for a record that every copy shows since a time, if the record exists. That the record was
// missing before that time proves nothing, unless this process deleted it.
func (z *Zone) GetSince(ctx context.Context, id string, since time.Time) (Entry, error) {
	e, err := z.Get(ctx, id)
	if !errors.Is(err, ErrNotFound) || z.deletedOrMissing(id, since) {
		return e, err
	}
	if err := z.lists.Refresh(ctx); err != nil {
		return Entry{}, err
	}
	z.mu.Lock()
	e, ok, _ := z.view.get(id)
	z.mu.Unlock()
	if ok {
		return e, nil
	}
	return z.getOne(ctx, id)
}

// deletedOrMissing reports whether this process deleted the record of that ID, or a read showed after that time
// that it is missing.
func (z *Zone) deletedOrMissing(id string, since time.Time) bool {
	z.mu.Lock()
	defer z.mu.Unlock()
	c, known := z.view.changes[id]
	return known && c.Gone && (c.Written || !c.At.Wall.Before(since) && !z.view.disputed(id))
}

// Changes returns how often the zone's records were seen to change, by lists, by reads and by our own writes.
func (z *Zone) Changes() uint64 {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.changes
}

// Deleted reports whether this process has deleted the record of that ID.
func (z *Zone) Deleted(id string) bool {
	z.mu.Lock()
	defer z.mu.Unlock()
	c, known := z.view.changes[id]
	return known && c.Gone && c.Written
}

// getOne asks the API for one record. A record that a list does not show is not gone until the API says so of its
// ID.
func (z *Zone) getOne(ctx context.Context, id string) (Entry, error) {
	asked := z.clock.Now()
	if err := z.gets.CheckOne(z.o.Now()); err != nil {
		return Entry{}, fmt.Errorf("cannot read the DNS record: %w", err)
	}
	l, err := z.read(ctx, id)
	z.gets.Record(err, z.o.Now())
	switch {
	case cloudflare.IsRecordGone(err):
		z.drop(id, false)
		return Entry{}, ErrNotFound
	case err != nil:
		return Entry{}, fmt.Errorf("cannot read the DNS record: %w", err)
	}
	return z.putRead(l, asked)
}

// read asks the API for one record. An *UnreadableError of it says nothing about other records.
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
	// Key is the key of the record looked for. Its Rdata may be empty: then any record of that name and type fits.
	// A snapshot answers such a Query only if it is Guarded or has a Since.
	Key dnsrecord.Key
	// Guarded is true if the caller does not rely on the absence of the record. Either it creates the record next,
	// for the first time, and the API refuses to create a record that exists. Or it does nothing because of the
	// absence. A thousand creations then cost no list each. A caller that lost track of a creation, or that would
	// take over another record, must not set it.
	Guarded bool
	// Since is a time at which the record was there if it exists at all. A list that began later proves its
	// absence, even if it began before the question. Zero means that no such time is known.
	Since time.Time
	// Seen is the time before which a record that is found must not have been seen last, zero for any.
	Seen time.Time
}

// fits reports whether the record looked for may be among those found.
func (q Query) fits(found []Entry) bool {
	return holds(found, q.Key) || q.Key.Rdata == "" && len(found) > 0
}

// Find returns all records of the query's name and type, by ID. A fresh snapshot answers if it holds the record of
// the Key. It also answers if the question is guarded, or if the snapshot's list began after Since, unless a
// refusal has shown that the snapshot lacks records. Any other answer comes from a list that began after the
// question.
func (z *Zone) Find(ctx context.Context, q Query) ([]Entry, error) {
	nt := nameType{q.Key.Name, q.Key.Type}
	if q.Guarded {
		if err := z.lists.CatchUp(ctx); err != nil {
			return nil, err
		}
	}
	old := false
	if z.lists.Fresh() {
		found := z.find(nt)
		old = q.fits(found) && !z.lists.Shows(q.Seen)
		if !old && (holds(found, q.Key) || (q.Guarded && !z.lists.Doubtful())) {
			return found, nil
		}
	}
	if old || !z.lists.Since(q.Since) {
		if err := z.lists.Refresh(ctx); err != nil {
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

func (z *Zone) find(nt nameType) []Entry {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.view.find(nt)
}

// put notes a record as a write left it. If the answers of two writes overtook each other, the record that the API
// wrote last stays.
func (z *Zone) put(l dnsrecord.Live) Entry {
	e := newEntry(l)
	z.mu.Lock()
	defer z.mu.Unlock()
	if old, ok, _ := z.view.get(l.ID); !ok || !old.Live.ModifiedOn.After(l.ModifiedOn) {
		z.change(l.ID, change{Row: e, Written: true})
	}
	return e
}

// putRead notes a record from a call that began at the logical time asked, unless something newer is known of the
// record: a read undoes neither a write nor a list.
func (z *Zone) putRead(l dnsrecord.Live, asked uint64) (Entry, error) {
	e := newEntry(l)
	z.mu.Lock()
	defer z.mu.Unlock()
	if c, ok := z.view.changes[l.ID]; ok && c.At.Logical > asked {
		if c.Gone {
			return Entry{}, ErrNotFound
		}
		return c.Row, nil
	}
	if z.listed <= asked {
		z.change(l.ID, change{Row: e})
	}
	return e, nil
}

// change notes a change of the record of that ID. z.mu is held.
func (z *Zone) change(id string, c change) {
	if was, there := z.view.live(id); there == c.Gone || there && !reflect.DeepEqual(was, c.Row.Live) {
		z.changes++
	}
	c.At = parent.Moment{Logical: z.clock.Tick(), Wall: z.o.Now()}
	z.view.change(id, c)
}

// drop notes that there is no record of that ID. deleted is true if the API said so in answer to a deletion, and
// false for another call.
func (z *Zone) drop(id string, deleted bool) {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.change(id, change{Gone: true, Written: deleted})
}
