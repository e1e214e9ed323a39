// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package saas

import (
	"slices"
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// CustomHostnameFallbackOrigin describes the destination of requests for custom hostnames.
func CustomHostnameFallbackOrigin() kind.Description {
	const fallback = "/zones/{zone_id}/custom_hostnames/fallback_origin"
	return kind.Description{
		Group: "saas", Name: "CustomHostnameFallbackOrigin", Short: "cffo", Noun: "fallback origin", Scope: kind.Zone, Shape: kind.Singleton,
		Doc:       "A CustomHostnameFallbackOrigin is where requests for the custom hostnames of a zone go that have no origin of their own. A zone has one, and needs one for custom hostnames.",
		Terraform: "cloudflare_custom_hostname_fallback_origin",
		Read:      "GET " + fallback,
		Update:    "PUT " + fallback,
		Fields: map[string]kind.Field{
			"origin": {Canonical: strings.ToLower, Doc: "The host name of the origin: a proxied record of the zone."},
		},
		Observe:  []string{"origin", "status", "errors", "created_at", "updated_at"},
		Columns:  []string{"ORIGIN=origin", "STATUS=status"},
		Unset:    []kind.Code{{Status: 404}},
		Skip:     isGoing,
		ReadOnly: []string{"status", "errors", "created_at", "updated_at"},
		Status: []kind.Status{{
			Path: "status", Converging: []string{"initializing", "pending_deployment"},
			Human: map[string]string{"deployment_timed_out": "make sure that origin is the name of a proxied record of the zone, then delete this object and create it again"},
		}},
		OnDelete: kind.Deletion{Verb: "DELETE " + fallback},

		Permissions: []string{"SSL and Certificates Write"}, Plan: "All plans", Sweep: time.Minute,
		Excused: map[string]string{
			"LostAnswer":       "it is never created",
			"Busy":             "custom hostnames do not keep it",
			"GoneOutside":      "it exists with its zone",
			"ManyOneList":      "a zone has one",
			"ImmutableRefused": "all that it has can be changed, but for the zone",
		},
	}
}

// isGoing reports whether a fallback origin is being deleted. Cloudflare serves it for a while, and then removes it.
func isGoing(origin kind.Document) bool {
	return slices.Contains([]string{"pending_deletion", "deletion_timed_out"}, kind.Text(origin, "status"))
}
