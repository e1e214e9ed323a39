// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"crypto/sha256"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// A sum stands for the bytes of a record's JSON: 128 bits of their SHA-256. Two records
// with one sum are taken for the same. By chance that happens once in 2^128 comparisons.
// No other text with the sum of a given one can be made on purpose.
type sum [16]byte

func sumOf(b []byte) sum {
	all := sha256.Sum256(b)
	return sum(all[:])
}

// A row is what a snapshot keeps of a live record: about 200 bytes for a plain one. It is
// immutable, and shared by the snapshots that hold the same record.
type row struct {
	// sum is the sum of the JSON that the row was made from.
	sum sum
	// These are parts of one string.
	id, name, typ, content string
	ttl                    dnsrecord.Integer
	// Both are in microseconds since 1970, the precision of the API.
	created, modified  int64
	comment            *string
	extra              *extra // nil for most records
	proxiable, proxied bool
	settings           dnsrecord.Settings
}

// extra holds the fields that few records have.
type extra struct {
	data     dnsrecord.Data
	priority any
	meta     dnsrecord.Meta
	tags     []string
	// record is the canonical form, if it costs much to make again or its name is not the
	// live one.
	record *dnsrecord.Record
	// unreadable is why the record cannot be read, nil if it can be read. The row of an
	// unreadable record has at most an ID, a name and a type.
	unreadable error
}

// newRow keeps all of l that has a meaning. Settings that are all off, empty data and
// tags, and meta that names no owner mean the same as their absence.
func newRow(l *dnsrecord.Live) *row {
	all := l.ID + l.Name + l.Type + l.Content
	cut := func(n int) (part string) {
		part, all = all[:n], all[n:]
		return part
	}
	r := &row{
		id: cut(len(l.ID)), name: cut(len(l.Name)), typ: cut(len(l.Type)), content: cut(len(l.Content)),
		ttl: l.TTL, created: l.CreatedOn.UnixMicro(), modified: l.ModifiedOn.UnixMicro(),
		comment: l.Comment, proxiable: l.Proxiable, proxied: l.Proxied,
	}
	if l.Settings != nil {
		r.settings = *l.Settings
	}
	r.extra = extraOf(l)
	if canonical := dnsrecord.FromLive(r.live()); canonical.Data != nil || canonical.Name != r.name {
		if r.extra == nil {
			r.extra = &extra{}
		}
		r.extra.share(canonical, r.content)
	}
	return r
}

// extraOf returns the extra of l, nil if l has no such fields.
func extraOf(l *dnsrecord.Live) *extra {
	x := &extra{priority: l.Priority}
	if len(l.Data) > 0 {
		x.data = l.Data
	}
	if len(l.Tags) > 0 {
		x.tags = l.Tags
	}
	if _, foreign := l.Foreign(); foreign {
		x.meta = l.Meta
	}
	if x.priority == nil && x.data == nil && x.tags == nil && x.meta == nil {
		return nil
	}
	return x
}

// share keeps the canonical form of a record, and keeps only one copy of what is the same
// in both forms.
func (x *extra) share(canonical dnsrecord.Record, content string) {
	if canonical.Content == content {
		canonical.Content = content
	}
	if sameData(x.data, canonical.Data) {
		x.data = canonical.Data
	}
	x.record = &canonical
}

// sameData reports whether data from JSON equals its canonical form, apart from the types
// of numbers.
func sameData(data, canonical dnsrecord.Data) bool {
	for key, value := range data {
		c := canonical[key]
		if n, ok := c.(int64); ok {
			c = float64(n)
		}
		if c != value {
			return false
		}
	}
	return len(data) == len(canonical)
}

func (r *row) live() dnsrecord.Live {
	l := dnsrecord.Live{
		ID: r.id, Name: r.name, Type: r.typ, Content: r.content, TTL: r.ttl,
		CreatedOn: time.UnixMicro(r.created).UTC(), ModifiedOn: time.UnixMicro(r.modified).UTC(),
		Comment: r.comment, Proxiable: r.proxiable, Proxied: r.proxied,
	}
	if r.settings != (dnsrecord.Settings{}) {
		l.Settings = &r.settings
	}
	if x := r.extra; x != nil {
		l.Data, l.Priority, l.Meta, l.Tags = x.data, x.priority, x.meta, x.tags
	}
	return l
}

func (r *row) entry() Entry {
	l := r.live()
	if r.extra != nil && r.extra.record != nil {
		return Entry{Live: l, Record: *r.extra.record}
	}
	return Entry{Live: l, Record: dnsrecord.FromLive(l)}
}

// nameType returns the name and type of the canonical form.
func (r *row) nameType() nameType {
	if r.extra != nil && r.extra.record != nil {
		return nameType{r.extra.record.Name, r.typ}
	}
	return nameType{r.name, r.typ}
}
