// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package loadbalancer describes the kinds of Cloudflare Load Balancing.
package loadbalancer

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// LoadBalancerPool describes pools of origins.
func LoadBalancerPool() kind.Description {
	return kind.Description{
		Group: "loadbalancer", Name: "LoadBalancerPool", Short: "cflbp", Noun: "pool", Scope: kind.Account,
		Doc:       "A LoadBalancerPool is a group of origins that a load balancer sends traffic to.",
		Terraform: "cloudflare_load_balancer_pool",
		List:      "GET /accounts/{account_id}/load_balancers/pools",
		Create:    "POST /accounts/{account_id}/load_balancers/pools",
		Read:      "GET /accounts/{account_id}/load_balancers/pools/{pool_id}",
		Update:    "PUT /accounts/{account_id}/load_balancers/pools/{pool_id}",
		Delete:    "DELETE /accounts/{account_id}/load_balancers/pools/{pool_id}",
		Fields: map[string]kind.Field{
			"origins":       {Set: true, Key: "name", Doc: "The origins of this pool, which have distinct names."},
			"check_regions": {Set: true},
			"monitor":       {Ref: "LoadBalancerMonitor"},
		},
		Hide:    []string{"health_sources", "monitor_group", "notification_email"},
		Observe: []string{"name", "enabled", "monitor", "minimum_origins", "origins", "networks", "disabled_at", "created_on", "modified_on"},
		Columns: []string{"POOL=name", "ENABLED=enabled", "-MONITOR=monitor"},
		Natural: []string{"name"},
		Gone:    []kind.Code{{Status: 404}}, Busy: []kind.Code{{Status: 412, Code: 1005}, {Code: 1005}},
		Holders:  "GET /accounts/{account_id}/load_balancers/pools/{pool_id}/references",
		ReadOnly: []string{"created_on", "modified_on", "disabled_at", "origins[].disabled_at", "networks", "id"},

		Permissions: []string{"Load Balancing: Monitors and Pools Write"}, Plan: "Load Balancing, a paid add-on",
	}
}
