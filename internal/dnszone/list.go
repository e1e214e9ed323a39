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

// A listing is one list of the zone, under way or done. Several may wait for it.
type listing struct {
	begun uint64
	done  chan struct{}
	// err is set before done is closed.
	err error
}

// refresh returns when a list that began after the call is in the snapshot.
// Callers that come while a list is under way share the next one.
func (z *Zone) refresh(ctx context.Context) error {
	z.mu.Lock()
	asked, refused := z.clock, z.refusal
	z.mu.Unlock()
	if refused.err != nil && z.o.Now().Before(refused.until) {
		return refused.err
	}
	for {
		l := z.join(asked)
		select {
		case <-l.done:
		case <-ctx.Done():
			return fmt.Errorf("cannot list the zone's DNS records: %w", context.Cause(ctx))
		}
		if l.begun > asked {
			return l.err
		}
	}
}

// join gives the last list if it began after asked, else the list under way, or
// begins one. A list belongs to no caller: it goes on when its callers have left.
func (z *Zone) join(asked uint64) *listing {
	z.mu.Lock()
	defer z.mu.Unlock()
	if z.last != nil && z.last.begun > asked {
		return z.last
	}
	if z.list != nil {
		return z.list
	}
	z.clock++
	l := &listing{begun: z.clock, done: make(chan struct{})}
	z.list = l
	z.running.Add(1)
	go z.run(l, z.o.Now())
	return l
}

func (z *Zone) run(l *listing, began time.Time) {
	defer z.running.Done()
	ctx, cancel := context.WithTimeout(context.Background(), z.o.CallTimeout)
	defer cancel()
	listed, err := z.listAll(ctx)

	z.mu.Lock()
	defer z.mu.Unlock()
	if err != nil {
		l.err = fmt.Errorf("cannot list the zone's DNS records: %w", err)
		z.refusal = refusal{}
		if cloudflare.IsInvalidCredential(err) || cloudflare.IsForbidden(err) {
			z.refusal = refusal{err: l.err, until: z.o.Now().Add(z.o.Interval / 2)}
		}
	} else {
		changed := z.view.rebase(listed, l.begun)
		if !z.listedAt.IsZero() { // Nobody has seen anything before the first list.
			z.noteChanged(changed)
		}
		z.listedAt = began
	}
	z.list, z.last = nil, l
	close(l.done)
}

// noteChanged keeps IDs for the next sweep to tell, whoever caused the list that
// showed them. z.mu is held.
func (z *Zone) noteChanged(ids []string) {
	for _, id := range ids {
		z.untold[id] = struct{}{}
	}
}

// changes lists the zone and gives the IDs of the records that lists have shown
// to be changed, gone or new since the last call, in order.
func (z *Zone) changes(ctx context.Context) ([]string, error) {
	if err := z.refresh(ctx); err != nil {
		return nil, err
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	ids := slices.Sorted(maps.Keys(z.untold))
	clear(z.untold)
	return ids, nil
}

// listAttempts is how often a list of several pages is begun again because the
// zone changed under it. After that the last is taken as it is: at worst a record
// is thought absent whose creation the API then refuses as identical.
const listAttempts = 3

// listAll lists the zone's records.
func (z *Zone) listAll(ctx context.Context) (*snapshot, error) {
	for attempt := 1; ; attempt++ {
		all, whole, err := z.listPages(ctx)
		if err != nil || whole || attempt == listAttempts {
			return all, err
		}
	}
}

// listPages lists every page. The server may give smaller pages than asked for,
// so the end is where its own count says, or a page is empty. whole is false
// where a record may have slipped from one page to another between two calls.
func (z *Zone) listPages(ctx context.Context) (all *snapshot, whole bool, err error) {
	d := decoder{known: z.snapshot()}
	total, steady := 0, true
	for page := 1; ; page++ {
		var items []json.RawMessage
		info, err := z.api.ListRecords(ctx, z.id, page, z.o.PageSize, &items)
		if err != nil {
			return nil, false, err
		}
		if err := d.add(items); err != nil {
			return nil, false, err
		}
		steady = steady && (page == 1 || info.TotalCount == total)
		total = info.TotalCount
		if len(items) == 0 || (info.TotalPages > 0 && page >= info.TotalPages) {
			return d.snapshot(), page == 1 || (steady && (total == 0 || len(d.rows) == total)), nil
		}
	}
}

func (z *Zone) snapshot() *snapshot {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.view.base
}
