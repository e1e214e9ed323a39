// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// pages is an API that only lists: each list returns the next of its books.
type pages struct {
	API

	books [][][]string // lists of pages of IDs
	total []int        // how many records each list counts
	list  int
}

func (p *pages) ListRecords(_ context.Context, _ string, page, _ int, out any) (cloudflare.ResultInfo, error) {
	book, total := p.books[p.list], p.total[p.list]
	var records []dnsrecord.Live
	for _, id := range book[page-1] {
		records = append(records, dnsrecord.Live{ID: strings.Repeat(id, 32), Name: "www.example.com", Type: "A"})
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
		// short is true if the list is an error.
		short bool
	}{
		"Whole":         {"nothing is asked twice without need", [][][]string{whole}, []int{3}, []string{"a", "b", "c"}, 1, false},
		"Shifted":       {"fewer records than the API counts: one slipped between two pages", [][][]string{shifted, whole}, []int{3, 3}, []string{"a", "b", "c"}, 2, false},
		"AlwaysShifted": {"what is never whole proves nothing", [][][]string{shifted, shifted, shifted}, []int{3, 3, 3}, nil, 3, true},
		"OnePage":       {"one page may be short, too", [][][]string{{{"a"}}, {{"a", "b"}}}, []int{2, 2}, []string{"a", "b"}, 2, false},
		"Overcounted":   {"nor does one page that is", [][][]string{{{"a"}}, {{"a"}}, {{"a"}}}, []int{7, 7, 7}, nil, 3, true},
		"Twice":         {"a record that is listed twice is one", [][][]string{{{"a"}, {"a"}}, whole}, []int{2, 3}, []string{"a", "b", "c"}, 2, false},
		"Undercounted":  {"more than is counted is taken as it is: nothing is missing", [][][]string{whole}, []int{2}, []string{"a", "b", "c"}, 1, false},
		"Empty":         {"a zone that says that it is empty is", [][][]string{{{}}}, []int{0}, nil, 1, false},
		"NoCount":       {"a server that does not count is believed", [][][]string{whole}, []int{0}, []string{"a", "b", "c"}, 1, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			api := &pages{books: tc.books, total: tc.total}
			z := newZone("z", api, NewPool(Options{}), func(d time.Duration) time.Duration { return d })
			err := z.lists.Refresh(t.Context())
			var ids []string
			if err == nil {
				for _, r := range z.snapshot().rows {
					ids = append(ids, r.id[:1])
				}
			}
			var short *parent.IncompleteError
			if (err != nil) != tc.short || errors.As(err, &short) != tc.short || !slices.Equal(ids, tc.want) || api.list != tc.lists {
				t.Errorf("%s: got %v from %d lists (%v), want %v from %d", tc.reason, ids, api.list, err, tc.want, tc.lists)
			}
		})
	}
}
