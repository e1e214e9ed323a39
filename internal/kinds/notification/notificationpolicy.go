// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package notification describes the kinds of notifications.
package notification

import (
	"maps"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// NotificationPolicy describes the notifications of Cloudflare and their recipients.
func NotificationPolicy() kind.Description {
	return kind.Description{
		Group: "notification", Name: "NotificationPolicy", Short: "cfnp", Noun: "notification policy", Scope: kind.Account,
		Doc:       "A NotificationPolicy sends mail, or calls a webhook or PagerDuty, when something happens in an account.",
		Terraform: "cloudflare_notification_policy",
		List:      "GET /accounts/{account_id}/alerting/v3/policies",
		Create:    "POST /accounts/{account_id}/alerting/v3/policies",
		Read:      "GET /accounts/{account_id}/alerting/v3/policies/{policy_id}",
		Update:    "PUT /accounts/{account_id}/alerting/v3/policies/{policy_id}",
		Delete:    "DELETE /accounts/{account_id}/alerting/v3/policies/{policy_id}",
		// The answers to writes have only the ID.
		WriteLacks: []string{"alert_interval", "alert_type", "created", "description", "enabled", "filters", "mechanisms", "modified", "name"},
		Fields:     policyFields(),
		Observe:    []string{"name", "alert_type", "enabled", "created", "modified"},
		Columns:    []string{"POLICY=name", "ALERT=alert_type", "ENABLED=enabled"},
		Gone:       []kind.Code{{Status: 404}},
		ReadOnly:   []string{"id", "created", "modified"},

		Permissions: []string{"Notifications Write", "Account Settings Write"},
		Plan:        "All plans, with webhooks from Pro and PagerDuty from Business on",
		Excused: map[string]string{
			"Adopted":          "nothing but its ID tells one from another: names may repeat",
			"ImmutableRefused": "all that it has can be changed",
			"Busy":             "nothing refers to it",
		},
	}
}

// policyFields returns the fields of a policy. All lists in it are sets.
func policyFields() map[string]kind.Field {
	fields := map[string]kind.Field{
		"name":                      {Doc: "The name of the policy. Several policies can have the same."},
		"alert_type":                {Doc: "What the policy is about. Cloudflare's documentation says which filters each type takes."},
		"filters":                   {Doc: "Of what exactly to notify. What a filter means depends on alertType."},
		"mechanisms":                {Doc: "Whom to notify, in at least one way."},
		"mechanisms.email":          {Set: true, Key: "id", Doc: "Addresses of mail."},
		"mechanisms.email[].id":     {Required: true, Doc: "The address."},
		"mechanisms.webhooks":       {Set: true, Key: "id", Doc: "Webhooks, by ID."},
		"mechanisms.webhooks[].id":  {Required: true, Ref: "NotificationWebhook", Doc: "The ID of the webhook."},
		"mechanisms.pagerduty":      {Set: true, Key: "id", Doc: "Services of PagerDuty, by ID."},
		"mechanisms.pagerduty[].id": {Required: true, Doc: "The ID of the service."},
	}
	maps.Copy(fields, filterFields())
	return fields
}

func filterFields() map[string]kind.Field {
	fields := map[string]kind.Field{}
	for _, name := range []string{
		"actions", "affected_asns", "affected_components", "affected_locations", "airport_code", "alert_trigger_preferences",
		"alert_trigger_preferences_value", "enabled", "environment", "event", "event_source", "event_type", "group_by", "health_check_id",
		"incident_impact", "input_id", "insight_class", "limit", "logo_tag", "megabits_per_second", "new_health", "new_status",
		"packets_per_second", "pool_id", "pop_names", "product", "project_id", "protocol", "query_tag", "requests_per_second", "selectors",
		"services", "slo", "status", "target_hostname", "target_ip", "target_zone_name", "traffic_exclusions", "tunnel_id", "tunnel_name",
		"type", "where", "zones",
	} {
		fields["filters."+name] = kind.Field{Set: true}
	}
	return fields
}
