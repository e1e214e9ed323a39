// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// TestTheNewShareAList checks that questions with a time later than the newest list share one new list if it
// may show the record looked for. They cost no list if the caller would create the record, which the API
// refuses if it exists.
func TestTheNewShareAList(t *testing.T) {
	book := [][]string{{"a", "b"}}
	api := &pages{books: [][][]string{book, book, book}, total: []int{2, 2, 2}}
	z := newZone("z", api, NewPool(Options{}), func(d time.Duration) time.Duration { return d })
	each := dnsrecord.Key{Name: "www.example.com", Type: "A"}
	made := dnsrecord.Key{Name: "www.example.com", Type: "A", Rdata: "192.0.2.1"}
	if err := z.CatchUp(t.Context(), time.Time{}); err != nil || api.list != 1 {
		t.Fatalf("%d lists, %v", api.list, err)
	}
	since := time.Now()
	for _, tc := range []struct {
		reason string
		key    dnsrecord.Key
		lists  int
	}{
		{"a thousand are created beside others of their name", made, 1},
		{"a thousand observe what is there", each, 2},
	} {
		for range 1000 {
			if found, err := z.Find(t.Context(), Query{Key: tc.key, Guarded: true, Seen: since}); err != nil || len(found) != 2 {
				t.Fatalf("%s: %v, %v", tc.reason, found, err)
			}
		}
		if err := z.CatchUp(t.Context(), time.Time{}); err != nil || api.list != tc.lists {
			t.Errorf("%s: %d lists, %v, want %d", tc.reason, api.list, err, tc.lists)
		}
	}
	if err := z.CatchUp(t.Context(), since); err != nil || api.list != 2 {
		t.Errorf("who names an ID is as new: %d lists, %v", api.list, err)
	}
}
