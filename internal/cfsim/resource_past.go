// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"maps"
	"net/http"
	"reflect"
	"time"
)

// seen carries out a call; a GET where a fault has it, as a copy does that is behind.
func (c *resourceCall) seen(handle handler) (reply, *Error) {
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

// behind are the resources that a copy has, false where no copy answers the call.
func (c *resourceCall) behind() (map[string]*resource, FaultKind, bool) {
	kind := FaultStaleGet
	if c.path() == c.shelf.path {
		kind = FaultStaleList
	}
	stale, ok := c.faults.find(kind)
	if !ok || c.r.Method != http.MethodGet || c.f.single && stale.Delay == 0 {
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
	then := map[string]*resource{}
	for _, r := range c.shelf.past(at) {
		then[r.id] = r
	}
	return then, kind, !c.f.single || len(then) > 0
}

// written is when a resource of the collection was last written.
func (sh *shelf) written() time.Time {
	var last time.Time
	for _, r := range append(sh.sorted(), sh.gone...) {
		if n := len(r.versions); n > 0 && r.versions[n-1].at.After(last) {
			last = r.versions[n-1].at
		}
	}
	return last
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
