// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone/ownership"
)

// A listedMark is a mark in a snapshot.
type listedMark struct {
	id   string
	mark ownership.Mark
}

// findMarks looks for the marks among the snapshot's TXT records.
func (s *snapshot) findMarks() []listedMark {
	var out []listedMark
	for i := range s.byID {
		r := s.at(i)
		if m, ok := markOf(r.nameType(), r.content); ok {
			out = append(out, listedMark{r.id, m})
		}
	}
	return out
}

func markOf(nt nameType, content string) (ownership.Mark, bool) {
	if nt.typ != "TXT" {
		return ownership.Mark{}, false
	}
	return ownership.Parse(nt.name, dnsrecord.TXTText(content))
}

// Owners returns the controllers that mark a record as their own. It makes no call: it
// looks at the records that the zone is known to have.
func (z *Zone) Owners(e Entry) []ownership.Owner {
	content := e.Record.Content
	if e.Record.Type == "TXT" {
		content = dnsrecord.TXTText(e.Live.Content)
	}
	return z.ownership().Owners(e.Record.Name, e.Record.Type, content)
}

// ownership returns the marks of the zone, and the types of its other records.
func (z *Zone) ownership() ownership.Zone {
	z.snapshot().marks() // The marks are found before the lock is held.
	z.mu.Lock()
	defer z.mu.Unlock()
	base := z.view.base
	changed := map[string]struct{}{} // of the records that the list shows: thousands may be known to be deleted
	marks := make([]ownership.Mark, 0, len(base.marks()))
	types := map[string][]string{}
	for id, c := range z.view.changes {
		if _, listed := base.index(id); listed {
			changed[id] = struct{}{}
		}
		if c.Gone {
			continue
		}
		nt := c.Row.nameType()
		m, ok := markOf(nt, c.Row.Live.Content)
		if ok {
			marks = append(marks, m)
		}
		if !ok || m.Sealed { // A sealed mark may as well be any other text.
			types[nt.name] = append(types[nt.name], nt.typ)
		}
	}
	for _, m := range base.marks() {
		if _, ok := changed[m.id]; !ok {
			marks = append(marks, m.mark)
		}
	}
	return ownership.Zone{Marks: marks, Types: func(name string) []string {
		return append(base.types(name, changed), types[name]...)
	}}
}

// types returns the types of the records of that name, without marks that can be read,
// and without the records left out by ID.
func (s *snapshot) types(name string, without map[string]struct{}) []string {
	var out []string
	at, _ := slices.BinarySearchFunc(s.byName, name, func(i uint32, name string) int {
		return strings.Compare(s.rows[i].nameType().name, name)
	})
	for ; at < len(s.byName); at++ {
		r := s.rows[s.byName[at]]
		nt := r.nameType()
		if nt.name != name {
			break
		}
		_, left := without[r.id]
		m, mark := markOf(nt, r.content)
		if !left && (!mark || m.Sealed) && !slices.Contains(out, nt.typ) {
			out = append(out, nt.typ)
		}
	}
	return out
}
