// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package loadbalancer

import (
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// LoadBalancer describes load balancers of zones and accounts.
func LoadBalancer() kind.Description {
	return kind.Description{
		Group: "loadbalancer", Name: "LoadBalancer", Short: "cflb", Noun: "load balancer", Scope: kind.Either,
		Doc:       "A LoadBalancer answers for a hostname with the healthy pools among its own.",
		Terraform: "cloudflare_load_balancer",
		List:      "GET /{accounts_or_zones}/{account_or_zone_id}/load_balancers",
		Create:    "POST /{accounts_or_zones}/{account_or_zone_id}/load_balancers",
		Read:      "GET /{accounts_or_zones}/{account_or_zone_id}/load_balancers/{load_balancer_id}",
		Update:    "PUT /{accounts_or_zones}/{account_or_zone_id}/load_balancers/{load_balancer_id}",
		Delete:    "DELETE /{accounts_or_zones}/{account_or_zone_id}/load_balancers/{load_balancer_id}",
		Fields: map[string]kind.Field{
			"name":          {Canonical: strings.ToLower},
			"default_pools": {Ref: "LoadBalancerPool"},
			"fallback_pool": {Ref: "LoadBalancerPool"},
		},
		Observe: []string{"name", "enabled", "proxied", "steering_policy", "zone_name", "created_on", "modified_on"},
		Columns: []string{"HOSTNAME=name", "ENABLED=enabled", "-STEERING=steering_policy"},
		Natural: []string{"name"},
		Gone:    []kind.Code{{Status: 404}},

		ReadOnly:    []string{"id", "created_on", "modified_on", "zone_name", "pool_sets"},
		Permissions: []string{"Load Balancers Account Write"}, Plan: "Load Balancing, a paid add-on",
		Excused: map[string]string{"Busy": "nothing refers to it"},
	}
}
