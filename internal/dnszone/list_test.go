// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// pages is an API that only lists: each list gives the next of its books.
type pages struct {
	API

	books [][][]string // lists of pages of IDs
	total []int        // what each list says there is
	list  int
}

func (p *pages) ListRecords(_ context.Context, _ string, page, _ int, out any) (cloudflare.ResultInfo, error) {
	book, total := p.books[p.list], p.total[p.list]
	var records []dnsrecord.Live
	for _, id := range book[page-1] {
		records = append(records, dnsrecord.Live{ID: id})
	}
	raw, err := json.Marshal(records)
	if err != nil {
		return cloudflare.ResultInfo{}, err
	}
	if page == len(book) {
		p.list++
	}
	return cloudflare.ResultInfo{Page: page, TotalPages: len(book), TotalCount: total}, json.Unmarshal(raw, out)
}

func TestListsThatShiftAreBegunAgain(t *testing.T) {
	whole, shifted := [][]string{{"a", "b"}, {"c"}}, [][]string{{"a", "b"}, {}}
	cases := map[string]struct {
		reason string
		books  [][][]string
		total  []int
		want   []string
		lists  int
	}{
		"Whole":         {"nothing is asked twice without need", [][][]string{whole}, []int{3}, []string{"a", "b", "c"}, 1},
		"Shifted":       {"fewer records than the API counts: one slipped between two pages", [][][]string{shifted, whole}, []int{3, 3}, []string{"a", "b", "c"}, 2},
		"AlwaysShifted": {"a zone that never rests is taken as it is in the end", [][][]string{shifted, shifted, shifted}, []int{3, 3, 3}, []string{"a", "b"}, 3},
		"OnePage":       {"one page cannot shift", [][][]string{{{"a"}}}, []int{7}, []string{"a"}, 1},
		"NoCount":       {"a server that does not count is believed", [][][]string{whole}, []int{0}, []string{"a", "b", "c"}, 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			api := &pages{books: tc.books, total: tc.total}
			z := newZone("z", api, NewPool(Options{}), &lane{})
			all, _, err := z.listAll(&listing{})
			var ids []string
			if err == nil {
				for _, r := range all.rows {
					ids = append(ids, r.id)
				}
			}
			if err != nil || !slices.Equal(ids, tc.want) || api.list != tc.lists {
				t.Errorf("%s: got %v from %d lists (%v), want %v from %d", tc.reason, ids, api.list, err, tc.want, tc.lists)
			}
		})
	}
}
