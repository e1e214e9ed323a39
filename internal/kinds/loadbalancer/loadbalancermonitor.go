// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package loadbalancer

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// LoadBalancerMonitor describes health monitors of pools.
func LoadBalancerMonitor() kind.Description {
	return kind.Description{
		Group: "loadbalancer", Name: "LoadBalancerMonitor", Short: "cflbm", Noun: "monitor", Scope: kind.Account,
		Doc:       "A LoadBalancerMonitor probes the health of the origins in the pools that use it.",
		Terraform: "cloudflare_load_balancer_monitor",
		List:      "GET /accounts/{account_id}/load_balancers/monitors",
		Create:    "POST /accounts/{account_id}/load_balancers/monitors",
		Read:      "GET /accounts/{account_id}/load_balancers/monitors/{monitor_id}",
		Update:    "PUT /accounts/{account_id}/load_balancers/monitors/{monitor_id}",
		Delete:    "DELETE /accounts/{account_id}/load_balancers/monitors/{monitor_id}",
		Observe:   []string{"description", "type", "created_on", "modified_on"},
		Columns:   []string{"TYPE=type", "DESCRIPTION=description"},
		Gone:      []kind.Code{{Status: 404}}, Busy: []kind.Code{{Status: 412, Code: 1005}, {Code: 1005}},
		Holders:  "GET /accounts/{account_id}/load_balancers/monitors/{monitor_id}/references",
		ReadOnly: []string{"created_on", "modified_on", "id"},

		Permissions: []string{"Load Balancing: Monitors and Pools Write"}, Plan: "Load Balancing, a paid add-on",
		Excused: map[string]string{"Adopted": "nothing but its ID tells one from another: names may repeat"},
	}
}
