// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"pgregory.net/rapid"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// An oddRecord is a record named odd.example.com of type A in a form in which the API
// does not return records. Its ID is that of number 2.
type oddRecord struct {
	reason, json string
	// named is true if its name and type can be read, identified if its ID can be read.
	named, identified bool
}

func oddRecords() map[string]oddRecord {
	wire := func(members string) string {
		return fmt.Sprintf(`{"id":%q,"name":"odd.example.com","type":"A",%s}`, id(2), members)
	}
	return map[string]oddRecord{
		"TTLIsAText":     {"a number is a text", wire(`"content":"192.0.2.2","ttl":"one"`), true, true},
		"TTLIsAFraction": {"no whole number", wire(`"content":"192.0.2.2","ttl":1.5`), true, true},
		"TTLIsHuge":      {"more than any number of seconds", wire(`"content":"192.0.2.2","ttl":1e30`), true, true},
		"ContentIsAList": {"a text is a list", wire(`"content":["192.0.2.2"],"ttl":1`), true, true},
		"DataIsAText":    {"an object is a text", wire(`"content":"","data":"x","ttl":1`), true, true},
		"TimeIsAText":    {"no time", wire(`"content":"192.0.2.2","ttl":1,"modified_on":"` + strings.Repeat("now ", 500) + `"`), true, true},
		"NoName":         {"nothing to find it by but its ID", fmt.Sprintf(`{"id":%q,"type":"A"}`, id(2)), false, true},
		"NameIsANumber":  {"the same", fmt.Sprintf(`{"id":%q,"name":7,"type":"A"}`, id(2)), false, true},
		"NoID":           {"an ID is missing", `{"name":"odd.example.com","type":"A","content":"192.0.2.2","ttl":1}`, true, false},
		"BadID":          {"no ID of the API's form", `{"id":"../x","name":"odd.example.com","type":"A","content":"192.0.2.2"}`, true, false},
		"IDIsANumber":    {"an ID is a number", `{"id":2,"name":"odd.example.com","type":"A","content":"192.0.2.2"}`, true, false},
		"Null":           {"nothing at all", `null`, false, false},
		"Text":           {"no object", `"odd"`, false, false},
	}
}

// odd is the fake with one more record in its lists, with the given JSON.
type odd struct {
	*fake

	json string
}

func (o *odd) ListRecords(ctx context.Context, zone string, page, perPage int, out any) (cloudflare.ResultInfo, error) {
	var items []json.RawMessage
	info, err := o.fake.ListRecords(ctx, zone, page, perPage, &items)
	if err != nil {
		return info, err
	}
	raw, err := json.Marshal(append(items, json.RawMessage(o.json)))
	if err != nil {
		return info, err
	}
	info.TotalCount++
	info.TotalPages = max(info.TotalPages, 1)
	return info, json.Unmarshal(raw, out)
}

func TestOddRecordDoesNotStopItsZone(t *testing.T) {
	for name, tc := range oddRecords() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(a(1, "www", "192.0.2.1"))
				p := NewPool(Options{})
				z := p.Zone(&odd{f, tc.json}, testZone)
				if e, err := z.Get(t.Context(), id(1)); err != nil || e.Record.Content != "192.0.2.1" {
					t.Errorf("%s: reading a record that is in order: %+v, %v", tc.reason, e, err)
				}
				guarded := query(t, "odd", "192.0.2.3")
				guarded.Guarded = true
				if found, err := z.Find(t.Context(), guarded); err != nil || len(found) > 0 {
					t.Errorf("%s: looking before a creation that the API guards: %v, %v", tc.reason, found, err)
				}
				if _, err := z.Apply(t.Context(), Create(wantA(t, "new", "192.0.2.4"))); err != nil {
					t.Errorf("%s: a creation: %v", tc.reason, err)
				}
				f.set(a(1, "www", "192.0.2.9"))
				pass(time.Minute)
				if ids, err := z.lists.Changes(t.Context()); err != nil || len(ids) != 1 || ids[0] != id(1) {
					t.Errorf("%s: a sweep gave %v, %v, want the record that changed", tc.reason, ids, err)
				}
				expectUnreadable(t, z, tc)
				const want = `
# HELP cloudflare_dns_snapshot_records DNS records in the newest list of the zone.
# TYPE cloudflare_dns_snapshot_records gauge
cloudflare_dns_snapshot_records{zone="` + testZone + `"} 3
# HELP cloudflare_dns_unreadable_records DNS records in the newest list of the zone that are in a form that cannot be read.
# TYPE cloudflare_dns_unreadable_records gauge
cloudflare_dns_unreadable_records{zone="` + testZone + `"} 1
`
				err := testutil.CollectAndCompare(NewCollector(p), strings.NewReader(want), "cloudflare_dns_snapshot_records", "cloudflare_dns_unreadable_records")
				if err != nil {
					t.Errorf("%s: %v", tc.reason, err)
				}
			})
		})
	}
}

// expectUnreadable expects an error for the owner of the odd record, and for a caller
// that relies on its absence.
func expectUnreadable(t *testing.T, z *Zone, tc oddRecord) {
	t.Helper()
	var unreadable *UnreadableError
	_, err := z.Get(t.Context(), id(2))
	if tc.identified && (!errors.As(err, &unreadable) || unreadable.ID != id(2) || !strings.Contains(err.Error(), id(2)) || len(err.Error()) > 500) {
		t.Errorf("%s: reading the record itself: %v", tc.reason, err)
	}
	if !tc.identified && !errors.Is(err, ErrNotFound) {
		t.Errorf("%s: another record: %v, want what the API says of its ID", tc.reason, err)
	}
	if _, err := z.Find(t.Context(), query(t, "odd", "192.0.2.3")); !errors.As(err, &unreadable) {
		t.Errorf("%s: whoever relies on the absence of a record of that name and type: %v", tc.reason, err)
	}
	_, err = z.Find(t.Context(), query(t, "other", "192.0.2.3"))
	if doubtful := errors.As(err, &unreadable); doubtful == tc.named {
		t.Errorf("%s: whoever relies on the absence of another record: %v", tc.reason, err)
	}
}

// TestRecordOutsideOfAListIsAskedForWhereOneHasNoID has a list that lacks an existing
// record: the one without an ID may be it.
func TestRecordOutsideOfAListIsAskedForWhereOneHasNoID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "www", "192.0.2.1"), a(2, "odd", "192.0.2.2"))
		f.unlisted[id(2)] = true
		z := NewPool(Options{}).Zone(&odd{f, oddRecords()["NoID"].json}, testZone)
		if e, err := z.GetGuarded(t.Context(), id(2)); err != nil || e.Record.Content != "192.0.2.2" {
			t.Errorf("got %+v, %v", e, err)
		}
	})
}

// TestWholeNumbersAreNumbers lists a ttl in each notation that JSON has for it.
func TestWholeNumbersAreNumbers(t *testing.T) {
	for _, ttl := range []string{"300", "300.0", "3e2", "3.0E+2"} {
		synctest.Test(t, func(t *testing.T) {
			raw := fmt.Sprintf(`{"id":%q,"name":"odd.example.com","type":"A","content":"192.0.2.2","ttl":%s}`, id(2), ttl)
			z := NewPool(Options{}).Zone(&odd{newFake(), raw}, testZone)
			if e, err := z.Get(t.Context(), id(2)); err != nil || e.Live.TTL != 300 {
				t.Errorf("ttl %s: got %d, %v", ttl, e.Live.TTL, err)
			}
		})
	}
}

// TestListOfNothingReadable checks that a list with no readable record and without IDs
// proves nothing.
func TestListOfNothingReadable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		o := &odd{f, oddRecords()["NoID"].json}
		z := NewPool(Options{}).Zone(o, testZone)
		if err := z.lists.Refresh(t.Context()); err == nil {
			t.Error("a list of records without IDs is taken for the zone's")
		}
		o.json = oddRecords()["TTLIsAText"].json
		pass(time.Minute)
		if err := z.lists.Refresh(t.Context()); err != nil {
			t.Errorf("a zone of one record that cannot be read, but has an ID: %v", err)
		}
	})
}

// TestReadOfAnOddRecord reads an odd record that lists do not show yet.
func TestReadOfAnOddRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "www", "192.0.2.1"))
		z := NewPool(Options{}).Zone(&oddRead{f}, testZone)
		for range 3 {
			var unreadable *UnreadableError
			if _, err := z.Get(t.Context(), id(2)); !errors.As(err, &unreadable) || unreadable.ID != id(2) {
				t.Errorf("got %v", err)
			}
		}
		if _, err := z.Get(t.Context(), id(3)); !errors.Is(err, ErrNotFound) {
			t.Errorf("another record that is not there: %v", err)
		}
	})
}

// oddRead is the fake with an odd record that lists lack.
type oddRead struct{ *fake }

func (o *oddRead) GetRecord(ctx context.Context, zone, record string, out any) error {
	if record == id(2) {
		return json.Unmarshal([]byte(oddRecords()["TTLIsAText"].json), out)
	}
	return o.fake.GetRecord(ctx, zone, record, out)
}

// TestLostCreationThatIsListedOddly loses the answer to a creation, and its record cannot
// be read. The creation may have been carried out.
func TestLostCreationThatIsListedOddly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "www", "192.0.2.1"))
		f.hook(f.before, "create", func(context.Context) error { return errLost })
		z := NewPool(Options{}).Zone(&odd{f, oddRecords()["TTLIsAText"].json}, testZone)
		var unsettled *OutcomeUnknownError
		if _, err := z.Apply(t.Context(), Create(wantA(t, "odd", "192.0.2.2"))); !errors.As(err, &unsettled) {
			t.Errorf("got %v, want an error that leaves it open", err)
		}
	})
}

// TestGoodRecordsAmongOddOnes lists records in any order, some of them odd, and then
// again with other records odd.
func TestGoodRecordsAmongOddOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		known := newSnapshot(nil)
		for range rapid.IntRange(1, 3).Draw(t, "lists") {
			d := decoder{known: known}
			broken := map[string]bool{}
			var items []json.RawMessage
			for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, 20), 1, 15, rapid.ID).Draw(t, "records") {
				raw := json.RawMessage(wireRecord(n))
				if broken[wireID(n)] = rapid.Bool().Draw(t, "broken"); broken[wireID(n)] {
					raw = json.RawMessage(strings.Replace(string(raw), `"ttl":`, `"ttl":[],"was":`, 1))
				}
				items = append(items, raw)
			}
			d.add(items)
			s := d.snapshot()
			v := newView()
			v.rebase(s, 1, time.Time{})
			if v.len() != len(items) {
				t.Fatalf("%d records, want %d", v.len(), len(items))
			}
			for id, is := range broken {
				e, ok, _ := v.get(id)
				if why := v.unreadable(id); ok == is || (why != nil) != is {
					t.Errorf("%s, broken %t: found %t, unreadable %v", id, is, ok, why)
				}
				if ok && len(v.find(e.nameType())) == 0 {
					t.Errorf("%s is not found by its name", id)
				}
			}
			known = s
		}
	})
}
