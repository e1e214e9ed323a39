// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// maxVersions is the number of versions of one resource that responses from the past
// can show.
const maxVersions = 64

// A resource is one stored resource of a generic collection.
type resource struct {
	id  string
	seq int // The order of creation.
	// doc is the stored document with its secrets. It is replaced, never changed.
	doc map[string]any
	// private has the state that the API never shows in the document, such as open
	// connections.
	private map[string]any
	// changed is the time of the last write.
	changed  time.Time
	versions []version
}

// A version is a resource as it was from a time on. A nil doc means that it was
// deleted.
type version struct {
	at  time.Time
	doc map[string]any
	// private is the private state of that version.
	private map[string]any
}

// A shelf has the resources of one collection, such as the tunnels of one account.
type shelf struct {
	path  string
	f     *family
	items map[string]*resource
	gone  []*resource // Deleted resources, for lists of the past.
	// seeded is the number of resources that existed from the start.
	seeded int
}

// shelf returns the collection with a concrete path. It creates the collection at its
// first use.
func (s *Server) shelf(path string, f *family) *shelf {
	found := s.shelves[path]
	if found == nil {
		found = &shelf{path: path, f: f, items: map[string]*resource{}}
		s.shelves[path] = found
		if f.seed != nil {
			f.seed(s, found)
			found.seeded = len(found.items)
			for _, r := range found.items {
				r.versions[0].at = time.Time{} // A resource that exists with its parent is in each copy.
			}
		}
	}
	return found
}

// put stores a document. It creates the resource if there is none with the ID.
func (s *Server) put(sh *shelf, id string, doc map[string]any) *resource {
	r := sh.items[id]
	if r == nil {
		s.resourceSeq++
		r = &resource{id: id, seq: s.resourceSeq, private: map[string]any{}}
		sh.items[id] = r
	}
	r.set(doc, s.now())
	return r
}

func (r *resource) set(doc map[string]any, now time.Time) {
	r.doc, r.changed = doc, now
	r.keep(now)
}

// keep adds a version with the document and the private state of a resource.
func (r *resource) keep(now time.Time) {
	r.versions = latest(append(r.versions, version{at: now, doc: r.doc, private: maps.Clone(r.private)}))
}

// latest returns at most maxVersions versions, without the oldest ones.
func latest[V any](versions []V) []V {
	return slices.Delete(versions, 0, max(0, len(versions)-maxVersions))
}

func (sh *shelf) remove(r *resource, now time.Time) {
	delete(sh.items, r.id)
	r.versions = latest(append(r.versions, version{at: now}))
	sh.gone = append(sh.gone, r)
	if len(sh.gone) > maxHistory {
		sh.gone = slices.Delete(sh.gone, 0, 1)
	}
}

// sorted returns the resources in the order of their creation.
func (sh *shelf) sorted() []*resource {
	return slices.SortedFunc(maps.Values(sh.items), func(a, b *resource) int { return cmp.Compare(a.seq, b.seq) })
}

// past returns the resources as they were at a time.
func (sh *shelf) past(at time.Time) []*resource {
	var list []*resource
	for _, r := range append(sh.sorted(), sh.gone...) {
		var doc, private map[string]any
		for _, v := range r.versions {
			if !v.at.After(at) {
				doc, private = v.doc, v.private
			}
		}
		if doc != nil {
			list = append(list, &resource{id: r.id, seq: r.seq, doc: doc, private: private, changed: r.changed})
		}
	}
	slices.SortFunc(list, func(a, b *resource) int { return cmp.Compare(a.seq, b.seq) })
	return list
}

// deleted reports whether the resource is kept after its deletion.
func (r *resource) deleted() bool { return r.doc["deleted_at"] != nil }

// text returns a member that is a string, or "" if it is not.
func (r *resource) text(member string) string {
	text, _ := r.doc[member].(string)
	return text
}

// copyOf returns a deep copy of a document.
func copyOf(doc map[string]any) map[string]any {
	copied, _ := apidoc.Copy(doc).(map[string]any)
	return copied
}
