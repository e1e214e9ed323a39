// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"
)

func createZone(c *call) (reply, *Error) {
	body, err := c.decode()
	if err != nil {
		return reply{}, err
	}
	account, err := c.accountOf(body)
	if err != nil {
		return reply{}, err
	}
	kind, err := zoneKind(body)
	if err != nil {
		return reply{}, err
	}
	text, _ := body["name"].(string)
	name, ok := zoneName(text)
	if !ok {
		return reply{}, invalid(CodeZoneInvalid, "%q is not a valid zone name.", text)
	}
	if err := c.s.mayAdd(name, kind, c.now); err != nil {
		return reply{}, err
	}
	z := c.s.newZone(account.ID, name, PlanFree)
	z.kind, z.status, z.pendingFrom = kind, ZonePending, c.now.Add(c.s.options.InitializingFor)
	if c.s.options.InitializingFor > 0 {
		z.status = ZoneInitializing
	}
	if kind == "internal" {
		z.status, z.nameServers = ZoneActive, nil
	}
	c.s.zones[z.id] = z
	return reply{result: z.body(c.s)}, nil
}

// accountOf returns the account of a new zone.
func (c *call) accountOf(body fields) (*Account, *Error) {
	object, _ := body["account"].(map[string]any)
	id, _ := object["id"].(string)
	if !validID(id) {
		return nil, invalid(CodeZoneInvalid, "account.id is required.")
	}
	account := c.s.accounts[id]
	if account == nil || !c.cred.mayIn(id, ZoneWrite) {
		return nil, errAuthentication()
	}
	return account, nil
}

func zoneKind(body fields) (string, *Error) {
	value, given := body["type"]
	if !given {
		return "full", nil
	}
	kind, _ := value.(string)
	if !slices.Contains([]string{"full", "partial", "secondary", "internal"}, kind) {
		return "", invalid(CodeZoneInvalid, "Invalid zone type.")
	}
	return kind, nil
}

// zoneName returns the canonical name of a zone. It returns false if the name is
// invalid.
func zoneName(text string) (string, bool) {
	name, ok := toASCII(text)
	name = strings.TrimSuffix(name, ".")
	return name, ok && wellFormed(name, false) && strings.Contains(name, ".")
}

func getZone(c *call) (reply, *Error) { return reply{result: c.zone.body(c.s)}, nil }

// patchZone changes one property per call.
func patchZone(c *call) (reply, *Error) {
	body, err := c.decode()
	if err != nil {
		return reply{}, err
	}
	if len(body) != 1 {
		return reply{}, invalid(CodeZoneProperty, "Only one zone property can be changed at a time.")
	}
	for property, value := range body {
		if err := c.setZoneProperty(property, value); err != nil {
			return reply{}, err
		}
	}
	c.zone.modifiedOn = c.now
	return reply{result: c.zone.body(c.s)}, nil
}

func (c *call) setZoneProperty(property string, value any) *Error {
	switch property {
	case "paused":
		paused, ok := value.(bool)
		if !ok {
			return invalid(CodeZoneInvalid, "paused must be a boolean.")
		}
		c.zone.paused = paused
	case "type":
		kind, err := zoneKind(fields{"type": value})
		if err != nil {
			return err
		}
		if (kind == "partial" || kind == "secondary") && !c.zone.plan.limits().vanity {
			return invalid(CodeZonePlan, "Zone type %s is not available on this plan.", kind)
		}
		c.zone.kind = kind
	case "vanity_name_servers":
		return c.setVanity(value)
	default:
		return invalid(CodeZoneProperty, "%s is not a property that can be changed.", property)
	}
	return nil
}

func (c *call) setVanity(value any) *Error {
	list, ok := value.([]any)
	if !ok {
		return invalid(CodeZoneInvalid, "vanity_name_servers must be a list.")
	}
	servers := make([]string, 0, len(list))
	for _, element := range list {
		text, _ := element.(string)
		name, ok := canonicalTarget(text)
		if !ok || !strings.HasSuffix(name, "."+c.zone.name) {
			return invalid(CodeZoneInvalid, "%v is not a valid vanity name server of this zone.", element)
		}
		servers = append(servers, name)
	}
	if len(servers) > 0 && !c.zone.plan.limits().vanity {
		return invalid(CodeZonePlan, "Vanity name servers are not available on this plan.")
	}
	c.zone.vanity = servers
	return nil
}

func deleteZone(c *call) (reply, *Error) {
	c.s.dropZone(c.zone, c.now)
	return reply{result: map[string]any{"id": c.zone.id}}, nil
}

func getSubscription(c *call) (reply, *Error) { return reply{result: c.zone.subscription()}, nil }

// mayAdd checks whether a zone of this name can be added now. Only registrable names
// can be added, except for internal zones.
func (s *Server) mayAdd(name, kind string, now time.Time) *Error {
	if kind != "internal" {
		if root, err := publicsuffix.EffectiveTLDPlusOne(name); err != nil || root != name {
			return invalid(CodeZoneNotRoot, "Please ensure you are providing the root domain and not any subdomains (e.g., example.com, not subdomain.example.com).")
		}
	}
	for _, z := range s.zones {
		if z.name == name && (z.kind == "internal") == (kind == "internal") {
			return invalid(CodeZoneExists, "%s already exists", name)
		}
	}
	if s.holds[name] {
		return invalid(CodeZoneHold, "The zone name provided is subject to a zone hold which disallows the creation of this zone.")
	}
	if deletions := s.deleted[name]; len(deletions) >= maxReadditions && now.Sub(deletions[len(deletions)-1]) < zoneCooldown {
		return invalid(CodeZoneCooldown, "You attempted to add this domain too many times within a short period. Wait at least 3 hours and try adding it again.")
	}
	return nil
}
