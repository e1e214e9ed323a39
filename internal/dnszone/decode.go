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

// A decoder turns the pages of one list into a snapshot. A record whose JSON has the same
// bytes as in the snapshot known is not parsed again. A record that says the same in
// other bytes takes up no more memory. A record that cannot be read does not keep the
// others from being read.
type decoder struct {
	known *snapshot
	// next is the index in known at which the next record is expected. Lists keep their
	// order, so it is right except after records that came or went.
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

// decodeLive decodes raw. It returns an error if the result cannot be a record.
func decodeLive(raw []byte, l *dnsrecord.Live) error {
	if err := json.Unmarshal(raw, l); err != nil {
		return err
	}
	return plausible(l)
}

// none returns why a list proves nothing: no record of it can be read, and at least one
// shows no ID. It is then more likely that the whole answer is wrong than that a record
// is odd.
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

// longestText is longer than any text of a record: rdata have 65,535 bytes at most, and
// their presentation in base64 a third more.
const longestText = 128 << 10

// errImplausible says that the API cannot have meant a record so: no ID or name would
// find it, or it would not fit into the status of an object.
var errImplausible = errors.New("it has no ID, name or type of the API's form, or texts longer than any record's")

// plausible returns nil if l can be a record.
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

// snapshot returns the snapshot of all pages. It is known itself if nothing has changed.
func (d *decoder) snapshot() *snapshot {
	if slices.Equal(d.rows, d.known.rows) {
		return d.known
	}
	return newSnapshot(d.rows)
}
