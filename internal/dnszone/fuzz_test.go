// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// wirePages returns pages of records as the API returns them, and pages that are almost
// so.
func wirePages() []string {
	const (
		base = `"id":"372e67954025e0ba6aaa6d586b9e0b59","name":"www.example.com","ttl":1,"modified_on":"2026-01-01T00:00:00.123456Z"`
		a    = `{` + base + `,"type":"A","content":"192.0.2.1","proxied":true,"proxiable":true,"settings":{"flatten_cname":false},"meta":{},"comment":null,"tags":["a:b"]}`
	)
	return []string{
		"[" + a + "]", "[" + a + "," + a + "]", "[]", "null", "[null]", "[{}]", "{}", `[[]]`, `["x"]`, `[` + a,
		`[{` + base + `,"type":"SRV","content":"5 5060 sip.example.com","priority":10,"data":{"priority":10,"weight":5,"port":"5060","target":"sip.example.com"}}]`,
		`[{` + base + `,"type":"LOC","content":"","data":{"lat_degrees":1e400}}]`,
		`[{` + base + `,"type":"TXT","content":"\"\\","meta":{"read_only":true,"email_routing":1}}]`,
		`[{` + base + `,"type":7}]`, `[{` + base + `,"type":"ZONEMD","content":"1","data":{"x":[{}]}}]`,
		`[{"id":"../x","name":"a","type":"A"}]`, `[{"id":"EE2e67954025e0ba6aaa6d586b9e0b59","name":"a","type":"A"}]`,
	}
}

// FuzzList decodes any text as a page of a list. It checks that each record counts.
// Records that can be read can be found again by ID, and by name and type. All records
// are the same the next time.
func FuzzList(f *testing.F) {
	for _, s := range wirePages() {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var page []json.RawMessage
		if json.Unmarshal(body, &page) != nil {
			return
		}
		first := decoder{known: newSnapshot(nil)}
		first.add(page)
		s := first.snapshot()
		v := newView()
		v.base = s
		for _, i := range s.byID {
			r := s.rows[i]
			if why := v.unreadable(r.id); why != nil {
				checkUnreadable(t, &v, r, why)
				continue
			}
			if !cloudflare.ValidID(r.id) || r.name == "" || r.typ == "" || len(r.content) > longestText {
				t.Errorf("%+v is in the snapshot", r)
			}
			e, ok, _ := v.get(r.id)
			if !ok || len(dnsrecord.Diff(e.Record, e.Record)) > 0 {
				t.Errorf("%s is not found, or differs from itself", r.id)
			}
			if len(v.find(r.nameType())) == 0 {
				t.Errorf("%s is not found by %+v", r.id, r.nameType())
			}
		}
		again := decoder{known: s}
		again.add(page)
		if ids := differ(s, again.snapshot()); len(ids) > 0 {
			t.Errorf("the same page again is drift of %v", ids)
		}
	})
}

// FuzzOddRecord lists any text beside well-formed records. It checks that these are
// found, and that no question finds what cannot be read of the text.
func FuzzOddRecord(f *testing.F) {
	for _, s := range wirePages() {
		f.Add([]byte(s[1 : len(s)-1]))
	}
	for _, s := range oddRecords() {
		f.Add([]byte(s.json))
	}
	f.Fuzz(func(t *testing.T, odd []byte) {
		if !json.Valid(odd) {
			return
		}
		good := wireRecords(3)
		d := decoder{known: newSnapshot(nil)}
		d.add([]json.RawMessage{good[0], odd, good[1], odd, good[2]})
		v := newView()
		v.rebase(d.snapshot(), 1, time.Time{})
		if d.none() != nil || v.len() != 4 {
			t.Errorf("there are %d records, want 4, of which the list shows one twice", v.len())
		}
		for i := range good {
			e, ok, _ := v.get(wireID(i))
			if !ok || len(v.find(e.nameType())) == 0 {
				t.Errorf("record %d is not found", i)
			}
		}
		for _, i := range v.base.unreadable {
			checkUnreadable(t, &v, v.base.rows[i], v.base.rows[i].unreadable())
		}
	})
}

func checkUnreadable(t *testing.T, v *view, r *row, why error) {
	t.Helper()
	if (r.id != "" && !cloudflare.ValidID(r.id)) || len(r.name) > longestName || len(r.typ) > longestType || len(why.Error()) > 2000 {
		t.Errorf("%+v cannot be read: %v", r, why)
	}
	if _, ok, _ := v.get(r.id); ok {
		t.Errorf("%s is found: %v", r.id, why)
	}
	if v.unreadableOf(r.nameType()) == nil {
		t.Errorf("that %+v does not exist is taken for proven: %v", r.nameType(), why)
	}
}

// FuzzBatchAnswer reads any text as the answer to a batch. It checks that the answer fits
// only if it shows each operation, and that an answer that fits can be used.
func FuzzBatchAnswer(f *testing.F) {
	record := `{"id":"372e67954025e0ba6aaa6d586b9e0b59","name":"www.example.com","type":"A","content":"192.0.2.1","ttl":1}`
	for _, s := range []string{
		`{"deletes":[{}],"patches":[` + record + `],"posts":[` + record + `]}`, `{"deletes":[{}],"patches":[{}],"posts":[{}]}`,
		`{"deletes":null,"patches":[` + record + `],"posts":[]}`, `{}`, `null`, `{"posts":[` + record + `,` + record + `]}`, `{"posts":{}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var answer batchAnswer
		if json.Unmarshal(body, &answer) != nil {
			return
		}
		live := newEntry(dnsrecord.Live{ID: "372e67954025e0ba6aaa6d586b9e0b59", Name: "www.example.com", Type: "A", Content: "192.0.2.9", TTL: 1})
		group := []Op{Delete(live), Update(live, wantA(t, "www", "192.0.2.1")), Create(wantA(t, "www", "192.0.2.1"))}
		z := NewPool(Options{}).Zone(newFake(), "z")
		if !z.fits(answer, group) {
			return
		}
		for i, o := range z.landed(group, answer) {
			if o.err != nil || !cloudflare.ValidID(o.entry.Live.ID) || o.entry.Record.Type != "A" {
				t.Errorf("operation %d came to %+v", i, o)
			}
		}
	})
}
