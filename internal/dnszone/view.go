// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// A change is a record that this process wrote or read by itself since the
// snapshot's list began.
type change struct {
	entry Entry
	gone  bool
	// written is true for what this process wrote, rather than read.
	written bool
	// at is the logical time of the change, when the time on the clock.
	at   uint64
	when time.Time
}

// lag is how long after a write of our own a list may miss the record without
// anybody being asked about it: lists may be answered from a copy that is behind.
// What a list misses later is looked at by its ID.
const lag = 5 * time.Second

// goneKept is how long it is remembered that a record is deleted. The object that has
// deleted it looks again, and may wait for that behind thousands: asking for each by its
// ID would cost more calls than the deletions did.
const goneKept = time.Hour

// outlives reports whether a list that began after the change is older than it
// all the same, as far as the record of that ID goes. Such a list must not undo
// what is known.
func (c change) outlives(id string, s *snapshot, began time.Time) bool {
	age := began.Sub(c.when)
	i, listed := s.index(id)
	switch {
	case c.gone:
		return listed || age <= goneKept // IDs do not come back.
	case listed && s.rows[i].unreadable() == nil:
		return s.rows[i].modified < c.entry.Live.ModifiedOn.UnixMicro()
	}
	return c.written && age <= lag
}

// A view is a snapshot under the changes made since its list began. It is not
// safe for concurrent use.
type view struct {
	base    *snapshot
	changes map[string]change
	// named are the IDs of changes by the name and type they have, or had before
	// another change of the same record.
	named map[nameType][]string
	// common is what the names of all records have in common.
	common commonName
}

func newView() view {
	return view{base: newSnapshot(nil), changes: map[string]change{}, named: map[nameType][]string{}}
}

// get gives the record of that ID. gone is true where it is known to be deleted,
// rather than just not known or not readable.
func (v *view) get(id string) (e Entry, ok, gone bool) {
	if c, changed := v.changes[id]; changed {
		return c.entry, !c.gone, c.gone
	}
	if i, listed := v.base.index(id); listed && v.base.rows[i].unreadable() == nil {
		return v.base.rows[i].entry(), true, false
	}
	return Entry{}, false, false
}

// live gives the record of that ID as the API returned it.
func (v *view) live(id string) (l dnsrecord.Live, ok bool) {
	if c, changed := v.changes[id]; changed {
		return c.entry.Live, !c.gone
	}
	if i, listed := v.base.index(id); listed {
		return v.base.rows[i].live(), true
	}
	return dnsrecord.Live{}, false
}

// find gives the records of that name and type, by ID.
func (v *view) find(nt nameType) []Entry {
	var out []Entry
	for _, i := range v.base.named(nt) {
		if _, changed := v.changes[v.base.rows[i].id]; !changed {
			out = append(out, v.base.rows[i].entry())
		}
	}
	for _, id := range v.named[nt] {
		if c := v.changes[id]; !c.gone && c.entry.nameType() == nt {
			out = append(out, c.entry)
		}
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Live.ID, b.Live.ID) })
	return out
}

func (v *view) change(id string, c change) {
	v.changes[id] = c
	if c.gone {
		return
	}
	nt := c.entry.nameType()
	v.common.add(nt.name)
	if !slices.Contains(v.named[nt], id) {
		v.named[nt] = append(v.named[nt], id)
	}
}

// rebase puts a new snapshot, of a list that began at the logical time begun,
// under the changes it has not seen, and gives the IDs of the records that are
// not what the view held before, in no order.
func (v *view) rebase(s *snapshot, begun uint64, began time.Time) []string {
	before := *v
	*v = newView()
	v.base, v.common = s, s.common
	for id, c := range before.changes {
		if c.at >= begun || c.outlives(id, s, began) {
			v.change(id, c)
		}
	}

	changed := slices.DeleteFunc(differ(before.base, s), func(id string) bool {
		_, hidden := before.changes[id]
		return hidden
	})
	for id := range before.changes {
		if _, kept := v.changes[id]; kept {
			continue
		}
		old, was := before.live(id)
		now, is := v.live(id)
		if was != is || (is && !reflect.DeepEqual(old, now)) {
			changed = append(changed, id)
		}
	}
	return changed
}

// len is how many records the newest list showed.
func (v *view) len() int { return v.base.len() }

// beginning gives the records of that type whose names begin with name and a dot, by
// ID.
func (v *view) beginning(name, typ string) []Entry {
	var out []Entry
	fits := func(nt nameType) bool { return nt.typ == typ && strings.HasPrefix(nt.name, name+".") }
	for _, i := range v.base.byName {
		r := v.base.rows[i]
		if _, changed := v.changes[r.id]; !changed && fits(r.nameType()) {
			out = append(out, r.entry())
		}
	}
	for _, c := range v.changes {
		if !c.gone && fits(c.entry.nameType()) {
			out = append(out, c.entry)
		}
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Live.ID, b.Live.ID) })
	return out
}
