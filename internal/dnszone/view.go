// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// nameType is what records are looked up by beside their ID.
type nameType struct{ name, typ string }

func (e Entry) nameType() nameType { return nameType{e.Record.Name, e.Record.Type} }

// A snapshot is the outcome of one list. It is immutable.
type snapshot struct {
	byID   map[string]Entry
	byName map[nameType][]string
}

func newSnapshot(live []dnsrecord.Live) *snapshot {
	s := &snapshot{byID: make(map[string]Entry, len(live)), byName: make(map[nameType][]string, len(live))}
	for _, l := range live {
		// A record that moved to the next page meanwhile is listed twice: the later
		// is the newer.
		s.byID[l.ID] = newEntry(l)
	}
	for id, e := range s.byID {
		s.byName[e.nameType()] = append(s.byName[e.nameType()], id)
	}
	return s
}

// A change is a record that this process wrote or read by itself since the
// snapshot's list began.
type change struct {
	entry Entry
	gone  bool
	// at is the logical time of the change.
	at uint64
}

// A view is a snapshot under the changes made since its list began. It is not
// safe for concurrent use.
type view struct {
	base    *snapshot
	changes map[string]change
}

func newView() view { return view{base: newSnapshot(nil), changes: map[string]change{}} }

// get gives the record of that ID. gone is true where it is known to be deleted,
// rather than just not known.
func (v *view) get(id string) (e Entry, ok, gone bool) {
	if c, changed := v.changes[id]; changed {
		return c.entry, !c.gone, c.gone
	}
	e, ok = v.base.byID[id]
	return e, ok, false
}

// find gives the records of that name and type, by ID.
func (v *view) find(nt nameType) []Entry {
	var out []Entry
	for _, id := range v.base.byName[nt] {
		if _, changed := v.changes[id]; !changed {
			out = append(out, v.base.byID[id])
		}
	}
	for _, c := range v.changes {
		if !c.gone && c.entry.nameType() == nt {
			out = append(out, c.entry)
		}
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Live.ID, b.Live.ID) })
	return out
}

func (v *view) put(e Entry, at uint64)    { v.changes[e.Live.ID] = change{entry: e, at: at} }
func (v *view) drop(id string, at uint64) { v.changes[id] = change{gone: true, at: at} }

// rebase puts a new snapshot, of a list that began at the logical time begun,
// under the changes it cannot have seen, and gives the IDs of the records that
// are not what the view held before, in no order.
func (v *view) rebase(s *snapshot, begun uint64) []string {
	before := *v
	kept := maps.Clone(v.changes)
	maps.DeleteFunc(kept, func(_ string, c change) bool { return c.at < begun })
	v.base, v.changes = s, kept

	var differ []string
	for id := range v.ids() {
		now, _, _ := v.get(id)
		if old, ok, _ := before.get(id); !ok || !reflect.DeepEqual(old.Live, now.Live) {
			differ = append(differ, id)
		}
	}
	for id := range before.ids() {
		if _, still, _ := v.get(id); !still {
			differ = append(differ, id)
		}
	}
	return differ
}

// ids gives the IDs of the records the view holds.
func (v *view) ids() iter.Seq[string] {
	return func(yield func(string) bool) {
		for id := range v.base.byID {
			if _, changed := v.changes[id]; !changed && !yield(id) {
				return
			}
		}
		for id, c := range v.changes {
			if !c.gone && !yield(id) {
				return
			}
		}
	}
}
