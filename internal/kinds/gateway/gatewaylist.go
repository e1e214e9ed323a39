// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package gateway

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// GatewayList describes lists that policies of Gateway name.
func GatewayList() kind.Description {
	const lists = "/accounts/{account_id}/gateway/lists"
	return kind.Description{
		Group: "gateway", Name: "GatewayList", Short: "cfgl", Noun: "gateway list", Scope: kind.Account,
		Doc:       "A GatewayList is a list of domains, addresses, serial numbers and the like, all of one type. GatewayPolicies and DevicePostureRules name it by its ID.",
		Terraform: "cloudflare_zero_trust_list",
		List:      "GET " + lists,
		Create:    "POST " + lists,
		Read:      "GET " + lists + "/{list_id}",
		Update:    "PUT " + lists + "/{list_id}",
		Delete:    "DELETE " + lists + "/{list_id}",
		// It is not certain that other answers have the items. The document says so, also of the list of all lists.
		Apart:     map[string]kind.SubList{"items": {Operation: "GET " + lists + "/{list_id}/items", Page: kind.Page{Max: 1000}}},
		ListOmits: []string{"items"},
		Fields: map[string]kind.Field{
			"name":                {Doc: "The name of the list."},
			"description":         {Doc: "What the list is for."},
			"type":                {Doc: "What is in the list."},
			"items":               {Set: true, Key: "value", MaxItems: 5000, Doc: "What is in the list. One that is not declared is removed: an empty list removes all. Left out, all items stay. How many a list takes depends on the plan."},
			"count":               {Doc: "How many items are in the list."},
			"items[].value":       {Required: true, MaxLen: 2048, Doc: "The domain, the address, the serial number, or what else the type says."},
			"items[].description": {MaxLen: 500, Doc: "What the item is."},
		},
		Observe:  []string{"name", "type", "count", "created_at", "updated_at"},
		Columns:  []string{"LIST=name", "TYPE=type", "ITEMS=count"},
		Natural:  []string{"name"},
		Gone:     []kind.Code{{Status: 404}},
		Busy:     []kind.Code{{Status: 409}},
		ReadOnly: []string{"id", "type", "count", "created_at", "updated_at", "items[].created_at"},

		Permissions: []string{"Zero Trust Write"}, Plan: "All plans",
	}
}
