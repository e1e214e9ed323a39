// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"time"
)

const fallbackOrigin = "/zones/{zone_id}/custom_hostnames/fallback_origin"

// fallbackOriginDelay is the time until an origin is deployed to the edge, and until it is removed from there.
// Cloudflare takes minutes.
const fallbackOriginDelay = time.Second

// fallbackOriginFamily returns the origin of requests for the custom hostnames of a zone. Reads lag behind
// writes (Terraform provider, commit d55a74a78). A deletion is pending at first (the official document has the
// status). A zone without an origin has a 404, whose code is not known.
func fallbackOriginFamily() *family {
	const privateSet, privateDeleted = "set", "deleted"
	none := func() *Error {
		return refuse(http.StatusNotFound, CodeResourceNotFound, "The zone has no fallback origin.")
	}
	origin := func(c *resourceCall) *resource {
		r := c.shelf.items["fallback_origin"]
		if at, ok := r.private[privateDeleted].(time.Time); ok && c.now.Sub(at) >= fallbackOriginDelay {
			r.set(map[string]any{}, c.now)
			delete(r.private, privateDeleted)
		}
		return r
	}
	return &family{
		list: fallbackOrigin, single: true,
		seed: func(s *Server, sh *shelf) { s.put(sh, "fallback_origin", map[string]any{}) },
		prepare: func(c *resourceCall, before *resource, doc map[string]any) *Error {
			doc["created_at"], doc["updated_at"], doc["status"], doc["errors"] = timestamp(c.now), timestamp(c.now), "active", []any{}
			if before != nil && before.doc["created_at"] != nil {
				doc["created_at"] = before.doc["created_at"]
			}
			r := origin(c)
			r.private[privateSet] = c.now
			delete(r.private, privateDeleted)
			return nil
		},
		show: func(c *resourceCall, r *resource, shown map[string]any) {
			if at, _ := r.private[privateSet].(time.Time); c.now.Sub(at) < fallbackOriginDelay {
				shown["status"] = "pending_deployment"
			}
			if r.private[privateDeleted] != nil {
				shown["status"] = "pending_deletion"
			}
		},
		// The paths also match the template of a custom hostname.
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
				r.private[privateDeleted] = c.now
				return reply{result: c.shown(r)}, nil
			},
		},
	}
}
