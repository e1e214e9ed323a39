// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"encoding/json"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// wirePages are pages of records as the API gives them, and almost so.
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

// FuzzList decodes anything as a page of a list. What comes into a snapshot can be
// found again by its ID, and by its name and type, and is the same the next time.
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
		if first.add(page) != nil {
			return
		}
		s := first.snapshot()
		v := newView()
		v.base = s
		for _, i := range s.byID {
			r := s.rows[i]
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
		if err := again.add(page); err != nil {
			t.Fatalf("the same page cannot be read again: %v", err)
		}
		if ids := differ(s, again.snapshot()); len(ids) > 0 {
			t.Errorf("the same page again is drift of %v", ids)
		}
	})
}

// FuzzBatchAnswer reads anything as the answer to a batch. It fits only if it tells
// of each operation, and then nothing goes wrong with what it tells.
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
		z := newZone("z", newFake(), NewPool(Options{}), &lane{})
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
