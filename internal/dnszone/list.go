// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"fmt"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// A listing is one list of the zone, under way or done. Several may wait for it.
type listing struct {
	begun uint64
	done  chan struct{}
	// changed and err are set before done is closed.
	changed []string
	err     error
}

// refresh returns when a list that began after the call is in the snapshot.
// Callers that come while a list is under way share the next one.
func (z *Zone) refresh(ctx context.Context) error {
	_, err := z.relist(ctx)
	return err
}

// relist is refresh that also gives the IDs of the records that are not what the
// snapshot held before.
func (z *Zone) relist(ctx context.Context) ([]string, error) {
	z.mu.Lock()
	asked := z.clock
	z.mu.Unlock()
	for {
		l := z.join()
		select {
		case <-l.done:
		case <-ctx.Done():
			return nil, fmt.Errorf("cannot list the zone's DNS records: %w", context.Cause(ctx))
		}
		if l.begun > asked {
			return l.changed, l.err
		}
	}
}

// join gives the list under way, or begins one. A list belongs to no caller: it
// goes on when its callers have left.
func (z *Zone) join() *listing {
	z.mu.Lock()
	defer z.mu.Unlock()
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
	live, err := z.listAll(ctx)

	z.mu.Lock()
	defer z.mu.Unlock()
	if err != nil {
		l.err = fmt.Errorf("cannot list the zone's DNS records: %w", err)
	} else {
		l.changed = z.view.rebase(newSnapshot(live), l.begun)
		z.listedAt = began
	}
	z.list = nil
	close(l.done)
}

// listAll lists every page. The server may give smaller pages than asked for, so
// the end is where its own count says, or a page is empty.
func (z *Zone) listAll(ctx context.Context) ([]dnsrecord.Live, error) {
	var all []dnsrecord.Live
	for page := 1; ; page++ {
		var items []dnsrecord.Live
		info, err := z.api.ListRecords(ctx, z.id, page, z.o.PageSize, &items)
		if err != nil {
			return nil, err
		}
		all = append(all, items...)
		if len(items) == 0 || page >= info.TotalPages {
			return all, nil
		}
	}
}
