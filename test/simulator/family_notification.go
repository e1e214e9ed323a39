// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"net/url"
)

const (
	notificationPolicies = "/accounts/{account_id}/alerting/v3/policies"
	notificationWebhooks = "/accounts/{account_id}/alerting/v3/destinations/webhooks"
)

// notificationFamily returns the notification policies. The response to a write has the ID and no other
// member. The API answers code 0 for an unknown policy. The Terraform provider quotes the message.
func notificationFamily() *family {
	return &family{
		list: notificationPolicies, parameter: "policy_id", shape: idHex,
		missing:  func() *Error { return refuse(http.StatusNotFound, 0, "Policy not found") },
		prepare:  prepareNotification,
		show:     showIDAfterWrites,
		deletion: func(*resourceCall, *resource) any { return nil },
	}
}

// showIDAfterWrites reduces the response to a write to the ID.
func showIDAfterWrites(c *resourceCall, r *resource, shown map[string]any) {
	if c.r.Method != http.MethodGet {
		clear(shown)
		shown["id"] = r.id
	}
}

// webhookFamily returns the webhooks for notifications. As with policies, the response to a write has only
// the ID, and the code for an unknown webhook is 0. A webhook that a policy names cannot be deleted.
func webhookFamily() *family {
	return &family{
		list: notificationWebhooks, parameter: "webhook_id", shape: idHex,
		missing:  func() *Error { return refuse(http.StatusNotFound, 0, "Webhook not found") },
		prepare:  prepareWebhook,
		busy:     busyWebhook,
		show:     showIDAfterWrites,
		deletion: func(*resourceCall, *resource) any { return nil },
	}
}

// prepareWebhook derives the type of the receiver from the URL. The request does not have it.
func prepareWebhook(c *resourceCall, _ *resource, doc map[string]any) *Error {
	address, err := url.Parse(textOf(doc, "url"))
	if err != nil || address.Scheme != "https" {
		return refuse(http.StatusBadRequest, 0, "Webhook test failed")
	}
	doc["type"] = "generic"
	if address.Host == "hooks.slack.com" {
		doc["type"] = "slack"
	}
	doc["last_success"] = timestamp(c.now)
	return nil
}

// busyWebhook refuses the deletion of a webhook that a policy names.
func busyWebhook(c *resourceCall, r *resource) *Error {
	for _, policy := range c.beside("/alerting/v3/policies").items {
		mechanisms, _ := policy.doc["mechanisms"].(map[string]any)
		hooks, _ := mechanisms["webhooks"].([]any)
		for _, hook := range hooks {
			if object, _ := hook.(map[string]any); object["id"] == r.id {
				return refuse(http.StatusBadRequest, CodeWebhookInUse, "The webhook is in use by a policy.")
			}
		}
	}
	return nil
}

// prepareNotification requires a recipient, and sets the times. Their names differ from those of other
// resources.
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

// Codes of notifications (alchemy-run/distilled).
const (
	CodeWebhookInUse  = 15000
	CodePolicyInvalid = 17102 // One of the codes for invalid policies.
)
