// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package notification

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// NotificationWebhook describes webhooks that notifications are sent to.
func NotificationWebhook() kind.Description {
	return kind.Description{
		Group: "notification", Name: "NotificationWebhook", Short: "cfnw", Noun: "webhook", Scope: kind.Account,
		Doc:       "A NotificationWebhook is a URL that Cloudflare sends notifications to. Cloudflare tries it when it is created or changed.",
		Terraform: "cloudflare_notification_policy_webhooks",
		List:      "GET /accounts/{account_id}/alerting/v3/destinations/webhooks",
		Create:    "POST /accounts/{account_id}/alerting/v3/destinations/webhooks",
		Read:      "GET /accounts/{account_id}/alerting/v3/destinations/webhooks/{webhook_id}",
		Update:    "PUT /accounts/{account_id}/alerting/v3/destinations/webhooks/{webhook_id}",
		Delete:    "DELETE /accounts/{account_id}/alerting/v3/destinations/webhooks/{webhook_id}",
		// The answers to writes have only the ID.
		WriteLacks: []string{"created_at", "last_failure", "last_success", "name", "type", "url"},
		Fields: map[string]kind.Field{
			"name":   {Doc: "The name of the webhook. Several webhooks can have the same."},
			"url":    {Required: true, Secret: true, Doc: "The URL that Cloudflare sends a POST request to. It comes from a Secret: who knows the URL of a webhook of Slack, say, can post there. So it is not compared either: a change of it at Cloudflare stays until the Secret changes."},
			"secret": {Doc: "What Cloudflare sends in the header cf-webhook-auth, so that the receiver knows who asks."},
		},
		Observe:  []string{"name", "type", "created_at", "last_success", "last_failure"},
		Columns:  []string{"WEBHOOK=name", "TYPE=type"},
		Gone:     []kind.Code{{Status: 404}},
		Busy:     []kind.Code{{Code: 15000}},
		ReadOnly: []string{"id", "created_at", "last_success", "last_failure", "type"},

		Permissions: []string{"Notifications Write", "Account Settings Write"}, Plan: "Pro and above",
		Excused: map[string]string{
			"Adopted":          "nothing but its ID tells one from another: names may repeat",
			"ImmutableRefused": "all that it has can be changed",
		},
	}
}
