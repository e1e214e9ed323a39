// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// An UnreadableError says that the API has a record in a form that cannot be read. Only
// the existence of the record is known.
type UnreadableError struct {
	// ID is the ID of the record, "" if it shows none.
	ID string
	// Cause says what is wrong with its form.
	Cause error
}

// maxCause is how much of a cause the error repeats, in characters.
const maxCause = 200

func (e *UnreadableError) Error() string {
	what := "DNS record " + e.ID
	if e.ID == "" {
		what = "a DNS record without an ID"
	}
	return fmt.Sprintf("the Cloudflare API has %s in a form that cannot be read: %.*s", what, maxCause, e.Cause)
}

// Unwrap returns the cause.
func (e *UnreadableError) Unwrap() error { return e.Cause }

// newUnreadableRow keeps what can be read of a record that cannot be read as a whole.
// Each of its ID, name and type may be "".
func newUnreadableRow(raw []byte, cause error) *row {
	var members struct{ ID, Name, Type json.RawMessage }
	_ = json.Unmarshal(raw, &members) // A value that is not an object has no members.
	text := func(raw json.RawMessage, longest int) string {
		var s string
		if json.Unmarshal(raw, &s) != nil || len(s) > longest {
			return ""
		}
		return strings.Clone(s)
	}
	r := &row{id: text(members.ID, idLength), typ: text(members.Type, longestType), extra: &extra{unreadable: cause}}
	if name := text(members.Name, longestName); name != "" {
		r.name = dnsrecord.FromLive(dnsrecord.Live{Name: name}).Name
	}
	if !cloudflare.ValidID(r.id) {
		r.id = ""
	}
	return r
}

// unreadable returns an *UnreadableError, or nil for a record that can be read.
func (r *row) unreadable() error {
	if r.extra == nil || r.extra.unreadable == nil {
		return nil
	}
	return &UnreadableError{ID: r.id, Cause: r.extra.unreadable}
}

// mayBe reports whether a record that cannot be read may have that name and type, or that
// name with the zone's name appended.
func (r *row) mayBe(nt nameType) bool {
	name := r.name == "" || r.name == nt.name || strings.HasPrefix(r.name, nt.name+".")
	return name && (r.typ == "" || r.typ == nt.typ)
}

// unreadable returns nil unless the record of that ID cannot be read.
func (v *view) unreadable(id string) error {
	i, listed := v.base.index(id)
	if _, changed := v.changes[id]; changed || !listed {
		return nil
	}
	return v.base.rows[i].unreadable()
}

// unreadableOf returns nil unless a record that cannot be read may have that name and
// type. If it returns an error, the absence of other such records does not prove that
// there is none.
func (v *view) unreadableOf(nt nameType) error {
	for _, i := range v.base.unreadable {
		r := v.base.rows[i]
		if _, changed := v.changes[r.id]; !changed && r.mayBe(nt) {
			return r.unreadable()
		}
	}
	return nil
}

// unreadableOf is view.unreadableOf under the lock.
func (z *Zone) unreadableOf(nt nameType) error {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.view.unreadableOf(nt)
}
