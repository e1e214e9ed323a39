// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"slices"
	"strings"
)

// CodeServiceTokenInUse is the code of the refusal to delete a service token that a policy names.
// The source is the observation of other projects against the live API.
const CodeServiceTokenInUse = 12139

// accessFamilies returns Access applications, policies, groups, identity providers and service
// tokens.
func accessFamilies() []*family {
	const (
		policies = "/accounts/{account_id}/access/policies"
		machines = "/accounts/{account_id}/access/service_tokens/{service_token_id}"
	)
	return []*family{
		{
			list: eitherParent + "/access/apps", parameter: "app_id", shape: idUUID,
			prepare: prepareApp, created: revealSaasSecret, show: showApp,
			filters: map[string]filter{
				// exact makes the other filters exact, and in the simulator they always are.
				"exact": func(*resource, string) bool { return true },
			},
		},
		{list: policies, parameter: "policy_id", shape: idUUID, prepare: preparePolicy, busy: busyPolicy, show: showPolicy},
		{
			list: eitherParent + "/access/groups", parameter: "group_id", shape: idUUID,
			prepare: prepareGroup, busy: busySelected("group", CodeResourceConflict), show: showGroup,
		},
		identityProviderFamily(),
		{
			list: eitherParent + "/access/service_tokens", parameter: "service_token_id", shape: idUUID,
			prepare: prepareServiceToken, created: revealServiceToken,
			busy: busySelected("service_token", CodeServiceTokenInUse), show: showServiceToken,
			deletion: func(c *resourceCall, r *resource) any { return c.shown(r) },
			more: map[string]handler{
				"POST " + machines + "/rotate":  (*resourceCall).rotateServiceToken,
				"POST " + machines + "/refresh": (*resourceCall).refreshServiceToken,
			},
		},
	}
}

// preparePolicy sets the defaults that the document does not have. They are the subject of the
// Terraform provider's issue 5495.
func preparePolicy(_ *resourceCall, _ *resource, doc map[string]any) *Error {
	include, _ := doc["include"].([]any)
	if len(include) == 0 {
		return invalid(CodeResourceInvalid, "A policy must include somebody.")
	}
	doc["reusable"] = true
	for name, value := range map[string]any{
		"session_duration": "24h", "isolation_required": false, "approval_required": false,
		"purpose_justification_required": false,
	} {
		if _, given := doc[name]; !given {
			doc[name] = value
		}
	}
	return nil
}

// showPolicy adds the number of applications that use the policy.
func showPolicy(c *resourceCall, r *resource, shown map[string]any) {
	shown["app_count"] = len(c.appsWith(r.id))
}

// appsWith returns the applications of the account, and of its zones, that name a policy.
func (c *resourceCall) appsWith(policy string) []*resource {
	var apps []*resource
	for path, sh := range c.s.shelves {
		if !strings.HasSuffix(path, "/access/apps") || !c.ours(path) {
			continue
		}
		for _, app := range sh.items {
			if slices.Contains(policiesOf(app.doc), policy) {
				apps = append(apps, app)
			}
		}
	}
	return apps
}

// ours reports whether a collection belongs to the account of the call, directly or through a
// zone. The path must have an account or a zone.
func (c *resourceCall) ours(path string) bool {
	segments := strings.Split(path, "/")
	z := c.s.zones[segments[2]]
	return segments[2] == c.account() || (z != nil && z.accountID == c.account())
}

// busyPolicy refuses the deletion of a policy that an application uses (Terraform provider, issue
// 7284).
func busyPolicy(c *resourceCall, r *resource) *Error {
	if len(c.appsWith(r.id)) > 0 {
		return refuse(http.StatusConflict, CodeResourceConflict, "The policy is in use by an application.")
	}
	return nil
}

// busySelected refuses the deletion of a resource that a selector of a policy or a group names.
func busySelected(selector string, code int) func(*resourceCall, *resource) *Error {
	return func(c *resourceCall, r *resource) *Error {
		for path, sh := range c.s.shelves {
			if !strings.HasSuffix(path, "/access/policies") && !strings.HasSuffix(path, "/access/groups") {
				continue
			}
			for _, other := range sh.items {
				if c.ours(path) && selects(other.doc, selector, r.id) {
					return refuse(http.StatusConflict, code, "It is in use by a policy or a group.")
				}
			}
		}
		return nil
	}
}

func selects(doc map[string]any, selector, id string) bool {
	for _, member := range []string{"include", "exclude", "require"} {
		rules, _ := doc[member].([]any)
		for _, r := range rules {
			rule, _ := r.(map[string]any)
			object, _ := rule[selector].(map[string]any)
			if object["id"] == id || object["token_id"] == id {
				return true
			}
		}
	}
	return false
}

func prepareGroup(_ *resourceCall, _ *resource, doc map[string]any) *Error {
	include, _ := doc["include"].([]any)
	if len(include) == 0 {
		return invalid(CodeResourceInvalid, "A group must include somebody.")
	}
	for _, member := range []string{"exclude", "require"} {
		if doc[member] == nil {
			doc[member] = []any{}
		}
	}
	return nil
}

// showGroup leaves out is_default. In the document it is a boolean in a request, and a list of
// selectors in a response.
func showGroup(_ *resourceCall, _ *resource, shown map[string]any) { delete(shown, "is_default") }

// policiesOf returns the IDs of an application's policies in their order.
func policiesOf(doc map[string]any) []string {
	list, _ := doc["policies"].([]any)
	var ids []string
	for _, p := range list {
		if id, ok := p.(string); ok {
			ids = append(ids, id)
		}
	}
	return ids
}
