// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// networkFamilies returns the routes through tunnels, to networks and host names, and
// the virtual networks that keep equal networks apart. All are deleted softly.
func networkFamilies() []*family {
	shownWhole := func(c *resourceCall, r *resource) any { return c.shown(r) }
	taken := func() *Error {
		return refuse(http.StatusConflict, CodeResourceConflict, "There is one already.")
	}
	return []*family{
		{
			list: "/accounts/{account_id}/teamnet/routes", parameter: "route_id", shape: idUUID, soft: true,
			// The natural key is the network within its virtual network.
			unique:  []uniqueness{{[]string{"network", "virtual_network_id"}, taken}},
			prepare: prepareNetworkRoute, deletion: shownWhole, filters: routeFilters(), show: showRoute,
		},
		{
			list: "/accounts/{account_id}/zerotrust/routes/hostname", parameter: "hostname_route_id", shape: idUUID, soft: true,
			unique:  []uniqueness{{[]string{"hostname"}, taken}},
			prepare: prepareHostnameRoute, deletion: shownWhole, filters: map[string]filter{"existed_at": existedAt}, show: showHostnameRoute,
		},
		{
			list: "/accounts/{account_id}/teamnet/virtual_networks", parameter: "virtual_network_id", shape: idUUID, soft: true,
			unique:  []uniqueness{{[]string{"name"}, taken}},
			prepare: prepareVirtualNetwork, busy: busyVirtualNetwork, deletion: shownWhole, seed: seedVirtualNetwork,
			filters: map[string]filter{"is_default": func(r *resource, value string) bool {
				return (r.doc["is_default_network"] == true) == (value == "true")
			}},
		},
	}
}

func routeFilters() map[string]filter {
	within := func(inner, outer string) bool {
		a, errA := netip.ParsePrefix(inner)
		b, errB := netip.ParsePrefix(outer)
		return errA == nil && errB == nil && a.Bits() >= b.Bits() && b.Contains(a.Addr())
	}
	return map[string]filter{
		"network_subset":   func(r *resource, value string) bool { return within(r.text("network"), value) },
		"network_superset": func(r *resource, value string) bool { return within(value, r.text("network")) },
		"route_id":         func(r *resource, value string) bool { return r.id == value },
		"existed_at":       existedAt,
		"tun_types":        func(_ *resource, value string) bool { return strings.Contains(value, "cfd_tunnel") },
	}
}

// prepareNetworkRoute canonicalises the network. If the request names no virtual
// network, it chooses the default one of the account.
func prepareNetworkRoute(c *resourceCall, _ *resource, doc map[string]any) *Error {
	network, _ := doc["network"].(string)
	prefix, err := netip.ParsePrefix(network)
	if err != nil {
		return invalid(CodeResourceInvalid, "The network must be an IP network such as 10.0.0.0/16.")
	}
	doc["network"] = prefix.Masked().String()
	if id, _ := doc["virtual_network_id"].(string); id == "" {
		doc["virtual_network_id"] = c.defaultVirtualNetwork().id
	} else if c.live("/teamnet/virtual_networks", id) == nil {
		return invalid(CodeResourceInvalid, "There is no virtual network of this ID.")
	}
	return c.needsTunnel(doc)
}

func prepareHostnameRoute(c *resourceCall, _ *resource, doc map[string]any) *Error {
	if name, _ := doc["hostname"].(string); name == "" {
		return invalid(CodeResourceInvalid, "The host name must not be empty.")
	}
	return c.needsTunnel(doc)
}

func (c *resourceCall) needsTunnel(doc map[string]any) *Error {
	id, _ := doc["tunnel_id"].(string)
	if c.live("/cfd_tunnel", id) == nil {
		return invalid(CodeResourceInvalid, "There is no tunnel of this ID.")
	}
	return nil
}

// live returns a resource of another collection of the account, or nil if it does not
// exist or is deleted.
func (c *resourceCall) live(below, id string) *resource {
	r := c.beside(below).items[id]
	if r == nil || r.deleted() {
		return nil
	}
	return r
}

func (c *resourceCall) defaultVirtualNetwork() *resource {
	networks := c.beside("/teamnet/virtual_networks").sorted()
	i := slices.IndexFunc(networks, func(r *resource) bool { return r.doc["is_default_network"] == true })
	return networks[i]
}

// showRoute adds the members that only lists have, such as the names of the tunnel and
// of the virtual network.
func showRoute(c *resourceCall, r *resource, shown map[string]any) {
	if c.id != "" || c.r.Method != http.MethodGet {
		return
	}
	shown["tun_type"] = "cfd_tunnel"
	if tunnel := c.beside("/cfd_tunnel").items[r.text("tunnel_id")]; tunnel != nil {
		shown["tunnel_name"] = tunnel.doc["name"]
	}
	if network := c.beside("/teamnet/virtual_networks").items[r.text("virtual_network_id")]; network != nil {
		shown["virtual_network_name"] = network.doc["name"]
	}
}

func showHostnameRoute(c *resourceCall, r *resource, shown map[string]any) {
	if tunnel := c.beside("/cfd_tunnel").items[r.text("tunnel_id")]; tunnel != nil {
		shown["tunnel_name"] = tunnel.doc["name"]
	}
}

// seedVirtualNetwork adds the default virtual network, which every account has.
func seedVirtualNetwork(s *Server, sh *shelf) {
	id := s.newUUID()
	s.put(sh, id, map[string]any{
		"id": id, "name": "default", "comment": "", "is_default_network": true, "created_at": timestamp(s.now()),
	})
}

// prepareVirtualNetwork makes a virtual network the default if it asks for that. The
// former default loses the flag. The deprecated is_default of a request has the same
// meaning.
func prepareVirtualNetwork(c *resourceCall, before *resource, doc map[string]any) *Error {
	if old, given := doc["is_default"]; given {
		doc["is_default_network"] = old
		delete(doc, "is_default")
	}
	return c.takeDefault(before, doc, "is_default_network")
}

func busyVirtualNetwork(c *resourceCall, r *resource) *Error {
	if r.doc["is_default_network"] == true {
		return refuse(http.StatusConflict, CodeResourceConflict, "The default virtual network cannot be deleted.")
	}
	for _, route := range c.beside("/teamnet/routes").items {
		if !route.deleted() && route.text("virtual_network_id") == r.id {
			return refuse(http.StatusConflict, CodeResourceConflict, "Routes use the virtual network: delete them first.")
		}
	}
	return nil
}
