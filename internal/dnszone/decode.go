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
// that says the same in other words takes up no more memory.
type decoder struct {
	known *snapshot
	// next is where in known the next record is expected. Lists keep their order, so
	// that this is right but for where records came or went.
	next int
	rows []*row
	// live is the record that is being parsed.
	live dnsrecord.Live
}

func (d *decoder) add(page []json.RawMessage) error {
	d.rows = slices.Grow(d.rows, len(page))
	for _, raw := range page {
		r, err := d.decode(raw)
		if err != nil {
			return fmt.Errorf("cannot decode a DNS record: %w", err)
		}
		d.rows = append(d.rows, r)
	}
	return nil
}

func (d *decoder) decode(raw []byte) (*row, error) {
	s := sumOf(raw)
	if d.next < len(d.known.rows) && d.known.rows[d.next].sum == s {
		d.next++
		return d.known.rows[d.next-1], nil
	}
	d.live = dnsrecord.Live{}
	if err := json.Unmarshal(raw, &d.live); err != nil {
		return nil, err
	}
	if err := plausible(&d.live); err != nil {
		return nil, err
	}
	r := newRow(&d.live)
	r.sum = s
	i, ok := d.known.index(r.id)
	if !ok {
		return r, nil
	}
	d.next = i + 1
	old := d.known.rows[i]
	switch {
	case old.sum == s:
		return old, nil
	case reflect.DeepEqual(old.live(), r.live()):
		again := *old
		again.sum = s
		return &again, nil
	}
	return r, nil
}

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
	if long || !cloudflare.ValidID(l.ID) || l.Name == "" || len(l.Name) > 1024 || l.Type == "" || len(l.Type) > 64 {
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
