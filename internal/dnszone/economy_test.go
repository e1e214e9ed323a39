// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

func TestAListOfWhatIsKnownCostsNothing(t *testing.T) {
	page := wireArray(wireRecords(300))
	known := decodeAll(t, newSnapshot(nil), page)
	if again := decodeAll(t, known, page); again != known {
		t.Error("a list that shows nothing new made another snapshot")
	}
	raw := wireRecord(7)
	d := decoder{known: known}
	allocs := testing.AllocsPerRun(100, func() {
		d.next = 7
		if r := d.decode(raw); r != known.rows[7] {
			t.Errorf("got %v, want the row there is", r)
		}
	})
	if allocs != 0 {
		t.Errorf("a record that is known takes %v allocations", allocs)
	}
}

// without returns all but the nth element.
func without(all [][]byte, n int) [][]byte { return slices.Delete(slices.Clone(all), n, n+1) }

func TestAListCostsWhatChanged(t *testing.T) {
	all := wireRecords(300)
	known := decodeAll(t, newSnapshot(nil), wireArray(all))
	edited := slices.Clone(all)
	edited[150] = bytes.Replace(edited[150], []byte(`"ttl":`), []byte(`"ttl":7`), 1)
	cases := map[string]struct {
		reason string
		list   [][]byte
		differ []string
	}{
		"Edited":  {"one record is another", edited, []string{wireID(150)}},
		"Gone":    {"every record behind is one place further up", without(all, 0), []string{wireID(0)}},
		"New":     {"every record is one place further down", slices.Concat([][]byte{wireRecord(300)}, all), []string{wireID(300)}},
		"Moved":   {"the order says nothing", slices.Concat(all[1:], all[:1]), nil},
		"Twice":   {"a record that is listed twice is one", slices.Concat(all, all[:1]), nil},
		"GoneEnd": {"the last record is gone", without(all, 299), []string{wireID(299)}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			page := wireArray(tc.list)
			s := decodeAll(t, known, page)
			if got := differ(known, s); !slices.Equal(got, tc.differ) {
				t.Errorf("%s: %v differ, want %v", tc.reason, got, tc.differ)
			}
			shared := 0
			for _, r := range s.rows {
				if slices.Contains(known.rows, r) {
					shared++
				}
			}
			if shared < len(tc.list)-1 {
				t.Errorf("%s: %d rows of %d are shared with the snapshot before", tc.reason, shared, len(tc.list))
			}
			// The page itself takes one allocation for each record; a record that is parsed
			// takes ten.
			if allocs := testing.AllocsPerRun(5, func() { decodeAll(t, known, page) }); allocs > 400 {
				t.Errorf("%s: %v allocations: records that are known were parsed", tc.reason, allocs)
			}
		})
	}
}

// oneMemory reports whether two equal texts share their memory.
func oneMemory(a, b string) bool { return a == b && unsafe.StringData(a) == unsafe.StringData(b) }

func TestARecordInOtherWordsTakesNoMoreMemory(t *testing.T) {
	known := decodeAll(t, newSnapshot(nil), wireArray(wireRecords(100)))
	var all [][]byte
	for n := range 100 {
		all = append(all, otherWords(t, wireRecord(n)))
	}
	page := wireArray(all)
	s := decodeAll(t, known, page)
	for i, r := range s.rows {
		if old := known.rows[i]; !oneMemory(r.content, old.content) || r.extra != old.extra {
			t.Errorf("%s takes up memory of its own", r.name)
		}
	}
	if differ := differ(known, s); len(differ) != 0 {
		t.Errorf("%v differ from what they were", differ)
	}
	if again := decodeAll(t, s, page); again != s {
		t.Error("the new words are not known the next time")
	}
}

func TestARowKeepsTextsOnce(t *testing.T) {
	if size := unsafe.Sizeof(row{}); size > 128 {
		t.Errorf("a row has %d bytes, which take up 144: 128 would be enough", size)
	}
	for n := range 100 {
		r := decodeAll(t, newSnapshot(nil), wireArray([][]byte{wireRecord(n)})).rows[0]
		if r.extra == nil || r.extra.record == nil {
			continue
		}
		canonical := r.extra.record
		if !oneMemory(r.name, canonical.Name) || !oneMemory(r.content, canonical.Content) {
			t.Errorf("%s %s: name or content is kept twice", r.typ, r.name)
		}
		if canonical.Data != nil && reflect.ValueOf(r.extra.data).Pointer() != reflect.ValueOf(canonical.Data).Pointer() {
			t.Errorf("%s %s: data are kept twice", r.typ, r.name)
		}
	}
}

func TestAnObservationAllocatesLittle(t *testing.T) {
	z := NewPool(Options{}).Zone(&wire{page: wireArray(wireRecords(100))}, testZone)
	if err := z.lists.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for n := range 100 {
		want := wireEntry(t, n)
		allocs := testing.AllocsPerRun(5, func() {
			e, err := z.Get(t.Context(), want.Live.ID)
			if err != nil || len(dnsrecord.Diff(want.Record, e.Record)) > 0 {
				t.Errorf("got %v, %v, want %v", e, err, want)
			}
		})
		if allocs > 5 {
			t.Errorf("%s: %v allocations, want at most 5", want.Live.Type, allocs)
		}
	}
}

func TestAListThatCannotBeReadIsAnError(t *testing.T) {
	for _, page := range []string{`[{"id":"a","ttl":"soon"}]`, `[1]`, `{}`} {
		z := NewPool(Options{}).Zone(&wire{page: []byte(page)}, testZone)
		if err := z.lists.Refresh(t.Context()); err == nil || !strings.Contains(err.Error(), "cannot list") {
			t.Errorf("%s: got error %v, want that it cannot be listed", page, err)
		}
		if z.lists.Fresh() {
			t.Errorf("%s was taken for a list", page)
		}
	}
}
