// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"slices"
	"strings"
)

// CodeReferenced is "referenced by other objects". The Terraform provider's issues 66
// and 7306 quote it with HTTP 412.
const CodeReferenced = 1005

// loadBalancerFamilies returns load balancers, their pools and monitors.
func loadBalancerFamilies() []*family {
	const (
		monitors = "/accounts/{account_id}/load_balancers/monitors"
		pools    = "/accounts/{account_id}/load_balancers/pools"
	)
	nameTaken := func() *Error {
		return refuse(http.StatusConflict, CodeResourceConflict, "A resource of this name exists already.")
	}
	return []*family{
		{
			list: monitors, parameter: "monitor_id", shape: idHex, prepare: prepareMonitor, busy: busyReferenced,
			more: map[string]handler{"GET " + monitors + "/{monitor_id}/references": (*resourceCall).references},
		},
		{
			list: pools, parameter: "pool_id", shape: idHex, prepare: preparePool, busy: busyReferenced,
			unique: []uniqueness{{[]string{"name"}, nameTaken}},
			more:   map[string]handler{"GET " + pools + "/{pool_id}/references": (*resourceCall).references},
		},
		{
			list: eitherParent + "/load_balancers", parameter: "load_balancer_id", shape: idHex, prepare: prepareBalancer,
			unique: []uniqueness{{[]string{"name"}, nameTaken}}, show: showBalancer,
		},
	}
}

// prepareMonitor sets the members that depend on the type. The document marks method
// and path as computed, but does not say how.
func prepareMonitor(_ *resourceCall, _ *resource, doc map[string]any) *Error {
	kind, _ := doc["type"].(string)
	web := kind == "http" || kind == "https"
	fill := func(name string, value any) {
		if _, given := doc[name]; !given {
			doc[name] = value
		}
	}
	switch {
	case web:
		fill("method", "GET")
		fill("path", "/")
		if doc["expected_codes"] == "" {
			doc["expected_codes"] = "200"
		}
	case kind == "tcp":
		fill("method", "connection_established")
		fallthrough
	case kind == "udp_icmp" || kind == "smtp":
		if port, _ := number(doc["port"]); port == 0 {
			return invalid(CodeResourceInvalid, "A monitor of this type must have a port.")
		}
	}
	fill("consecutive_up", 0)
	fill("consecutive_down", 0)
	return nil
}

// preparePool checks the origins and the monitor of a pool. Each origin must have an
// address and a name, and no two origins may have the same name.
func preparePool(c *resourceCall, _ *resource, doc map[string]any) *Error {
	origins, _ := doc["origins"].([]any)
	if len(origins) == 0 {
		return invalid(CodeResourceInvalid, "A pool must have an origin.")
	}
	var names []string
	for _, o := range origins {
		origin, _ := o.(map[string]any)
		name, _ := origin["name"].(string)
		address, _ := origin["address"].(string)
		if name == "" || address == "" || slices.Contains(names, name) {
			return invalid(CodeResourceInvalid, "Each origin must have an address and a name of its own.")
		}
		names = append(names, name)
		if _, given := origin["port"]; !given {
			origin["port"] = 0
		}
	}
	if monitor, _ := doc["monitor"].(string); monitor != "" && c.beside("/load_balancers/monitors").items[monitor] == nil {
		return invalid(CodeResourceInvalid, "There is no monitor of this ID.")
	}
	return nil
}

// account returns the account of the path, or that of the path's zone.
func (c *call) account() string {
	if c.zone != nil {
		return c.zone.accountID
	}
	return c.r.PathValue("account_id")
}

// inAccount returns a collection of the account, also if the path is below a zone.
func (c *resourceCall) inAccount(below string) *shelf {
	return c.s.known("/accounts/" + c.account() + below)
}

// prepareBalancer checks that the pools exist and that the name is in the zone. It sets
// the members of the server.
func prepareBalancer(c *resourceCall, _ *resource, doc map[string]any) *Error {
	pools := c.inAccount("/load_balancers/pools")
	for _, id := range poolsOf(doc) {
		if pools.items[id] == nil {
			return invalid(CodeResourceInvalid, "There is no pool of this ID.")
		}
	}
	name, _ := doc["name"].(string)
	doc["name"] = strings.ToLower(strings.TrimSuffix(name, "."))
	if c.zone != nil {
		if !atOrBelow(doc["name"].(string), c.zone.name) { //nolint:errcheck,forcetypeassert // It was set above.
			return invalid(CodeResourceInvalid, "The name must be one of the zone.")
		}
		doc["zone_name"] = c.zone.name
	}
	c.computeBalancer(doc)
	return nil
}

// computeBalancer sets the objects that a response has even if no request had them,
// with the document's defaults for their members (Terraform provider, issues 4798 and
// 6140). The document does not mark them as computed.
func (c *resourceCall) computeBalancer(doc map[string]any) {
	members := c.op.Body.Members(nil)
	for _, member := range []string{
		"country_pools", "region_pools", "pop_pools", "adaptive_routing", "location_strategy", "random_steering",
	} {
		if doc[member] == nil {
			doc[member] = members[member].Fill(map[string]any{})
		}
	}
}

// showBalancer leaves out the TTL of a proxied load balancer, because it has none.
func showBalancer(_ *resourceCall, _ *resource, shown map[string]any) {
	if shown["proxied"] == true {
		delete(shown, "ttl")
	} else if shown["ttl"] == nil {
		shown["ttl"] = 30
	}
}

// poolsOf returns all pools that a load balancer names.
func poolsOf(doc map[string]any) []string {
	var ids []string
	add := func(v any) {
		if id, ok := v.(string); ok && id != "" {
			ids = append(ids, id)
		}
	}
	addAll := func(v any) {
		list, _ := v.([]any)
		for _, id := range list {
			add(id)
		}
	}
	add(doc["fallback_pool"])
	addAll(doc["default_pools"])
	for _, member := range []string{"country_pools", "region_pools", "pop_pools"} {
		places, _ := doc[member].(map[string]any)
		for _, list := range places {
			addAll(list)
		}
	}
	rules, _ := doc["rules"].([]any)
	for _, r := range rules {
		rule, _ := r.(map[string]any)
		if overrides, ok := rule["overrides"].(map[string]any); ok {
			ids = append(ids, poolsOf(overrides)...)
		}
	}
	return ids
}

// referrers returns the resources that name a pool or a monitor.
func (c *resourceCall) referrers(r *resource) (list []*resource, kind string) {
	if strings.HasSuffix(c.f.list, "/monitors") {
		for _, pool := range c.beside("/load_balancers/pools").sorted() {
			if pool.text("monitor") == r.id {
				list = append(list, pool)
			}
		}
		return list, "pool"
	}
	for path, sh := range c.s.shelves {
		// A collection with another template may have neither account nor zone in its
		// path, which ours requires.
		if !strings.HasSuffix(sh.f.list, "}/load_balancers") || !c.ours(path) {
			continue
		}
		for _, balancer := range sh.sorted() {
			if slices.Contains(poolsOf(balancer.doc), r.id) {
				list = append(list, balancer)
			}
		}
	}
	slices.SortFunc(list, func(a, b *resource) int { return a.seq - b.seq })
	return list, "load_balancer"
}

func busyReferenced(c *resourceCall, r *resource) *Error {
	if list, _ := c.referrers(r); len(list) > 0 {
		return refuse(http.StatusPreconditionFailed, CodeReferenced, "The resource is referenced by other objects.")
	}
	return nil
}

// references returns the resources that name a pool or a monitor.
func (c *resourceCall) references() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	list, kind := c.referrers(r)
	result := []any{}
	for _, other := range list {
		result = append(result, map[string]any{
			"reference_type": "referrer", "resource_id": other.id, "resource_name": other.text("name"), "resource_type": kind,
		})
	}
	return reply{result: result}, nil
}
