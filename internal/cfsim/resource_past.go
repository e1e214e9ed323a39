// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"maps"
	"net/http"
	"reflect"
	"time"
)

// seen carries out a call; where a fault has it, as a copy does that is behind.
func (c *resourceCall) seen(handle handler) (reply, *Error) {
	if c.faults.fire(FaultWrong404) {
		return reply{}, c.missing(handle)
	}
	then, fault, behind := c.behind()
	if !behind {
		return handle(c)
	}
	now := c.shelf.items
	c.shelf.items = then
	defer func() { c.shelf.items = now }()
	if !reflect.DeepEqual(documents(now), documents(then)) {
		c.faults.fire(fault)
	}
	return handle(c)
}

// missing is how a copy answers that does not have what the call is about.
func (c *resourceCall) missing(handle handler) *Error {
	switch {
	case c.f.single || c.path() == c.shelf.path: // It exists with its parent, which the copy does not have.
		return errNoRoute(c.path())
	case c.r.Method != http.MethodGet:
		return c.f.unknown()
	}
	now := c.shelf.items
	c.shelf.items = map[string]*resource{}
	defer func() { c.shelf.items = now }()
	if _, err := handle(c); err != nil {
		return err
	}
	return c.f.unknown()
}

// behind are the resources that a copy has, false where no copy answers the call.
func (c *resourceCall) behind() (map[string]*resource, FaultKind, bool) {
	if c.r.Method != http.MethodGet {
		return nil, "", false
	}
	if c.faults.has(FaultBehind) {
		at := c.lastWrite()
		if !at.IsZero() { // What was always there, each copy has.
			at = at.Add(-1)
		}
		then := c.shelf.then(at)
		return then, FaultBehind, !c.f.single || len(then) > 0
	}
	kind := FaultStaleGet
	if c.path() == c.shelf.path {
		kind = FaultStaleList
	}
	stale, ok := c.faults.find(kind)
	if !ok || c.f.single && stale.Delay == 0 {
		return nil, kind, false
	}
	at := c.now.Add(-stale.Delay)
	switch {
	case stale.Delay > 0:
	case kind == FaultStaleGet:
		return map[string]*resource{}, kind, true
	default:
		at = c.shelf.written().Add(-1)
	}
	then := c.shelf.then(at)
	return then, kind, !c.f.single || len(then) > 0
}

// then are the resources as they were at a time, by ID.
func (sh *shelf) then(at time.Time) map[string]*resource {
	then := map[string]*resource{}
	for _, r := range sh.past(at) {
		then[r.id] = r
	}
	return then
}

// lastWrite is when the resource of the path was last written, or, where the path names none, any of the collection.
func (c *resourceCall) lastWrite() time.Time {
	for _, r := range append(c.shelf.sorted(), c.shelf.gone...) {
		if r.id == c.id {
			return r.written()
		}
	}
	return c.shelf.written()
}

// written is when a resource of the collection was last written.
func (sh *shelf) written() time.Time {
	var last time.Time
	for _, r := range append(sh.sorted(), sh.gone...) {
		if at := r.written(); at.After(last) {
			last = at
		}
	}
	return last
}

// written is when the resource was last written, or removed.
func (r *resource) written() time.Time {
	if len(r.versions) == 0 {
		return time.Time{}
	}
	return r.versions[len(r.versions)-1].at
}

// documents are what resources show, and what belongs to them.
func documents(items map[string]*resource) map[string][2]map[string]any {
	out := map[string][2]map[string]any{}
	for id, r := range items {
		out[id] = [2]map[string]any{r.doc, r.private}
	}
	return out
}

// keep notes what belongs to a resource beside its document, after a write of that.
func (r *resource) keep(now time.Time) {
	r.versions = append(r.versions, version{at: now, doc: r.doc, private: maps.Clone(r.private)})
}

// copied are routes of what is no generic resource, whose calls are carried out, where a fault has it, as a copy does
// that is behind.
func copied(list []route) []route {
	for i, r := range list {
		list[i].handle = func(c *call) (reply, *Error) { return c.copied(r.handle) }
	}
	return list
}

func (c *call) copied(handle func(*call) (reply, *Error)) (reply, *Error) {
	if c.faults.fire(FaultWrong404) {
		if c.r.PathValue("dns_record_id") != "" {
			return reply{}, errNoRecord()
		}
		return reply{}, errNoRoute(c.path())
	}
	if !isZoneDocument(c.path()) {
		return handle(c)
	}
	before, err := c.zoneDocument()
	if err != nil {
		return handle(c)
	}
	if c.r.Method == http.MethodGet {
		return c.zoneDocumentBehind(before), nil
	}
	p, err := handle(c)
	if err == nil {
		c.zone.earlier[c.path()] = before
	}
	return p, err
}

// zoneDocument is the document of the path, as a GET shows it.
func (c *call) zoneDocument() (any, *Error) {
	if c.r.PathValue("setting_id") == "" {
		return c.zone.dnssecBody(), nil
	}
	p, err := getSetting(c)
	return p.result, err
}

// zoneDocumentBehind answers with a document of a zone, which a fault may put before its last write.
func (c *call) zoneDocumentBehind(now any) reply {
	then, written := c.zone.earlier[c.path()]
	if !written || !c.faults.has(FaultBehind) {
		return reply{result: now}
	}
	if !reflect.DeepEqual(now, then) {
		c.faults.fire(FaultBehind)
	}
	return reply{result: then}
}
