// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"slices"
	"strings"
)

const (
	waitingRooms = "/zones/{zone_id}/waiting_rooms"
	smartTiering = "/zones/{zone_id}/cache/tiered_cache_smart_topology_enable"
)

// CodeTieringUnset is the code for a zone whose smart tiered cache is not set. The code is not confirmed.
const CodeTieringUnset = 1142

// waitingRoomFamily returns the waiting rooms of a zone.
func waitingRoomFamily() *family {
	return &family{
		list: waitingRooms, parameter: "waiting_room_id", shape: idHex,
		unique:  []uniqueness{{[]string{"name"}, waitingRoomTaken}},
		prepare: prepareWaitingRoom,
		more: map[string]handler{"GET " + eitherParent + "/waiting_rooms": func(c *resourceCall) (reply, *Error) {
			if c.zone == nil {
				c.shelf = c.ofEveryZone(waitingRooms, func(*zone, map[string]any) {})
			}
			return c.listAll()
		}},
	}
}

func waitingRoomTaken() *Error {
	return refuse(http.StatusConflict, CodeResourceConflict, "A waiting room of this name, or of this host and path, exists already.")
}

func prepareWaitingRoom(c *resourceCall, before *resource, doc map[string]any) *Error {
	if c.zone.plan != PlanBusiness && c.zone.plan != PlanEnterprise {
		return refuse(http.StatusForbidden, CodeNotEntitled, "The zone's plan has no waiting rooms.")
	}
	if host := strings.ToLower(textOf(doc, "host")); !atOrBelow(host, c.zone.name) && !c.hasCustomHostname(host) {
		return invalid(CodeResourceInvalid, "The host must be one of the zone, or a custom hostname.")
	}
	doc["next_event_start_time"], doc["next_event_prequeue_start_time"] = nil, nil
	routes, _ := doc["additional_routes"].([]any)
	if len(routes) == 0 {
		doc["additional_routes"] = []any{}
	} else if textOf(doc, "cookie_suffix") == "" {
		return invalid(CodeResourceInvalid, "Additional routes need a cookie suffix.")
	}
	if c.hasWaitingRoom(before, doc) {
		return waitingRoomTaken()
	}
	return nil
}

// hasWaitingRoom reports whether another waiting room has the host and the path of a document. The case of
// a path matters, and that of a host does not.
func (c *resourceCall) hasWaitingRoom(before *resource, doc map[string]any) bool {
	return slices.ContainsFunc(c.shelf.sorted(), func(r *resource) bool {
		same := strings.EqualFold(r.text("host"), textOf(doc, "host")) && r.text("path") == textOf(doc, "path")
		return same && r != before && !r.deleted()
	})
}

// hasCustomHostname reports whether the zone has a custom hostname of that name.
func (c *resourceCall) hasCustomHostname(name string) bool {
	return slices.ContainsFunc(c.beside("/custom_hostnames").sorted(), func(r *resource) bool { return r.text("hostname") == name })
}

// tieringFamily returns the smart tiered cache of a zone, with which one data center asks the origin for all
// others. A GET answers 404 until the first PATCH, and after a deletion.
func tieringFamily() *family {
	return &family{
		list: smartTiering, single: true,
		seed: func(s *Server, sh *shelf) { s.put(sh, "tiered_cache_smart_topology_enable", map[string]any{}) },
		prepare: func(_ *resourceCall, _ *resource, doc map[string]any) *Error {
			doc["editable"] = true
			return nil
		},
		more: map[string]handler{
			"PATCH " + smartTiering: (*resourceCall).merge,
			"GET " + smartTiering: func(c *resourceCall) (reply, *Error) {
				if len(c.shelf.sorted()[0].doc) == 0 {
					return reply{}, refuse(http.StatusNotFound, CodeTieringUnset, "The zone setting does not exist.")
				}
				return c.get()
			},
			"DELETE " + smartTiering: func(c *resourceCall) (reply, *Error) {
				r := c.shelf.sorted()[0]
				r.set(map[string]any{}, c.now)
				return reply{result: map[string]any{"id": r.id, "editable": true, "modified_on": timestamp(c.now)}}, nil
			},
		},
	}
}
