// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"cmp"
	"slices"
	"strings"
)

// cronFamily returns the schedules of Workers. A request has an array, and a response has an
// object.
func cronFamily() *family {
	const schedules = scripts + "/{script_name}/schedules"
	return &family{
		list: schedules, single: true,
		seed: func(s *Server, sh *shelf) { s.put(sh, "schedules", map[string]any{"schedules": []any{}}) },
		more: map[string]handler{
			"GET " + schedules: ofScript((*resourceCall).get),
			"PUT " + schedules: ofScript((*resourceCall).putSchedules),
		},
	}
}

// putSchedules replaces all schedules, and returns them in another order.
func (c *resourceCall) putSchedules() (reply, *Error) {
	body, err := c.admitList("schedules")
	if err != nil {
		return reply{}, err
	}
	r := c.shelf.items["schedules"]
	before := map[string]any{}
	for _, s := range objects(r.doc["schedules"]) {
		before[textOf(s, "cron")] = s["created_on"]
	}
	out, seen := []any{}, map[string]bool{}
	for _, s := range objects(body) {
		cron := textOf(s, "cron")
		if len(strings.Fields(cron)) != 5 || seen[cron] {
			return reply{}, invalid(CodeResourceInvalid, "A schedule must have five fields, and no other may be the same: %q.", cron)
		}
		seen[cron] = true
		out = append(out, map[string]any{"cron": cron, "created_on": cmp.Or(before[cron], any(timestamp(c.now))), "modified_on": timestamp(c.now)})
	}
	slices.Reverse(out)
	r.set(map[string]any{"schedules": out}, c.now)
	return reply{result: c.shown(r)}, nil
}
