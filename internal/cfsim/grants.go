// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"slices"
	"strings"
)

// A Permission of a token, named as the API's permission keys.
type Permission string

// Permissions. To write includes to read.
const (
	ZoneRead          Permission = "zone:read"
	ZoneWrite         Permission = "zone:edit"
	DNSRead           Permission = "dns_records:read"
	DNSWrite          Permission = "dns_records:edit"
	ZoneSettingsRead  Permission = "zone_settings:read"
	ZoneSettingsWrite Permission = "zone_settings:edit"
	BillingRead       Permission = "billing:read"
	// Everything includes every permission.
	Everything Permission = "*"
)

// The permissions of generic resources are the names of the permission groups that
// the official document gives for each operation, such as "Workers Routes Write".

func (p Permission) includes(q Permission) bool {
	name, edits := strings.CutSuffix(string(p), ":edit")
	return p == q || p == Everything || (edits && string(q) == name+":read")
}

// A Grant gives a permission on one zone, or on all zones of one account or of
// all.
type Grant struct {
	// Zone is an ID, or "*" (or "") for all zones.
	Zone string `json:"zone,omitempty"`
	// Account is the ID of the account whose zones are meant, "*" or "" for any.
	Account    string     `json:"account,omitempty"`
	Permission Permission `json:"permission"`
	// Except are permissions that it does not include although Permission does: for
	// tokens that may do everything but one thing.
	Except []Permission `json:"except,omitempty"`
}

func (g Grant) gives(p Permission) bool {
	return g.Permission.includes(p) && !slices.Contains(g.Except, p)
}

func (g Grant) allZones() bool { return g.Zone == "" || g.Zone == "*" }

func (g Grant) anyAccount() bool { return g.Account == "" || g.Account == "*" }

func (g Grant) coversAccount(id string) bool { return g.anyAccount() || g.Account == id }

// covers reports whether the grant is about the zone; z is nil for an ID that no
// zone has.
func (g Grant) covers(z *zone, id string) bool {
	if z == nil {
		return (g.allZones() && g.anyAccount()) || g.Zone == id
	}
	return (g.allZones() || g.Zone == id) && g.coversAccount(z.accountID)
}

// reach says how far a credential gets at a zone.
type reach int

const (
	nowhere   reach = iota // it has nothing to do with the zone
	elsewhere              // it may do something with the zone, but not this
	here
)

func (c *credential) reach(z *zone, id string, wants ...Permission) reach {
	if c.email != "" {
		return here
	}
	got := nowhere
	for _, g := range c.grants {
		if !g.covers(z, id) {
			continue
		}
		if slices.ContainsFunc(wants, g.gives) {
			return here
		}
		got = elsewhere
	}
	return got
}

// reachAccount is reach for what belongs to an account and to none of its zones.
func (c *credential) reachAccount(id string, wants []Permission) reach {
	if c.email != "" {
		return here
	}
	got := nowhere
	for _, g := range c.grants {
		if !g.allZones() || !g.coversAccount(id) {
			continue
		}
		if slices.ContainsFunc(wants, g.gives) {
			return here
		}
		got = elsewhere
	}
	return got
}

// mayIn reports whether the credential has a permission on all zones of an account.
func (c *credential) mayIn(account string, p Permission) bool {
	if c.email != "" {
		return true
	}
	for _, g := range c.grants {
		if g.allZones() && g.coversAccount(account) && g.gives(p) {
			return true
		}
	}
	return false
}

// has reports whether the credential has a permission anywhere.
func (c *credential) has(p Permission) bool {
	for _, g := range c.grants {
		if g.gives(p) {
			return true
		}
	}
	return c.email != ""
}
