// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// nameType is the key by which records are looked up, other than their ID.
type nameType struct{ name, typ string }

func (e Entry) nameType() nameType { return nameType{e.Record.Name, e.Record.Type} }

func (a nameType) compare(b nameType) int {
	return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.typ, b.typ))
}

// A snapshot is the outcome of one list. It is immutable.
type snapshot struct {
	// rows are in the order of the list.
	rows []*row
	// byID and byName are the index of each record in rows, in the order of IDs, and of
	// names and types. Only records that can be read are in byName.
	byID, byName []uint32
	// marks returns the records by which other controllers mark records as their own. The
	// first call looks for them.
	marks func() []listedMark
	// unreadable are the indices of the records that cannot be read. withoutID is how
	// many of these show no ID.
	unreadable []uint32
	withoutID  int
	// common is the name that all records are at or below.
	common commonName
}

// newSnapshot indexes rows. If a record moved to the next page meanwhile, it is listed
// twice. The later one is the newer, and the only one that can be found.
func newSnapshot(rows []*row) *snapshot {
	s := &snapshot{rows: rows, byID: make([]uint32, 0, len(rows))}
	for i, r := range rows {
		if r.id != "" {
			s.byID = append(s.byID, uint32(i))
		}
	}
	slices.SortFunc(s.byID, func(i, j uint32) int {
		return cmp.Or(strings.Compare(rows[i].id, rows[j].id), cmp.Compare(j, i))
	})
	s.byID = slices.CompactFunc(s.byID, func(i, j uint32) bool { return rows[i].id == rows[j].id })
	s.byName = slices.DeleteFunc(slices.Clone(s.byID), func(i uint32) bool { return rows[i].unreadable() != nil })
	if len(s.byName) < len(rows) {
		s.keepUnreadable()
	}
	for _, i := range s.byName {
		s.common.add(rows[i].nameType().name)
	}
	slices.SortFunc(s.byName, func(i, j uint32) int {
		return rows[i].nameType().compare(rows[j].nameType())
	})
	s.marks = sync.OnceValue(s.findMarks)
	return s
}

// keepUnreadable indexes the records that cannot be read. Two of them without an ID and
// with the same bytes are one record, which moved to the next page.
func (s *snapshot) keepUnreadable() {
	for _, i := range s.byID {
		if s.rows[i].unreadable() != nil {
			s.unreadable = append(s.unreadable, i)
		}
	}
	seen := map[sum]struct{}{}
	for i, r := range s.rows {
		if _, again := seen[r.sum]; r.id != "" || again {
			continue
		}
		seen[r.sum] = struct{}{}
		s.unreadable = append(s.unreadable, uint32(i))
		s.withoutID++
	}
}

// len returns how many records the list showed.
func (s *snapshot) len() int { return len(s.byID) + s.withoutID }

// index returns the index in rows of the record of that ID.
func (s *snapshot) index(id string) (int, bool) {
	at, ok := slices.BinarySearchFunc(s.byID, id, func(i uint32, id string) int { return strings.Compare(s.rows[i].id, id) })
	if !ok {
		return 0, false
	}
	return int(s.byID[at]), true
}

// named returns the indices in rows of the records of that name and type.
func (s *snapshot) named(nt nameType) []uint32 {
	from, _ := slices.BinarySearchFunc(s.byName, nt, func(i uint32, nt nameType) int { return s.rows[i].nameType().compare(nt) })
	to := from
	for to < len(s.byName) && s.rows[s.byName[to]].nameType() == nt {
		to++
	}
	return s.byName[from:to]
}

// differ returns the IDs of the records that are not the same in both snapshots, or are
// in one only, in order.
func differ(a, b *snapshot) []string {
	if a == b {
		return nil
	}
	var ids []string
	i, j := 0, 0
	for i < len(a.byID) || j < len(b.byID) {
		switch order := compareAt(a, i, b, j); {
		case order < 0:
			ids = append(ids, a.at(i).id)
			i++
		case order > 0:
			ids = append(ids, b.at(j).id)
			j++
		default:
			if !a.at(i).same(b.at(j)) {
				ids = append(ids, a.at(i).id)
			}
			i, j = i+1, j+1
		}
	}
	return ids
}

// at returns the ith row in the order of IDs.
func (s *snapshot) at(i int) *row { return s.rows[s.byID[i]] }

// compareAt compares the IDs of a's ith and b's jth row. An index behind the last row
// comes after every row.
func compareAt(a *snapshot, i int, b *snapshot, j int) int {
	switch {
	case i == len(a.byID):
		return 1
	case j == len(b.byID):
		return -1
	}
	return strings.Compare(a.at(i).id, b.at(j).id)
}

// same reports whether r and o are the same record in every respect, even if their JSON
// differs.
func (r *row) same(o *row) bool {
	if r.unreadable() != nil || o.unreadable() != nil {
		return r.sum == o.sum
	}
	return r == o || reflect.DeepEqual(r.live(), o.live())
}
