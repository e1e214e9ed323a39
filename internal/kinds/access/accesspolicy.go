// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package access describes the kinds of Cloudflare Access.
package access

import (
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// AccessPolicy describes reusable policies.
func AccessPolicy() kind.Description {
	fields := rules()
	fields["approval_groups"] = kind.Field{Set: true}
	return kind.Description{
		Group: "access", Name: "AccessPolicy", Short: "cfacp", Noun: "policy", Scope: kind.Account,
		Doc:       "An AccessPolicy says who may use the applications that refer to it.",
		Terraform: "cloudflare_zero_trust_access_policy",
		List:      "GET /accounts/{account_id}/access/policies",
		Create:    "POST /accounts/{account_id}/access/policies",
		Read:      "GET /accounts/{account_id}/access/policies/{policy_id}",
		Update:    "PUT /accounts/{account_id}/access/policies/{policy_id}",
		Delete:    "DELETE /accounts/{account_id}/access/policies/{policy_id}",
		Page:      kind.Page{Max: 1000},
		Fields:    fields,
		Observe:   []string{"name", "decision", "app_count", "created_at", "updated_at"},
		Columns:   []string{"POLICY=name", "DECISION=decision", "APPS=app_count"},
		Gone:      []kind.Code{{Status: 404}}, Busy: []kind.Code{{Status: 409}},
		ReadOnly: []string{"id", "app_count", "reusable", "created_at", "updated_at"},

		Permissions: []string{"Access: Apps and Policies Write"},
		Plan:        "All plans, with 50 seats on Free", Sweep: time.Minute,
		Excused: map[string]string{"Adopted": "nothing but its ID tells one from another: names may repeat"},
	}
}
