// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// WorkerRoute describes routes from the URLs of a zone to Workers.
func WorkerRoute() kind.Description {
	return kind.Description{
		Group: "workers", Name: "WorkerRoute", Short: "cfwr", Noun: "Worker route", Scope: kind.Zone,
		Doc:       "A WorkerRoute runs a Worker for the requests whose URL matches a pattern.",
		Terraform: "cloudflare_workers_route",
		List:      "GET /zones/{zone_id}/workers/routes",
		Create:    "POST /zones/{zone_id}/workers/routes",
		Read:      "GET /zones/{zone_id}/workers/routes/{route_id}",
		Update:    "PUT /zones/{zone_id}/workers/routes/{route_id}",
		Delete:    "DELETE /zones/{zone_id}/workers/routes/{route_id}",
		ReadOnly:  []string{"id"},
		Fields: map[string]kind.Field{
			"pattern": {Doc: `The URLs that the route matches, such as "shop.example.com/*". It is unique in the zone.`},
			"script":  {Doc: `The name of the Worker. With "", or left out at the creation, no Worker runs for these requests, even where a less specific route matches them.`},
		},
		Observe: []string{"pattern", "script"},
		Columns: []string{"PATTERN=pattern", "WORKER=script"},
		Natural: []string{"pattern"},
		Gone:    []kind.Code{{Status: 404, Code: 10009}},
		Exists:  []kind.Code{{Code: 10020}},
		Refused: []kind.Refusal{{Code: kind.Code{Code: 10022}, Reason: "InvalidPattern", Remedy: "begin the pattern with the zone's name or a name below it"}},

		Permissions: []string{"Workers Routes Write"}, Plan: "All plans",
		Excused: map[string]string{
			"ImmutableRefused": "all that it has can be changed",
		},
	}
}
