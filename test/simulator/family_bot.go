// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

const botManagement = "/zones/{zone_id}/bot_management"

// botFamily returns the bot management of a zone.
func botFamily() *family {
	return &family{
		list: botManagement, single: true, seed: seedBots,
		prepare: prepareBots,
		// A PUT changes only the members that it has (Terraform provider, issue 3673).
		more: map[string]handler{"PUT " + botManagement: (*resourceCall).merge},
	}
}

// botMembers returns the members that a plan's form in the document has in addition to those
// of all plans, with their values in a new zone.
func botMembers(plan Plan) map[string]any {
	switch plan {
	case PlanPro, PlanBusiness:
		super := map[string]any{
			"optimize_wordpress": false, "sbfm_definitely_automated": "allow", "sbfm_static_resource_protection": false, "sbfm_verified_bots": "allow",
		}
		if plan == PlanBusiness {
			super["sbfm_likely_automated"] = "allow"
		}
		return super
	case PlanEnterprise:
		return map[string]any{"auto_update_model": true, "bm_cookie_enabled": true, "suppress_session_score": false}
	}
	return map[string]any{"fight_mode": false}
}

func seedBots(s *Server, sh *shelf) {
	doc := map[string]any{
		"ai_bots_protection": "disabled", "cf_robots_variant": "off", "content_bots_protection": "disabled", "crawler_protection": "disabled",
		"enable_js": false, "is_robots_txt_managed": false, "using_latest_model": true,
	}
	maps.Copy(doc, botMembers(s.zones[strings.Split(sh.path, "/")[2]].plan))
	s.put(sh, "bot_management", doc)
}

// prepareBots refuses members of other plans. The document has four forms, one for each plan.
func prepareBots(c *resourceCall, _ *resource, doc map[string]any) *Error {
	delete(doc, "id")
	own := botMembers(c.zone.plan)
	for _, plan := range []Plan{PlanFree, PlanBusiness, PlanEnterprise} {
		for _, name := range slices.Sorted(maps.Keys(botMembers(plan))) {
			_, has := doc[name]
			if _, may := own[name]; has && !may {
				return refuse(http.StatusForbidden, CodeNotEntitled, "The zone's plan has no %s.", name)
			}
		}
	}
	return nil
}
