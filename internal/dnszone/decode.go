// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// A decoder turns the pages of one list into a snapshot. A record whose JSON is,
// byte by byte, what it was in the snapshot known is not parsed again, and one
// that says the same in other words takes up no more memory. A record that cannot be
// read does not keep the others from being read.
type decoder struct {
	known *snapshot
	// next is where in known the next record is expected. Lists keep their order, so
	// that this is right but for where records came or went.
	next int
	rows []*row
	// live is the record that is being parsed.
	live dnsrecord.Live
}

func (d *decoder) add(page []json.RawMessage) {
	d.rows = slices.Grow(d.rows, len(page))
	for _, raw := range page {
		d.rows = append(d.rows, d.decode(raw))
	}
}

func (d *decoder) decode(raw []byte) *row {
	s := sumOf(raw)
	if d.next < len(d.known.rows) && d.known.rows[d.next].sum == s {
		d.next++
		return d.known.rows[d.next-1]
	}
	r := d.parse(raw)
	r.sum = s
	i, ok := d.known.index(r.id)
	if !ok {
		return r
	}
	d.next = i + 1
	old := d.known.rows[i]
	readable := old.unreadable() == nil && r.unreadable() == nil
	switch {
	case old.sum == s:
		return old
	case readable && reflect.DeepEqual(old.live(), r.live()):
		again := *old
		again.sum = s
		return &again
	}
	return r
}

func (d *decoder) parse(raw []byte) *row {
	d.live = dnsrecord.Live{}
	if err := decodeLive(raw, &d.live); err != nil {
		return newUnreadableRow(raw, err)
	}
	return newRow(&d.live)
}

// decodeLive reads what can be a record.
func decodeLive(raw []byte, l *dnsrecord.Live) error {
	if err := json.Unmarshal(raw, l); err != nil {
		return err
	}
	return plausible(l)
}

// none is why a list proves nothing: its records lack an ID, and none of them can be
// read. A record is then less likely to be odd than the whole answer.
func (d *decoder) none() error {
	var why error
	for _, r := range d.rows {
		switch {
		case r.unreadable() == nil:
			return nil
		case r.id == "" && why == nil:
			why = fmt.Errorf("cannot decode any DNS record: %w", r.extra.unreadable)
		}
	}
	return why
}

const (
	idLength    = 32
	longestName = 1024
	longestType = 64
)

// longestText is longer than any text of a record: its rdata have 65,535 bytes at
// most, and their presentation in base64 a third more.
const longestText = 128 << 10

// errImplausible says of a record that the API cannot have meant it so: it would be
// found by no ID or name, or not fit into the status of an object.
var errImplausible = errors.New("it has no ID, name or type of the API's form, or texts longer than any record's")

// plausible is nil for what can be a record.
func plausible(l *dnsrecord.Live) error {
	long := len(l.Content) > longestText || len(deref(l.Comment)) > longestText
	for _, v := range l.Data {
		s, _ := v.(string)
		long = long || len(s) > longestText
	}
	for _, tag := range l.Tags {
		long = long || len(tag) > longestText/128
	}
	if long || !cloudflare.ValidID(l.ID) || l.Name == "" || len(l.Name) > longestName || l.Type == "" || len(l.Type) > longestType {
		return errImplausible
	}
	return nil
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// snapshot of all pages: known itself, where nothing has changed.
func (d *decoder) snapshot() *snapshot {
	if slices.Equal(d.rows, d.known.rows) {
		return d.known
	}
	return newSnapshot(d.rows)
}
