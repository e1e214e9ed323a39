// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"slices"
)

// privateRecord is where a resource keeps the ID of the DNS record that was made for it.
const privateRecord = "record"

// zoneOf is the zone of an account that a host name is in, by the zone's ID.
func (c *resourceCall) zoneOf(id, host string) (*zone, bool) {
	z := c.s.zones[id]
	if z == nil || z.accountID != c.accountID() {
		return nil, false
	}
	return z, atOrBelow(host, z.name)
}

// addressed reports whether a zone has records of a name that say where it leads.
func (z *zone) addressed(host string) bool {
	return slices.ContainsFunc(z.byName[host], func(r *record) bool { return slices.Contains([]string{"A", "AAAA", "CNAME"}, r.typ) })
}

// ownRecord makes the proxied record through which a host name leads to a resource. It is
// Cloudflare's own: nobody can change it.
func (c *resourceCall) ownRecord(z *zone, r *resource, host, recordType, content string) *Error {
	return c.s.transact(z, func(t *txn) *Error {
		made, err := t.create(fields{"type": recordType, "name": host, "content": content, "proxied": true})
		if err != nil {
			return err
		}
		after := made.clone()
		after.meta = map[string]any{"read_only": true}
		t.put(after.id, after)
		r.private[privateRecord] = after.id
		return nil
	})
}

// dropRecord removes the record that was made for a resource.
func (c *resourceCall) dropRecord(z *zone, r *resource) {
	id, _ := r.private[privateRecord].(string)
	if z == nil || z.records[id] == nil {
		return
	}
	_ = c.s.transact(z, func(t *txn) *Error { // It refuses nothing.
		t.put(id, nil)
		return nil
	})
}
