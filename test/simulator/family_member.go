// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"slices"
	"strings"
)

// Codes of account members. CodeMemberNotFound is known from the live API, and so is
// CodeMemberVerified: https://github.com/app-sre/qontract-reconcile/pull/5079.
const (
	CodeMemberNotFound = 1003
	CodeMemberVerified = 1001
)

// memberFamily returns the members of accounts.
func memberFamily() *family {
	return &family{
		list: "/accounts/{account_id}/members", parameter: "member_id", shape: idHex,
		prepare: prepareMember, created: invite,
		missing: func() *Error { return refuse(http.StatusNotFound, CodeMemberNotFound, "Member not found for account") },
		unique: []uniqueness{{members: []string{"email"}, refusal: func() *Error {
			return refuse(http.StatusConflict, CodeResourceConflict, "This user is a member of the account already, or is invited.")
		}}},
	}
}

// prepareMember expands role IDs to objects, and derives the policies of the roles. A member has
// roles or policies: the last written. A new member is pending until the invitation is accepted.
func prepareMember(c *resourceCall, before *resource, doc map[string]any) *Error {
	if before == nil {
		if doc["status"] == "accepted" {
			return invalid(CodeMemberVerified, "Invalid request: automatic verification of new members is not allowed")
		}
		email, _ := doc["email"].(string)
		if at := strings.Index(email, "@"); at < 1 || at == len(email)-1 {
			return invalid(CodeResourceInvalid, "The email address is not valid.")
		}
		doc["status"] = "pending"
		doc["user"] = map[string]any{"email": email, "first_name": nil, "last_name": nil, "two_factor_authentication_enabled": false}
	} else {
		for _, name := range []string{"email", "status", "user"} {
			doc[name] = before.doc[name]
		}
		// An update without roles and policies keeps both. While a member is pending, the API
		// ignores the roles and policies of an update with a status, without an error (Terraform
		// provider, issue 6520 and pull request 6581).
		if nothing := doc["roles"] == nil && doc["policies"] == nil; nothing || before.doc["status"] == "pending" && c.gives("status") {
			doc["roles"], doc["policies"] = before.doc["roles"], before.doc["policies"]
			return nil
		}
	}
	if c.gives("roles") && c.gives("policies") {
		return invalid(CodeResourceInvalid, "A member has roles or policies, not both.")
	}
	if c.gives("policies") {
		doc["roles"] = []any{}
		nameGroups(doc)
		return nil
	}
	c.giveRoles(doc)
	return nil
}

// giveRoles expands role IDs, and shows the roles as policies, too. The document does not list the
// roles: each ID is accepted.
func (c *resourceCall) giveRoles(doc map[string]any) {
	list, _ := doc["roles"].([]any)
	roles, policies := []any{}, []any{}
	for _, r := range list {
		id, plain := r.(string)
		if !plain {
			id, _ = r.(map[string]any)["id"].(string)
		}
		roles = append(roles, map[string]any{"id": id, "name": "Role " + id, "description": "A role.", "permissions": map[string]any{}})
		policies = append(policies, map[string]any{
			"access": "allow", "permission_groups": []any{map[string]any{"id": id}}, "resource_groups": []any{map[string]any{"id": c.account()}},
		})
	}
	slices.SortFunc(roles, byID)
	doc["roles"], doc["policies"] = roles, policies
	nameGroups(doc)
}

// nameGroups sets the IDs of policies and the names of their groups, and sorts both. The API does
// not keep the order of a request (Terraform provider, issue 6488).
func nameGroups(doc map[string]any) {
	policies, _ := doc["policies"].([]any)
	for _, p := range policies {
		policy, _ := p.(map[string]any)
		for _, member := range []string{"permission_groups", "resource_groups"} {
			groups, _ := policy[member].([]any)
			for _, g := range groups {
				group, _ := g.(map[string]any)
				group["name"] = "Group"
				if member == "resource_groups" {
					group["scope"] = map[string]any{"key": accountScope, "objects": []any{map[string]any{"key": "*"}}}
				}
			}
			slices.SortFunc(groups, byID)
		}
		policy["id"] = memberPolicyID(policy)
	}
	slices.SortFunc(policies, byID)
}

// memberPolicyID is policyID for a policy of a member.
func memberPolicyID(policy map[string]any) string {
	return policyID(map[string]any{"effect": policy["access"], "permission_groups": policy["permission_groups"], "resources": policy["resource_groups"]})
}

// invite leaves the roles out of the response to a creation, as the API does. It then accepts the
// invitation at once. A test can make a member pending again with EditResource.
func invite(c *resourceCall, r *resource, shown map[string]any) {
	delete(shown, "roles")
	doc := copyOf(r.doc)
	doc["status"] = "accepted"
	r.set(doc, c.now)
}
