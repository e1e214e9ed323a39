// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// genLive draws one of a few records, so that they often collide. It is decoded from
// JSON.
func genLive() *rapid.Generator[dnsrecord.Live] {
	return rapid.Custom(func(t *rapid.T) dnsrecord.Live {
		one := func(what string, of ...string) string { return rapid.SampledFrom(of).Draw(t, what) }
		fields := map[string]string{
			"id":       strconv.Quote(id(rapid.IntRange(1, 6).Draw(t, "id"))),
			"name":     one("name", `"x.example.com"`, `"y.example.com"`, `"X.Example.com."`, `"é.example.com"`),
			"ttl":      one("ttl", "1", "300"),
			"proxied":  one("proxied", "true", "false"),
			"settings": one("settings", "null", "{}", `{"flatten_cname":false}`, `{"ipv4_only":true}`),
			"meta":     one("meta", "null", "{}", `{"auto_added":true}`, `{"email_routing":true}`, `{"tunnel":{"id":"1"}}`),
			"comment":  one("comment", "null", `""`, `"c"`),
			"tags":     one("tags", "null", "[]", `["b","A:1"]`),
			// This is the same time in another zone, and a microsecond later.
			"modified_on": one("modified", `"2026-01-01T00:00:00Z"`, `"2026-01-01T01:00:00+01:00"`, `"2026-01-01T00:00:00.000001Z"`),
		}
		if rapid.Bool().Draw(t, "created") {
			fields["created_on"] = `"2025-01-01T00:00:00.5Z"`
		}
		genWireRdata(t, fields)
		var raw []byte
		for key, value := range fields {
			raw = append(raw, fmt.Sprintf(",%q:%s", key, value)...)
		}
		return parseLive(t, append(append([]byte("{"), raw[1:]...), '}'))
	})
}

func genWireRdata(t *rapid.T, fields map[string]string) {
	rdata := rapid.SampledFrom([]map[string]string{
		{"type": `"A"`, "content": `"192.0.2.1"`},
		{"type": `"A"`, "content": `"192.0.2.2"`, "proxiable": "true"},
		{"type": `"AAAA"`, "content": `"2001:DB8:0::1"`},
		{"type": `"TXT"`, "content": `"not quoted"`},
		{"type": `"MX"`, "content": `"Mail.example.net."`, "priority": "10"},
		{"type": `"MX"`, "content": `"mail.example.net"`, "data": `{"priority":10}`},
		{"type": `"SRV"`, "content": `"5 5060 sip.example.net"`, "priority": "1", "data": `{"priority":1,"weight":5,"port":5060,"target":"sip.example.net"}`},
		{"type": `"SRV"`, "content": `"5 5060 sip.example.net"`, "data": `{"priority":"1","weight":"5","port":5060,"target":"Sip.example.net."}`},
		{"type": `"URI"`, "content": `"5 \"https://example.net\""`, "priority": "1", "data": `{"weight":5,"target":"https://example.net"}`},
		{"type": `"CAA"`, "content": `"0 issue \"ca.example\""`},
		{"type": `"NEW"`, "content": `"x"`, "data": `{"n":1,"yes":true,"list":[1],"no":null}`},
		{"type": `"NEW"`, "content": `"x"`, "data": `{}`},
	}).Draw(t, "rdata")
	maps.Copy(fields, rdata)
}

func parseLive(t interface{ Fatalf(string, ...any) }, raw []byte) (l dnsrecord.Live) {
	if err := json.Unmarshal(raw, &l); err != nil {
		t.Fatalf("cannot parse %s: %v", raw, err)
	}
	return l
}

// checkSame compares the answers to every question that a view can answer.
func checkSame(t *rapid.T, v *view, plain *plainView) {
	entry := func(e Entry, want dnsrecord.Live) {
		if !sameLive(e.Live, want) {
			t.Fatalf("got %+v, want %+v", e.Live, want)
		}
		if !reflect.DeepEqual(e.Record, canonical(want)) {
			t.Fatalf("canonical record (-want +got):\n%s", cmp.Diff(canonical(want), e.Record))
		}
	}
	for n := range 8 { // That is more than there are.
		id := id(n)
		e, ok, gone := v.get(id)
		want, wantOK, wantGone := plain.get(id)
		if ok != wantOK || gone != wantGone {
			t.Fatalf("get %s: there %t, gone %t, want %t, %t", id, ok, gone, wantOK, wantGone)
		}
		if ok {
			entry(e, want)
		}
	}
	named := plain.byName()
	for _, name := range []string{"x.example.com", "y.example.com", "xn--9ca.example.com", "X.Example.com."} {
		for _, typ := range []string{"A", "AAAA", "TXT", "MX", "SRV", "URI", "CAA", "NEW"} {
			found, want := v.find(nameType{name, typ}), named[nameType{name, typ}]
			if len(found) != len(want) {
				t.Fatalf("find %s %s: %d records, want %d", name, typ, len(found), len(want))
			}
			for i := range found {
				entry(found[i], want[i])
			}
		}
	}
	if v.len() != len(plain.base) {
		t.Fatalf("the list had %d records, want %d", v.len(), len(plain.base))
	}
}

func TestViewAnswersAsAPlainOneWould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, plain := newView(), plainView{base: map[string]dnsrecord.Live{}, changes: map[string]plainChange{}}
		clock, now := uint64(0), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		var list []dnsrecord.Live
		note := func(t *rapid.T, c plainChange) {
			clock++
			now = now.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "seconds")) * time.Second)
			if rapid.IntRange(0, 9).Draw(t, "much later") == 0 {
				now = now.Add(parent.GoneKept)
			}
			c.at, c.when = clock, now
			plain.changes[c.live.ID] = c
			own := change{Gone: c.gone, Written: c.written, At: parent.Moment{Logical: clock, Wall: now}}
			if !c.gone {
				own.Row = newEntry(c.live)
			}
			v.change(c.live.ID, own)
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				note(t, plainChange{live: genLive().Draw(t, "record"), written: rapid.Bool().Draw(t, "written")})
			},
			"drop": func(t *rapid.T) {
				note(t, plainChange{live: genLive().Draw(t, "record"), gone: true, written: rapid.Bool().Draw(t, "deleted")})
			},
			"list": func(t *rapid.T) {
				clock++
				list = genList(t, list)
				begun := rapid.Uint64Range(0, clock).Draw(t, "begun")
				began := now.Add(time.Duration(rapid.IntRange(-3, 8).Draw(t, "began")) * time.Second)
				got := v.rebase(listWire(t, v.base, list), begun, began)
				slices.Sort(got)
				if want := plain.rebase(list, begun, began); !slices.Equal(got, want) {
					t.Fatalf("the list changed %v, want %v", got, want)
				}
			},
			"": func(t *rapid.T) { checkSame(t, &v, &plain) },
		})
	})
}

// genList draws the list that follows another one: some records are the same, some are
// not, in any order.
func genList(t *rapid.T, before []dnsrecord.Live) []dnsrecord.Live {
	var list []dnsrecord.Live
	for _, l := range before {
		switch rapid.IntRange(0, 5).Draw(t, "again") {
		case 0:
		case 1:
			list = append(list, sayAgain(t, l))
		default:
			list = append(list, l)
		}
	}
	list = append(list, rapid.SliceOfN(genLive(), 0, 3).Draw(t, "new")...)
	if rapid.Bool().Draw(t, "shuffle") {
		list = rapid.Permutation(list).Draw(t, "order")
	}
	return list
}

// sayAgain returns the same record with or without something that has no meaning.
func sayAgain(t *rapid.T, l dnsrecord.Live) dnsrecord.Live {
	if len(l.Data) == 0 {
		l.Data = rapid.SampledFrom([]dnsrecord.Data{nil, {}}).Draw(t, "data")
	}
	if len(l.Tags) == 0 {
		l.Tags = rapid.SampledFrom([][]string{nil, {}}).Draw(t, "tags")
	}
	if l.Settings == nil || *l.Settings == (dnsrecord.Settings{}) {
		l.Settings = rapid.SampledFrom([]*dnsrecord.Settings{nil, {}}).Draw(t, "settings")
	}
	if _, foreign := l.Foreign(); !foreign {
		l.Meta = rapid.SampledFrom([]dnsrecord.Meta{nil, {}, {"auto_added": true}, {"spectrum": false}}).Draw(t, "meta")
	}
	return l
}

// listWire decodes list in pages of three. Each record has the members in the order of
// Go's fields or of a map.
func listWire(t *rapid.T, known *snapshot, list []dnsrecord.Live) *snapshot {
	d := decoder{known: known}
	for page := range slices.Chunk(list, 3) {
		var items []json.RawMessage
		for _, l := range page {
			raw, err := json.Marshal(l)
			if err != nil {
				t.Fatal(err)
			}
			if rapid.IntRange(0, 3).Draw(t, "other words") == 0 {
				raw = otherWords(t, raw)
			}
			items = append(items, raw)
		}
		d.add(items)
	}
	s := d.snapshot()
	if len(s.unreadable) > 0 {
		t.Fatalf("%v", s.rows[s.unreadable[0]].unreadable())
	}
	return s
}

func TestTimesAreKeptToTheMicrosecond(t *testing.T) {
	for _, s := range []string{"0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z", "2026-02-03T04:05:06.123456Z", "9999-12-31T23:59:59.999999Z"} {
		want, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		l := newEntry(dnsrecord.Live{CreatedOn: want, ModifiedOn: want}).Live
		if !l.CreatedOn.Equal(want) || !l.ModifiedOn.Equal(want) || l.CreatedOn.IsZero() != want.IsZero() {
			t.Errorf("%s became %v and %v", s, l.CreatedOn, l.ModifiedOn)
		}
	}
}
