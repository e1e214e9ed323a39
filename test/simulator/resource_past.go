// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"reflect"
	"time"
)

// seen executes a call. If a fault is drawn for it, the call is executed on the state of a copy that is behind.
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

// missing returns the refusal of a copy that does not have the resource of the call.
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

// behind returns the resources of a copy that is behind, and the kind of the fault. It returns false if the current
// state answers the call.
func (c *resourceCall) behind() (map[string]*resource, FaultKind, bool) {
	if c.r.Method != http.MethodGet {
		return nil, "", false
	}
	if c.faults.has(FaultBehind) {
		at := c.lastWrite()
		if !at.IsZero() { // Each copy has the resources that have always existed.
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

// then returns the resources as they were at a time, by ID.
func (sh *shelf) then(at time.Time) map[string]*resource {
	then := map[string]*resource{}
	for _, r := range sh.past(at) {
		then[r.id] = r
	}
	return then
}

// lastWrite returns the time of the last write to the resource of the path, or to the collection if the path names
// no resource.
func (c *resourceCall) lastWrite() time.Time {
	for _, r := range append(c.shelf.sorted(), c.shelf.gone...) {
		if r.id == c.id {
			return r.written()
		}
	}
	return c.shelf.written()
}

// written returns the time of the last write to a resource of the collection.
func (sh *shelf) written() time.Time {
	var last time.Time
	for _, r := range append(sh.sorted(), sh.gone...) {
		if at := r.written(); at.After(last) {
			last = at
		}
	}
	return last
}

// written returns the time of the last write to the resource, or of its deletion.
func (r *resource) written() time.Time {
	if len(r.versions) == 0 {
		return time.Time{}
	}
	return r.versions[len(r.versions)-1].at
}

// documents returns the documents and the private state of resources.
func documents(items map[string]*resource) map[string][2]map[string]any {
	out := map[string][2]map[string]any{}
	for id, r := range items {
		out[id] = [2]map[string]any{r.doc, r.private}
	}
	return out
}

// copied wraps the routes of resources that are not generic. If a fault is drawn for a call, the call is executed
// on the state of a copy that is behind.
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

// zoneDocument returns the document of the path as a GET shows it.
func (c *call) zoneDocument() (any, *Error) {
	if c.r.PathValue("setting_id") == "" {
		return c.shownDNSSEC(), nil
	}
	p, err := getSetting(c)
	return p.result, err
}

// zoneDocumentBehind returns a document of a zone. A fault may return the document before its last write.
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
