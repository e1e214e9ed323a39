// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import "net/http"

const notificationPolicies = "/accounts/{account_id}/alerting/v3/policies"

// notificationFamily is about whom Cloudflare notifies of what. The answers to writes have
// the ID and nothing else. The API answers code 0 where there is no policy; the Terraform
// provider quotes the message.
func notificationFamily() *family {
	return &family{
		list: notificationPolicies, parameter: "policy_id", shape: idHex,
		missing: func() *Error { return refuse(http.StatusNotFound, 0, "Policy not found") },
		prepare: prepareNotification,
		show: func(c *resourceCall, r *resource, shown map[string]any) {
			if c.r.Method != http.MethodGet {
				clear(shown)
				shown["id"] = r.id
			}
		},
		deletion: func(*resourceCall, *resource) any { return nil },
	}
}

// prepareNotification wants somebody to be notified, and notes the times, whose names are not
// those of other resources.
func prepareNotification(c *resourceCall, before *resource, doc map[string]any) *Error {
	mechanisms, _ := doc["mechanisms"].(map[string]any)
	someone := false
	for _, of := range mechanisms {
		list, _ := of.([]any)
		someone = someone || len(list) > 0
	}
	if !someone {
		return invalid(CodePolicyInvalid, "A policy must have a mechanism.")
	}
	doc["modified"], doc["created"] = timestamp(c.now), timestamp(c.now)
	if before != nil {
		doc["created"] = before.doc["created"]
	}
	return nil
}

// CodePolicyInvalid is one of the codes of a policy that cannot be (alchemy-run/distilled).
const CodePolicyInvalid = 17102
