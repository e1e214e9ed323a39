// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package device describes the kinds of devices in Zero Trust.
package device

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// DevicePostureRule describes the required properties of a device.
func DevicePostureRule() kind.Description {
	const rules = "/accounts/{account_id}/devices/posture"
	return kind.Description{
		Group: "device", Name: "DevicePostureRule", Short: "cfdpr", Noun: "device posture rule", Scope: kind.Account,
		Doc:       "A DevicePostureRule says what a device has to be like, such as that its disk is encrypted. AccessPolicies and GatewayPolicies ask for it by its ID.",
		Terraform: "cloudflare_zero_trust_device_posture_rule",
		List:      "GET " + rules,
		Create:    "POST " + rules,
		Read:      "GET " + rules + "/{rule_id}",
		Update:    "PUT " + rules + "/{rule_id}",
		Delete:    "DELETE " + rules + "/{rule_id}",
		Fields: map[string]kind.Field{
			"type":                    {Immutable: true},
			"input":                   {By: "type", Doc: "What to look for on the device. Its members depend on the type."},
			"input.compliance_status": {Doc: "What the service has to say of the device (workspace_one, intune)."},
			"input.connection_id":     {Doc: "The ID of the posture integration that is asked."},
			"input.domain":            {Doc: "The domain that the device has joined (domain_joined)."},
			"input.enabled":           {Doc: "Whether the firewall has to be on (firewall)."},
			"input.id":                {Ref: "gateway.GatewayList", Doc: "The ID of the list with the serial numbers or the client IDs (serial_number, unique_client_id)."},
			"input.operating_system":  {Doc: "The operating system of the device."},
			"input.operator":          {Doc: "How version, score or riskLevel is compared."},
			"input.os":                {Doc: "The operating system score that CrowdStrike gives (crowdstrike_s2s)."},
			"input.overall":           {Doc: "The overall score that CrowdStrike gives (crowdstrike_s2s)."},
			"input.sensor_config":     {Doc: "The score of the sensor that CrowdStrike gives (crowdstrike_s2s)."},
			"input.state":             {Doc: "Whether CrowdStrike has to see the device (crowdstrike_s2s)."},
			"input.version":           {Doc: "The version that the one of the operating system is compared with."},
			"input.locations":         {Doc: "Where the certificate may be on the device."},
			"match[].platform":        {Doc: "The platform."},
			"match":                   {Set: true, Key: "platform", Doc: "The platforms that the rule is for."},
		},
		Observe:  []string{"name", "type", "enabled", "description"},
		Columns:  []string{"RULE=name", "TYPE=type"},
		Natural:  []string{"name"},
		Gone:     []kind.Code{{Status: 404}},
		Busy:     []kind.Code{{Status: 409}},
		ReadOnly: []string{"id", "enabled"},

		Permissions: []string{"Zero Trust Write"}, Plan: "All plans, with 50 seats on Free",
	}
}
