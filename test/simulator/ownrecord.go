// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"slices"
)

// privateRecord is the private member of a resource with the ID of its DNS record.
const privateRecord = "record"

// zoneOf returns the zone with an ID. It returns false if the account has no such zone,
// or if host is not in it.
func (c *resourceCall) zoneOf(id, host string) (*zone, bool) {
	z := c.s.zones[id]
	if z == nil || z.accountID != c.accountID() {
		return nil, false
	}
	return z, atOrBelow(host, z.name)
}

// addressed reports whether a zone has an A, AAAA or CNAME record with a name.
func (z *zone) addressed(host string) bool {
	return slices.ContainsFunc(z.byName[host], func(r *record) bool { return slices.Contains([]string{"A", "AAAA", "CNAME"}, r.typ) })
}

// ownRecord creates the proxied record of a resource's host name. The record belongs to
// Cloudflare: it cannot be changed as a record.
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

// dropRecord deletes the record of a resource.
func (c *resourceCall) dropRecord(z *zone, r *resource) {
	id, _ := r.private[privateRecord].(string)
	if z == nil || z.records[id] == nil {
		return
	}
	_ = c.s.transact(z, func(t *txn) *Error { // The function returns no error.
		t.put(id, nil)
		return nil
	})
}
