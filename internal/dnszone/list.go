// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"encoding/json"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// land puts a list under the changes that it has not seen, unless a younger one has
// landed, and gives the IDs of the records that are not what they were; none for the first
// list.
func (z *Zone) land(listed *snapshot, began parent.Moment) []string {
	z.mu.Lock()
	defer z.mu.Unlock()
	if began.Logical <= z.listed {
		return nil
	}
	first := z.listed == 0
	changed := z.view.rebase(listed, began.Logical, began.Wall)
	z.listed = began.Logical
	z.doubtName()
	if first || len(changed) > 0 {
		z.changes++
	}
	if first {
		return nil // Nobody has seen anything before it.
	}
	return changed
}

// list lists the zone's records, and gives how many calls that took.
func (z *Zone) list(t *parent.Turns) (land parent.Land, calls int, err error) {
	var listed *snapshot
	calls, err = parent.Whole("records of the zone", func() (*parent.Tally, int, error) {
		p, err := z.listPages(t)
		if err != nil {
			return &p.Tally, 0, err
		}
		listed = p.d.snapshot()
		return &p.Tally, listed.len(), p.d.none()
	})
	return func(began parent.Moment) []string { return z.land(listed, began) }, calls, err
}

// A tally is what the pages of one list came to, whole or not.
type tally struct {
	parent.Tally

	d decoder
	// first is the last page's first record.
	first sum
}

// listPages lists every page. The server may give smaller pages than asked for,
// so the end is where its own count says, or a page is empty.
func (z *Zone) listPages(t *parent.Turns) (*tally, error) {
	p := &tally{d: decoder{known: z.snapshot()}}
	for {
		var (
			items []json.RawMessage
			info  cloudflare.ResultInfo
		)
		err := t.Call(func(ctx context.Context) (err error) {
			info, err = z.api.ListRecords(ctx, z.id, p.Calls+1, z.o.PageSize, &items)
			return err
		})
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
	p.Page(info.TotalCount, info.Page > 0)
	if len(items) == 0 || (info.TotalPages > 0 && p.Calls >= info.TotalPages) {
		return false, nil
	}
	// More than twice what is counted, or the same page once more without a count,
	// would go on for ever.
	first := p.d.rows[had].sum
	if repeated := first == p.first && info.TotalPages == 0; repeated || p.Endless(len(p.d.rows)) {
		return false, &parent.IncompleteError{What: "records of the zone", Listed: len(p.d.rows)}
	}
	p.first = first
	return true, nil
}

func (z *Zone) snapshot() *snapshot {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.view.base
}
