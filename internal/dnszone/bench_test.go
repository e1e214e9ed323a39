// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"fmt"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

const benchRecords = 10_000

func manyRecords() []dnsrecord.Live {
	out := make([]dnsrecord.Live, 0, benchRecords)
	for n := range benchRecords {
		out = append(out, a(n, fmt.Sprint("host", n), fmt.Sprintf("192.0.2.%d", n%250)))
	}
	return out
}

func benchZone(b *testing.B) *Zone {
	b.Helper()
	z := zoneOf(newFake(manyRecords()...))
	if err := z.refresh(b.Context()); err != nil {
		b.Fatal(err)
	}
	return z
}

func BenchmarkGet(b *testing.B) {
	z := benchZone(b)
	for n := 0; b.Loop(); n++ {
		if _, err := z.Get(b.Context(), id(n%benchRecords)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	z := benchZone(b)
	q := query(b, "host4321", "192.0.2.71")
	for b.Loop() {
		if found, err := z.Find(b.Context(), q); err != nil || len(found) != 1 {
			b.Fatalf("found %v, %v", found, err)
		}
	}
}

// A hundred records were written since the list before.
func BenchmarkFindAfterWrites(b *testing.B) {
	z := benchZone(b)
	for n := range 100 {
		z.put(a(n, fmt.Sprint("host", n), "198.51.100.1"))
	}
	q := query(b, "host4321", "192.0.2.71")
	for b.Loop() {
		if found, err := z.Find(b.Context(), q); err != nil || len(found) != 1 {
			b.Fatalf("found %v, %v", found, err)
		}
	}
}

func BenchmarkNewSnapshot(b *testing.B) {
	live := manyRecords()
	for b.Loop() {
		if s := newSnapshot(live); len(s.byID) != benchRecords {
			b.Fatal("records are missing")
		}
	}
}

func BenchmarkRebase(b *testing.B) {
	z := benchZone(b)
	s := newSnapshot(manyRecords())
	for b.Loop() {
		if differ := z.view.rebase(s, z.clock); len(differ) != 0 {
			b.Fatalf("%d records differ", len(differ))
		}
	}
}
