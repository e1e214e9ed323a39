// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// txt returns a live TXT record.
func txt(n int, name, content string) dnsrecord.Live {
	return dnsrecord.Live{ID: id(n), Name: name + ".example.com", Type: "TXT", Content: content, TTL: 1}
}

const heritage = "heritage=external-dns,external-dns/owner=default,external-dns/resource=service/default/shop"

// ownerOf returns the text of the first owner of a record, "" for none.
func ownerOf(z *Zone, e Entry) string {
	for _, o := range z.Owners(e) {
		return o.Text
	}
	return ""
}

func TestOwnerReadsTheMarkAsItIsStored(t *testing.T) {
	long := strings.Repeat("x", 250)
	for _, tc := range []struct{ reason, content, want string }{
		{"quoted", `"` + heritage + `"`, `"default"`},
		{"not quoted", heritage, `"default"`},
		{"with quotes of its own", `"\"` + heritage + `\""`, `"default"`},
		{"in two strings", `"heritage=external-dns,external-dns/resource=crd/` + long[:200] + `,external-dns/ow" "ner=default"`, `"default"`},
		{"another text", `"` + long + `"`, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			z := zoneOf(newFake(a(1, "shop", "192.0.2.1"), txt(2, "a-shop", tc.content)))
			e := find(t, z, query(t, "shop", "192.0.2.1"))[0]
			if got := ownerOf(z, e); (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
				t.Errorf("%s: the owner is %q, want one with %q", tc.reason, got, tc.want)
			}
		})
	}
}

// TestOwnerIsAsFreshAsTheRecord checks that a mark that came or went is seen with the
// list that shows the record, without any further call.
func TestOwnerIsAsFreshAsTheRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(txt(2, "a-shop", heritage), a(3, "blog", "192.0.2.3"))
		z := zoneOf(f)
		blog := find(t, z, query(t, "blog", "192.0.2.3"))[0]
		f.set(a(1, "shop", "192.0.2.1"))
		shop := find(t, z, query(t, "shop", "192.0.2.1"))[0]
		f.set(txt(4, "a-blog", heritage))
		f.remove(id(2))
		lists := f.count("list")
		for e, want := range map[*Entry]bool{&shop: true, &blog: false} {
			if got := ownerOf(z, *e); (got != "") != want {
				t.Errorf("%s: the owner is %q, want one %t", e.Record.Name, got, want)
			}
		}
		if n := f.count("list"); n != lists {
			t.Errorf("looking for owners made %d lists", n-lists)
		}
		if err := z.lists.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		for e, want := range map[*Entry]bool{&shop: false, &blog: true} {
			if got := ownerOf(z, *e); (got != "") != want {
				t.Errorf("%s: after a list the owner is %q, want one %t", e.Record.Name, got, want)
			}
		}
	})
}

// TestOwnerSeesWhatChangedSince checks that marks, and the records that explain them,
// count as they are known since the last list.
func TestOwnerSeesWhatChangedSince(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		z := zoneOf(newFake(a(1, "shop", "192.0.2.1"), txt(2, "a-shop", heritage), a(3, "b.example", "192.0.2.3"), txt(4, "a-c.b.example", heritage)))
		shop := find(t, z, query(t, "shop", "192.0.2.1"))[0]
		above := find(t, z, query(t, "b.example", "192.0.2.3"))[0]
		z.drop(id(2), true)
		if got := ownerOf(z, shop); got != "" {
			t.Errorf("the mark is deleted, and the owner is %q", got)
		}
		z.put(txt(5, "a-shop", heritage))
		if got := ownerOf(z, shop); got == "" {
			t.Error("the mark is written again, and there is no owner")
		}
		if got := ownerOf(z, above); got == "" {
			t.Error("no record but the one above explains the mark, and there is no owner")
		}
		z.put(a(6, "c.b.example", "192.0.2.4"))
		if got := ownerOf(z, above); got != "" {
			t.Errorf("another record explains the mark, and the owner is %q", got)
		}
		z.drop(id(6), true)
		if got := ownerOf(z, above); got == "" {
			t.Error("the record that explained the mark is deleted, and there is no owner")
		}
	})
}

// BenchmarkOwner measures the look for the owner of one of 100,000 records.
func BenchmarkOwner(b *testing.B) {
	const records = 100_000
	for _, kind := range []struct {
		name, mark string // the beginning of marks, "" for none
	}{{"NoMarks", ""}, {"HalfAreMarks", "a-"}, {"HalfAreMarksWithPrefix", "externaldns.a-"}} {
		all := make([]dnsrecord.Live, 0, records)
		for n := range records / 2 {
			all = append(all, a(2*n, fmt.Sprint("host-", n), "192.0.2.1"))
			other := txt(2*n+1, fmt.Sprint("text-", n), "v=1")
			if kind.mark != "" {
				other = txt(2*n+1, fmt.Sprint(kind.mark, "host-", n), heritage)
			}
			all = append(all, other)
		}
		apex := a(2*records, "", "192.0.2.1")
		apex.Name = "example.com"
		wildcard := a(2*records+1, "*", "192.0.2.1")
		f := newFake(append(all, apex, wildcard, a(2*records+2, "free", "192.0.2.1"))...)
		f.maxPage = 10 * records
		z := NewPool(Options{PageSize: 10 * records}).Zone(f, testZone)
		if err := z.lists.Refresh(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.Run(kind.name+"/First", func(b *testing.B) {
			for b.Loop() {
				z.view.base.findMarks()
			}
		})
		for _, l := range []dnsrecord.Live{a(2*records+2, "free", "192.0.2.1"), apex, wildcard} {
			e := newEntry(l)
			b.Run(kind.name+"/"+l.Name, func(b *testing.B) {
				for b.Loop() {
					if o := ownerOf(z, e); o != "" {
						b.Fatalf("%s is refused for %s", l.Name, o)
					}
				}
			})
		}
	}
}
