// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// A change is a record that this process wrote or read by itself since the snapshot's list
// began.
type change = parent.OverlayEntry[Entry]

// sight returns what the list shows of the record of that ID, by the times of modification.
func (s *snapshot) sight(id string, c change) parent.Ordering {
	i, listed := s.index(id)
	switch {
	case !listed:
		return parent.Missing
	case c.Gone:
		return parent.Unordered
	case s.rows[i].unreadable() != nil:
		return parent.Missing
	}
	switch shown, ours := s.rows[i].modified, c.Row.Live.ModifiedOn.UnixMicro(); {
	case shown < ours:
		return parent.Older
	case shown > ours:
		return parent.Newer
	}
	return parent.Unordered
}

// A view is a snapshot, overlaid with the changes made since its list began. It is not safe for
// concurrent use.
type view struct {
	base    *snapshot
	changes parent.Overlay[Entry]
	// named are the IDs of changes, by the name and type that the record has or had before a
	// later change.
	named map[nameType][]string
	// common is the name that all records are at or below.
	common commonName
	// begun is the logical time at which base's list began.
	begun uint64
}

func newView() view {
	return view{base: newSnapshot(nil), changes: parent.Overlay[Entry]{}, named: map[nameType][]string{}}
}

// get returns the record of that ID. gone is true if the record is known to be deleted. It is
// false for a record that is not known, not readable or disputed.
func (v *view) get(id string) (e Entry, ok, gone bool) {
	if c, changed := v.changes[id]; changed {
		return c.Row, !c.Gone, c.Gone && !v.disputed(id)
	}
	if i, listed := v.base.index(id); listed && v.base.rows[i].unreadable() == nil {
		return v.base.rows[i].entry(), true, false
	}
	return Entry{}, false, false
}

// disputed reports whether a GET did not find a record that a list which began later shows. One
// of the two answers came from a copy that is behind.
func (v *view) disputed(id string) bool {
	c := v.changes[id]
	_, listed := v.base.index(id)
	return c.Gone && !c.Written && listed && c.At.Logical < v.begun
}

// live returns the record of that ID as the API returned it.
func (v *view) live(id string) (l dnsrecord.Live, ok bool) {
	if c, changed := v.changes[id]; changed {
		return c.Row.Live, !c.Gone
	}
	if i, listed := v.base.index(id); listed {
		return v.base.rows[i].live(), true
	}
	return dnsrecord.Live{}, false
}

// find returns the records of that name and type, by ID.
func (v *view) find(nt nameType) []Entry {
	var out []Entry
	for _, i := range v.base.named(nt) {
		if _, changed := v.changes[v.base.rows[i].id]; !changed {
			out = append(out, v.base.rows[i].entry())
		}
	}
	for _, id := range v.named[nt] {
		if c := v.changes[id]; !c.Gone && c.Row.nameType() == nt {
			out = append(out, c.Row)
		}
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Live.ID, b.Live.ID) })
	return out
}

func (v *view) change(id string, c change) {
	v.changes[id] = c
	if c.Gone {
		return
	}
	nt := c.Row.nameType()
	v.common.add(nt.name)
	if !slices.Contains(v.named[nt], id) {
		v.named[nt] = append(v.named[nt], id)
	}
}

// rebase replaces the snapshot with s, whose list began at the logical time begun. It keeps
// each change that the list must not undo. It returns the IDs of the records that are not what
// the view held before, in no order.
func (v *view) rebase(s *snapshot, begun uint64, began time.Time) []string {
	before := *v
	*v = newView()
	v.base, v.common, v.begun = s, s.common, begun
	kept, released := before.changes.Survivors(parent.Moment{Logical: begun, Wall: began}, s.sight)
	for id, c := range kept {
		v.change(id, c)
	}
	changed := before.changes.Uncovered(differ(before.base, s))
	for _, id := range released {
		old, was := before.live(id)
		now, is := v.live(id)
		if was != is || (is && !reflect.DeepEqual(old, now)) {
			changed = append(changed, id)
		}
	}
	return changed
}

// len returns how many records the newest list showed.
func (v *view) len() int { return v.base.len() }

// beginning returns the records of that type whose names begin with name and a dot, by ID.
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
		if !c.Gone && fits(c.Row.nameType()) {
			out = append(out, c.Row)
		}
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Live.ID, b.Live.ID) })
	return out
}
