// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

const (
	benchRecords = 10_000 // in a zone that answers questions
	benchPage    = 1000   // in a list that is decoded or rebased
)

func benchZone(b *testing.B) *Zone {
	b.Helper()
	z := NewPool(Options{}).Zone(&wire{page: wireArray(wireRecords(benchRecords))}, testZone)
	if err := z.lists.Refresh(b.Context()); err != nil {
		b.Fatal(err)
	}
	return z
}

// wireEntry returns the nth record as a snapshot returns it.
func wireEntry(tb testing.TB, n int) Entry {
	tb.Helper()
	var l dnsrecord.Live
	if err := json.Unmarshal(wireRecord(n), &l); err != nil {
		tb.Fatal(err)
	}
	return newEntry(l)
}

// BenchmarkObserve measures the questions of a reconcile to a zone with a fresh snapshot.
func BenchmarkObserve(b *testing.B) {
	z := benchZone(b)
	want := make([]Entry, benchRecords)
	for n := range want {
		want[n] = wireEntry(b, n)
	}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		w := &want[n%benchRecords]
		e, err := z.Get(b.Context(), w.Live.ID)
		if err != nil || len(dnsrecord.Diff(w.Record, e.Record)) > 0 {
			b.Fatalf("got %v, %v, want %v", e, err, w)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	z := benchZone(b)
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		if _, err := z.Get(b.Context(), z.view.base.rows[n%benchRecords].id); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFind(b *testing.B) { benchFind(b, benchZone(b)) }

// BenchmarkFindAfterWrites measures Find after writes of a hundred records since the last
// list.
func BenchmarkFindAfterWrites(b *testing.B) {
	z := benchZone(b)
	for n := range 100 {
		z.put(a(n, fmt.Sprint("host", n), "198.51.100.1"))
	}
	benchFind(b, z)
}

func benchFind(b *testing.B, z *Zone) {
	b.Helper()
	q := Query{Key: wireEntry(b, 4321).Record.Key()}
	b.ReportAllocs()
	for b.Loop() {
		if found, err := z.Find(b.Context(), q); err != nil || len(found) != 1 {
			b.Fatalf("found %v, %v", found, err)
		}
	}
}

// lists returns the lists that follow a list of a thousand records.
func lists(tb testing.TB) map[string][]byte {
	tb.Helper()
	changed, worded := wireRecords(benchPage), wireRecords(benchPage)
	for n := range benchPage {
		if worded[n] = otherWords(tb, worded[n]); n%100 == 0 {
			changed[n] = bytes.Replace(changed[n], []byte(`"ttl":`), []byte(`"ttl":7`), 1)
		}
	}
	return map[string][]byte{
		"Unchanged": wireArray(wireRecords(benchPage)), "OnePercentChanged": wireArray(changed), "OtherWords": wireArray(worded),
	}
}

// BenchmarkDecodeList measures a list of a thousand records, from its JSON to a snapshot.
func BenchmarkDecodeList(b *testing.B) {
	first, none := wireArray(wireRecords(benchPage)), newSnapshot(nil)
	b.Run("First", func(b *testing.B) { benchDecode(b, none, first) })
	known := decodeAll(b, none, first)
	for name, page := range lists(b) {
		b.Run(name, func(b *testing.B) { benchDecode(b, known, page) })
	}
}

func benchDecode(b *testing.B, known *snapshot, page []byte) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		if s := decodeAll(b, known, page); len(s.byID) != benchPage {
			b.Fatal("records are missing")
		}
	}
}

func decodeAll(tb testing.TB, known *snapshot, page []byte) *snapshot {
	tb.Helper()
	var items []json.RawMessage
	if err := json.Unmarshal(page, &items); err != nil {
		tb.Fatal(err)
	}
	d := decoder{known: known}
	d.add(items)
	s := d.snapshot()
	if len(s.unreadable) > 0 {
		tb.Fatalf("%v", s.rows[s.unreadable[0]].unreadable())
	}
	return s
}

// An answerer answers every call with the same body.
type answerer []byte

func (a answerer) RoundTrip(*http.Request) (*http.Response, error) {
	h := http.Header{"Content-Type": {"application/json"}}
	return &http.Response{StatusCode: http.StatusOK, Header: h, Body: io.NopCloser(bytes.NewReader(a))}, nil
}

// BenchmarkSweep measures a sweep of a thousand unchanged records, from the bytes of the
// answer on.
func BenchmarkSweep(b *testing.B) {
	body := slices.Concat([]byte(`{"success":true,"errors":[],"messages":[],"result":`), wireArray(wireRecords(benchPage)),
		[]byte(`,"result_info":{"page":1,"per_page":5000,"count":1000,"total_count":1000,"total_pages":1}}`))
	api := cloudflare.New(cloudflare.NewToken("t"), cloudflare.Options{BaseURL: "http://api.invalid", Transport: answerer(body)})
	api.SetBudget(1 << 30)
	z := NewPool(Options{}).Zone(api, testZone)
	b.ReportAllocs()
	for b.Loop() {
		if err := z.lists.Refresh(b.Context()); err != nil || z.view.len() != benchPage {
			b.Fatalf("%d records, %v", z.view.len(), err)
		}
	}
}

func BenchmarkRebase(b *testing.B) {
	old := decodeAll(b, newSnapshot(nil), wireArray(wireRecords(benchPage)))
	for name, page := range lists(b) {
		now, want := decodeAll(b, old, page), 0
		if name == "OnePercentChanged" {
			want = benchPage / 100
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				v := view{base: old}
				if differ := v.rebase(now, 1, time.Time{}); len(differ) != want {
					b.Fatalf("%d records differ, want %d", len(differ), want)
				}
			}
		})
	}
}

// BenchmarkSnapshotMemory measures the heap of ten thousand records that a zone holds.
func BenchmarkSnapshotMemory(b *testing.B) {
	for _, kind := range []struct {
		name string
		n    int // the number of such a record
	}{{"Mix", -1}, {"A", 1}, {"CNAME", 56}, {"TXT", 81}, {"SRV", 96}} {
		var all [][]byte
		for n := range benchRecords {
			if kind.n >= 0 {
				n = n*100 + kind.n
			}
			all = append(all, wireRecord(n))
		}
		api := &wire{page: wireArray(all)}
		b.Run(kind.name, func(b *testing.B) {
			for b.Loop() {
				before := heap()
				z := NewPool(Options{}).Zone(api, testZone)
				if err := z.lists.Refresh(b.Context()); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(heap()-before)/benchRecords, "B/record")
				runtime.KeepAlive(z)
			}
			b.ReportMetric(0, "ns/op") // Most of the time is the garbage collector's.
		})
	}
}

// heap returns how many bytes are in use.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // The second run frees the objects whose finalizers the first one queued.
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
