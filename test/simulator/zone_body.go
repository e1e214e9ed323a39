// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"fmt"
	"strings"
	"time"
)

// body returns a zone as JSON.
func (z *zone) body(s *Server) map[string]any {
	limits := z.plan.limits()
	account := map[string]any{"id": z.accountID, "name": ""}
	if a := s.accounts[z.accountID]; a != nil {
		account["name"] = a.Name
	}
	b := map[string]any{
		"id": z.id, "name": z.name, "status": z.status, "paused": z.paused, "type": z.kind, "development_mode": 0,
		"name_servers": append([]string{}, z.nameServers...), "original_name_servers": nil,
		"original_registrar": nil, "original_dnshost": nil,
		"created_on": timestamp(z.createdOn), "modified_on": timestamp(z.modifiedOn), "activated_on": nil,
		"account": account, "owner": map[string]any{"id": z.accountID, "type": "organization", "name": account["name"]},
		"meta":        map[string]any{"step": 2, "custom_certificate_quota": 0, "page_rule_quota": 3, "phishing_detected": false},
		"permissions": []string{"#dns_records:edit", "#dns_records:read", "#zone:edit", "#zone:read"},
		"plan": map[string]any{
			"id": planID(z.plan), "name": limits.name, "price": limits.price, "currency": "USD", "frequency": "",
			"is_subscribed": z.plan != PlanFree, "can_subscribe": false, "legacy_id": string(z.plan),
			"legacy_discount": false, "externally_managed": false,
		},
		"vanity_name_servers": append([]string{}, z.vanity...),
	}
	if z.original != nil {
		b["original_name_servers"] = z.original
	}
	if !z.activatedOn.IsZero() {
		b["activated_on"] = timestamp(z.activatedOn)
	}
	if z.kind == "partial" {
		b["verification_key"], b["cname_suffix"] = z.verifyKey, "cdn.cloudflare.net"
	}
	return b
}

// planID returns the identifier of a zone plan. That of Free is the one of production.
func planID(p Plan) string {
	ids := map[Plan]string{
		PlanFree: "0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee", PlanPro: "1feeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
		PlanBusiness: "2feeeeeeeeeeeeeeeeeeeeeeeeeeeeee", PlanEnterprise: "3feeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
	}
	return ids[p]
}

func (z *zone) subscription() map[string]any {
	frequency, state := "monthly", "Paid"
	if z.plan == PlanFree {
		frequency, state = "not-applicable", "Provisioned"
	}
	limits := z.plan.limits()
	start := z.createdOn.UTC().Truncate(time.Second)
	return map[string]any{
		"id": strings.Repeat("0", 24) + z.id[:8], "currency": "USD", "price": limits.price, "frequency": frequency, "state": state,
		"current_period_start": start.Format(time.RFC3339), "current_period_end": start.AddDate(0, 1, 0).Format(time.RFC3339),
		"rate_plan": map[string]any{
			"id": string(z.plan), "public_name": fmt.Sprintf("%s Plan", strings.TrimSuffix(limits.name, " Website")),
			"currency": "USD", "scope": "zone", "sets": []string{}, "is_contract": z.plan == PlanEnterprise, "externally_managed": false,
		},
	}
}
