// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package access

import (
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// AccessGroup describes groups of identities.
func AccessGroup() kind.Description {
	return kind.Description{
		Group: "access", Name: "AccessGroup", Short: "cfacg", Noun: "group", Scope: kind.Either,
		Doc:       "An AccessGroup is a named set of identities, which policies and other groups refer to.",
		Terraform: "cloudflare_zero_trust_access_group",
		List:      "GET /{accounts_or_zones}/{account_or_zone_id}/access/groups",
		Create:    "POST /{accounts_or_zones}/{account_or_zone_id}/access/groups",
		Read:      "GET /{accounts_or_zones}/{account_or_zone_id}/access/groups/{group_id}",
		Update:    "PUT /{accounts_or_zones}/{account_or_zone_id}/access/groups/{group_id}",
		Delete:    "DELETE /{accounts_or_zones}/{account_or_zone_id}/access/groups/{group_id}",
		Page:      kind.Page{Max: 1000},
		Fields:    rules(),
		Hide:      []string{"is_default"}, // It has another type in an answer than in a request.
		Observe:   []string{"name", "created_at", "updated_at"},
		Columns:   []string{"GROUP=name"},
		Natural:   []string{"name"},
		Gone:      []kind.Code{{Status: 404}}, Busy: []kind.Code{{Status: 409}},
		ReadOnly: []string{"id", "is_default", "created_at", "updated_at"},

		Permissions: []string{"Access: Organizations, Identity Providers, and Groups Write"},
		Plan:        "All plans, with 50 seats on Free", Sweep: time.Minute,
		Excused: map[string]string{"ImmutableRefused": "all that it has can be changed"},
	}
}
