// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"net/http"
	"time"
)

const fallbackOrigin = "/zones/{zone_id}/custom_hostnames/fallback_origin"

// fallbackOriginDelay is how long the simulator takes to bring an origin to the edge. Cloudflare takes minutes.
const fallbackOriginDelay = time.Second

// fallbackOriginFamily is where requests for the custom hostnames of a zone go. Reads lag behind writes
// (Terraform provider, commit d55a74a78), and where nothing is set there is nothing. Its code for that is not known.
func fallbackOriginFamily() *family {
	const privateSet = "set"
	none := func() *Error {
		return refuse(http.StatusNotFound, CodeResourceNotFound, "The zone has no fallback origin.")
	}
	origin := func(c *resourceCall) *resource { return c.shelf.items["fallback_origin"] }
	return &family{
		list: fallbackOrigin, single: true,
		seed: func(s *Server, sh *shelf) { s.put(sh, "fallback_origin", map[string]any{}) },
		prepare: func(c *resourceCall, before *resource, doc map[string]any) *Error {
			doc["created_at"], doc["updated_at"], doc["status"], doc["errors"] = timestamp(c.now), timestamp(c.now), "active", []any{}
			if before != nil && before.doc["created_at"] != nil {
				doc["created_at"] = before.doc["created_at"]
			}
			origin(c).private[privateSet] = c.now
			return nil
		},
		show: func(c *resourceCall, r *resource, shown map[string]any) {
			if at, _ := r.private[privateSet].(time.Time); c.now.Sub(at) < fallbackOriginDelay {
				shown["status"] = "pending_deployment"
			}
		},
		// The paths could be those of a custom hostname.
		first: map[string]handler{
			"PUT " + fallbackOrigin: (*resourceCall).replace,
			"GET " + fallbackOrigin: func(c *resourceCall) (reply, *Error) {
				if len(origin(c).doc) == 0 {
					return reply{}, none()
				}
				return c.get()
			},
			"DELETE " + fallbackOrigin: func(c *resourceCall) (reply, *Error) {
				r := origin(c)
				if len(r.doc) == 0 {
					return reply{}, none()
				}
				shown := c.shown(r)
				shown["status"] = "pending_deletion"
				r.set(map[string]any{}, c.now)
				return reply{result: shown}, nil
			},
		},
	}
}
