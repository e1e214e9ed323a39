// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"encoding/json"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// land replaces the snapshot with listed, unless a younger list landed before. It returns
// the IDs of the records that changed, none for the first list.
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
		return nil // There is no earlier list to compare with.
	}
	return changed
}

// list lists the zone's records, and returns how many calls that took.
func (z *Zone) list(t *parent.Pacer) (land parent.CommitFunc, calls int, err error) {
	var listed *snapshot
	calls, err = parent.Whole("records of the zone", func() (*parent.PageCount, int, error) {
		p, err := z.listPages(t)
		if err != nil {
			return &p.PageCount, 0, err
		}
		listed = p.d.snapshot()
		return &p.PageCount, listed.len(), p.d.none()
	})
	return func(began parent.Moment) []string { return z.land(listed, began) }, calls, err
}

// A tally counts the pages of one list and decodes their records.
type tally struct {
	parent.PageCount

	d decoder
	// first is the first record of the last page.
	first sum
}

// listPages lists every page. The server may return smaller pages than asked for. So the
// last page is the one at the server's own count of pages, or an empty one.
func (z *Zone) listPages(t *parent.Pacer) (*tally, error) {
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
	// A list does not come to an end if it has more than twice the rows that are counted,
	// or if a page repeats without a count of pages.
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
