// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// AccountMember describes the users who may work in an account.
func AccountMember() kind.Description {
	return kind.Description{
		Group: "iam", Name: "AccountMember", Short: "cfmem", Noun: "member", Scope: kind.Account,
		Doc:       "An AccountMember gives a person access to an account, with roles or with policies. Cloudflare invites the person by email, and the object becomes Ready when the invitation is accepted. Its deletion takes the access away at once.",
		Terraform: "cloudflare_account_member",
		List:      "GET /accounts/{account_id}/members",
		Create:    "POST /accounts/{account_id}/members",
		Read:      "GET /accounts/{account_id}/members/{member_id}",
		Update:    "PUT /accounts/{account_id}/members/{member_id}",
		Delete:    "DELETE /accounts/{account_id}/members/{member_id}",
		Page:      kind.Page{Max: 50},
		Fields: map[string]kind.Field{
			"email":                        {Answer: "user.email", Canonical: strings.ToLower, Doc: "The email address of the person."},
			"roles":                        {Set: true, Expanded: "id", Wrapped: true, Doc: "The IDs of the roles that the member has: these or policies."},
			"roles[]":                      {Variant: "string", Because: "an update takes objects with an ID in place of the IDs"},
			"policies":                     {Set: true, Doc: "What the member may do, in which parts of the account: these or roles."},
			"policies[].permission_groups": {Set: true, Key: "id"},
			"policies[].resource_groups":   {Set: true, Key: "id"},
		},
		Choice:     &kind.OneOf{Members: []string{"roles", "policies"}},
		Hide:       []string{"status"}, // Only the invited person can accept. Cloudflare ignores a status in a request.
		WriteLacks: []string{"roles"},  // The answer to a creation lacks them.
		Observe:    []string{"user.id", "user.email", "status"},
		Columns:    []string{"MEMBER=user.email", "STATUS=status"},
		Natural:    []string{"email"},
		Gone:       []kind.Code{{Status: 404}, {Code: 1003}}, Exists: []kind.Code{{Status: 409}},
		ReadOnly: []string{"id", "email", "status", "user", "user.two_factor_authentication_enabled", "policies[].id", "roles[].description", "roles[].name", "roles[].permissions"},
		Status: []kind.Status{{Path: "status", Human: map[string]string{
			"pending": "the person has to accept the invitation that Cloudflare sent by email",
		}}},

		Permissions: []string{"Account Settings Write", "SCIM Provisioning"}, Plan: "All plans",
	}
}
