// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// proofBurst lists can prove absence one right after the other, and one more every
// proofInterval for each page of a list. Whoever comes meanwhile shares the next one:
// a thousand questions about absence must not use up the budget that the
// answers are needed for.
const (
	proofBurst    = 10
	proofInterval = 2 * time.Second
)

// A listing is one list of the zone, under way or done. Several may wait for it.
type listing struct {
	// begun is the logical time at which its first call is made; 0 before that.
	begun uint64
	done  chan struct{}
	// sweep is true for a list that has only a sweep's share of the budget.
	sweep bool
	// stuck is true once it has waited for that share, and stalled is closed then:
	// whoever joined before looks elsewhere. Zone.mu guards stuck.
	stuck   bool
	stalled chan struct{}
	// err is set before done is closed.
	err error
}

// serves reports whether whoever may use the whole budget, or just a sweep's
// share, can wait for l.
func (l *listing) serves(sweep bool) bool {
	return sweep || !l.sweep || (!l.stuck && !cloudflare.IsThrottled(l.err))
}

// catchUp returns when the snapshot is fresh. Whoever asks for what is there can
// take a list that was begun before the question: a hundred who come together
// after a restart share one.
func (z *Zone) catchUp(ctx context.Context) error {
	if z.fresh() {
		return nil
	}
	z.mu.Lock()
	asked := z.clock
	if z.list != nil && z.list.begun > 0 {
		asked = z.list.begun - 1
	}
	z.mu.Unlock()
	return z.relist(ctx, asked, false)
}

// refresh returns when a list that began after the call is in the snapshot.
// Callers that come while a list is under way share the next one.
func (z *Zone) refresh(ctx context.Context) error {
	return z.relist(ctx, z.now(), false)
}

// now is the logical time.
func (z *Zone) now() uint64 {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.clock
}

// relist returns when a list that began after the logical time asked is in the
// snapshot.
func (z *Zone) relist(ctx context.Context, asked uint64, sweep bool) error {
	if err := z.lists.check(z.o.Now()); err != nil {
		return fmt.Errorf("cannot list the zone's DNS records: %w", err)
	}
	for {
		l := z.join(asked, sweep)
		stalled := l.stalled
		if sweep {
			stalled = nil // It waits with it.
		}
		select {
		case <-l.done:
		case <-stalled:
			continue
		case <-ctx.Done():
			return fmt.Errorf("cannot list the zone's DNS records: %w", context.Cause(ctx))
		}
		if l.begun > asked && l.serves(sweep) {
			return l.err
		}
	}
}

// join gives the last list if it began after asked, else the list under way, or
// begins one. A list belongs to no caller: it goes on when its callers have left.
func (z *Zone) join(asked uint64, sweep bool) *listing {
	z.mu.Lock()
	defer z.mu.Unlock()
	if z.last != nil && z.last.begun > asked && z.last.serves(sweep) {
		return z.last
	}
	if z.list != nil && z.list.serves(sweep) {
		return z.list
	}
	l := &listing{done: make(chan struct{}), stalled: make(chan struct{}), sweep: sweep}
	z.list = l
	z.running.begin()
	var wait time.Duration
	if now := z.o.Now(); !sweep && z.isFresh(now) {
		wait = z.proofs.ReserveN(now, min(z.pages, proofBurst)).DelayFrom(now)
	}
	go z.run(l, wait)
	return l
}

func (z *Zone) run(l *listing, wait time.Duration) {
	defer z.running.end()
	if wait > 0 {
		sleep(context.Background(), z.closing, wait)
	}
	began := z.begin(l)
	listed, pages, err := z.listAll(l)
	z.lists.record(err, z.o.Now())

	z.mu.Lock()
	defer z.mu.Unlock()
	switch {
	case err != nil:
		l.err = fmt.Errorf("cannot list the zone's DNS records: %w", err)
	case l.begun > z.listed: // Not overtaken by a younger list.
		changed := z.view.rebase(listed, l.begun, began)
		if !z.listedAt.IsZero() { // Nobody has seen anything before the first list.
			z.noteChanged(changed)
		}
		z.listedAt, z.listed, z.pages, z.outdated = began, l.begun, pages, false
		z.doubtName()
	}
	if z.list == l {
		z.list = nil
	}
	if z.last == nil || z.last.begun < l.begun {
		z.last = l
	}
	close(l.done)
}

// begin gives l the logical time of its first call, and gives the time on the clock.
func (z *Zone) begin(l *listing) time.Time {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.clock++
	l.begun = z.clock
	return z.o.Now()
}

// noteChanged keeps IDs for the next sweep to report, whoever caused the list that
// showed them. z.mu is held.
func (z *Zone) noteChanged(ids []string) {
	for _, id := range ids {
		z.unreported[id] = struct{}{}
	}
}

// changes lists the zone and gives the IDs of the records that lists have shown
// to be changed, gone or new since the last call, in order.
func (z *Zone) changes(ctx context.Context) ([]string, error) {
	if err := z.relist(ctx, z.now(), true); err != nil {
		return nil, err
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	ids := slices.Sorted(maps.Keys(z.unreported))
	clear(z.unreported)
	return ids, nil
}

// listAttempts is how often a list is begun again because it did not add up: the
// zone changed under it, or the answer was not the API's. After that one which
// has at least as many records as were counted is taken as it is: at worst a
// record is thought absent whose creation the API then refuses as identical.
const listAttempts = 3

// shifted is how many records more than twice what is counted a list may have
// because records came while it went on.
const shifted = 10_000

// An IncompleteError says that a list has fewer records than the API counts, or
// does not count them at all. It proves nothing about what it lacks.
type IncompleteError struct{ Listed, Counted int }

func (e *IncompleteError) Error() string {
	if e.Counted == 0 {
		return fmt.Sprintf("the Cloudflare API's list of the zone does not come to an end, or does not say that it is empty (%d records so far)", e.Listed)
	}
	return fmt.Sprintf("the Cloudflare API lists %d records of the zone but counts %d", e.Listed, e.Counted)
}

// listAll lists the zone's records, and gives how many calls that took.
func (z *Zone) listAll(l *listing) (*snapshot, int, error) {
	for attempt := 1; ; attempt++ {
		p, err := z.listPages(l)
		if err != nil {
			return nil, p.calls, err
		}
		all := p.d.snapshot()
		if err := p.d.none(); err != nil {
			return nil, p.calls, err
		}
		listed := all.len()
		whole := listed >= p.counted && (listed > 0 || p.hasCount)
		switch {
		case whole && (p.steady || attempt == listAttempts):
			return all, p.calls, nil
		case attempt == listAttempts:
			return nil, p.calls, &IncompleteError{Listed: listed, Counted: p.counted}
		}
	}
}

// A tally is what the pages of one list came to, whole or not.
type tally struct {
	d     decoder
	calls int
	// hasCount is true when the API counted, counted what it counted least, and steady
	// true where it counted the same each time.
	hasCount, steady bool
	counted          int
	// first is the last page's first record.
	first sum
}

// listPages lists every page. The server may give smaller pages than asked for,
// so the end is where its own count says, or a page is empty.
func (z *Zone) listPages(l *listing) (*tally, error) {
	p := &tally{d: decoder{known: z.snapshot()}, steady: true}
	for {
		p.calls++
		var items []json.RawMessage
		info, err := z.listPage(l, p.calls, &items)
		if err != nil {
			return p, err
		}
		again, err := p.add(items, info)
		if err != nil || !again {
			return p, err
		}
	}
}

// add adds a page, and reports whether there is another.
func (p *tally) add(items []json.RawMessage, info cloudflare.ResultInfo) (again bool, err error) {
	had := len(p.d.rows)
	p.d.add(items)
	p.steady = p.steady && (p.calls == 1 || info.TotalCount == p.counted)
	if p.calls == 1 || info.TotalCount < p.counted {
		p.counted = info.TotalCount
	}
	p.hasCount = info.Page > 0
	if len(items) == 0 || (info.TotalPages > 0 && p.calls >= info.TotalPages) {
		return false, nil
	}
	// More than twice what is counted, or the same page once more without a count,
	// would go on for ever.
	first := p.d.rows[had].sum
	if endless := first == p.first && info.TotalPages == 0; endless || (p.counted > 0 && len(p.d.rows) > 2*p.counted+shifted) {
		return false, &IncompleteError{Listed: len(p.d.rows)}
	}
	p.first = first
	return true, nil
}

// listPage makes one call, with a time of its own. A sweep waits for its share of
// the budget between two pages: a list that began again each time would never
// come to an end.
func (z *Zone) listPage(l *listing, page int, out any) (cloudflare.ResultInfo, error) {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), z.o.CallTimeout)
		if l.sweep {
			ctx = cloudflare.ForSweep(ctx)
		}
		info, err := z.api.ListRecords(ctx, z.id, page, z.o.PageSize, out)
		cancel()
		wait := cloudflare.RetryAfter(err)
		if !l.sweep || !cloudflare.IsThrottled(err) || wait == 0 {
			return info, err
		}
		z.stall(l)
		if !sleep(context.Background(), z.closing, wait) {
			return info, err
		}
	}
}

// stall notes that a sweep's list waits for its share.
func (z *Zone) stall(l *listing) {
	z.mu.Lock()
	defer z.mu.Unlock()
	if !l.stuck {
		l.stuck = true
		close(l.stalled)
	}
}

func (z *Zone) snapshot() *snapshot {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.view.base
}
