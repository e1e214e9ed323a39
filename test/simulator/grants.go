// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"slices"
	"strings"
)

// A Permission of a token has the name of a permission key of the API.
type Permission string

// Permissions. Each write permission includes the read permission.
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

// includes reports whether p includes q. The permissions of generic resources are the
// names of the permission groups in the official document, such as "Workers Routes
// Write". They include only themselves.

func (p Permission) includes(q Permission) bool {
	name, edits := strings.CutSuffix(string(p), ":edit")
	return p == q || p == Everything || (edits && string(q) == name+":read")
}

// A Grant is a permission on one zone, or on all zones of one account or of all
// accounts.
type Grant struct {
	// Zone is an ID, or "*" (or "") for all zones.
	Zone string `json:"zone,omitempty"`
	// Account is the ID of the account of the zones. "*" and "" mean all accounts.
	Account    string     `json:"account,omitempty"`
	Permission Permission `json:"permission"`
	// Except has the permissions that the grant does not include although Permission
	// does. It is for tokens with all permissions except one.
	Except []Permission `json:"except,omitempty"`
}

func (g Grant) gives(p Permission) bool {
	return g.Permission.includes(p) && !slices.Contains(g.Except, p)
}

func (g Grant) allZones() bool { return g.Zone == "" || g.Zone == "*" }

func (g Grant) anyAccount() bool { return g.Account == "" || g.Account == "*" }

func (g Grant) coversAccount(id string) bool { return g.anyAccount() || g.Account == id }

// covers reports whether the grant is about the zone. z is nil if no zone has the ID.
func (g Grant) covers(z *zone, id string) bool {
	if z == nil {
		return (g.allZones() && g.anyAccount()) || g.Zone == id
	}
	return (g.allZones() || g.Zone == id) && g.coversAccount(z.accountID)
}

// A reach says whether a credential may use a zone.
type reach int

const (
	nowhere   reach = iota // It has no permission on the zone.
	elsewhere              // It has another permission on the zone.
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

// reachAccount is reach for the resources of an account that belong to no zone.
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

// has reports whether the credential has a permission in any place.
func (c *credential) has(p Permission) bool {
	for _, g := range c.grants {
		if g.gives(p) {
			return true
		}
	}
	return c.email != ""
}
