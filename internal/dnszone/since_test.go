// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// TestTheNewShareAList: what is newer than the newest list costs a list for all, where there is something that
// may be looked for, and none where the API would refuse to make it.
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
