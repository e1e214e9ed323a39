// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package waitingroom describes the kinds of Waiting Room.
package waitingroom

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// WaitingRoom describes queues in front of a host name.
func WaitingRoom() kind.Description {
	const rooms = "/zones/{zone_id}/waiting_rooms"
	return kind.Description{
		Group: "waitingroom", Name: "WaitingRoom", Short: "cfwtr", Noun: "waiting room", Scope: kind.Zone,
		Doc:       "A WaitingRoom holds visitors of a host name and path in a queue while more come than the origin can serve. Its events and rules go with it. The document asks for the permission Account Waiting Rooms Read to list waiting rooms, beside the one below to change them.",
		Terraform: "cloudflare_waiting_room",
		List:      "GET /{accounts_or_zones}/{account_or_zone_id}/waiting_rooms",
		Create:    "POST " + rooms,
		Read:      "GET " + rooms + "/{waiting_room_id}",
		Update:    "PUT " + rooms + "/{waiting_room_id}",
		Delete:    "DELETE " + rooms + "/{waiting_room_id}",
		Page:      kind.Page{Max: 1000},
		Fields: map[string]kind.Field{
			"additional_routes":       {Set: true, Doc: "More host names and paths that the waiting room is for."},
			"enabled_origin_commands": {Set: true, Doc: "Commands that the origin may send in a response header: revoke ends the session of the visitor."},
			"name":                    {Pattern: "^[A-Za-z0-9_-]+$", Because: "the document says it in words", Doc: "The name of the waiting room: letters, digits, hyphens and underscores."},
			"host":                    {Doc: "The host name that visitors ask for: one of the zone, or a custom hostname, without wildcards."},
			"path":                    {Doc: "The path that visitors ask for, with all that is below it. Of several waiting rooms, the one with the most specific path decides. No other waiting room has the same host and path."},
			"cookie_suffix":           {Doc: "What the name of the cookie ends with, after cf_waitingroom_. Additional routes need one."},
			"custom_page_html":        {Doc: "The mustache template of the page that visitors wait on. Needs Waiting Room Advanced."},
			"json_response_enabled":   {Doc: "Whether a visitor who accepts application/json gets the state of the queue as JSON. Needs Waiting Room Advanced."},
			"queue_all":               {Doc: "Whether all visitors wait, and nobody reaches the origin."},
			"queueing_method":         {Doc: "Who is next: the one who waits longest (fifo), anybody (random), everybody at once (passthrough), or nobody (reject). All but fifo need Waiting Room Advanced."},
			"session_duration":        {Doc: "How many minutes after the last request a visitor has to wait again."},
			"suspended":               {Doc: "Whether the waiting room is off: all visitors reach the origin."},
			"new_users_per_minute":    {Doc: "About how many visitors are let in each minute."},
			"total_active_users":      {Doc: "About how many visitors are let in at the same time."},
			"disable_session_renewal": {Doc: "Whether a visitor has to wait again after sessionDuration, whatever the visitor does. Needs Waiting Room Advanced."},
			"description":             {Doc: "What the waiting room is for. Visitors do not see it."},
		},
		Observe:  []string{"name", "host", "path", "suspended", "queue_all", "created_on", "modified_on", "next_event_start_time"},
		Columns:  []string{"ROOM=name", "HOST=host", "PATH=path", "SUSPENDED=suspended"},
		Natural:  []string{"name"},
		Gone:     []kind.Code{{Status: 404}},
		ReadOnly: []string{"id", "created_on", "modified_on", "next_event_start_time", "next_event_prequeue_start_time"},

		Permissions: []string{"Waiting Rooms Write"}, Plan: "Business, with one, and Enterprise",
		Excused: map[string]string{
			"ImmutableRefused": "all that it has can be changed",
			"Busy":             "nothing refers to it",
		},
	}
}
