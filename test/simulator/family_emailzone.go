// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

const mailZone = "/zones/{zone_id}/email/routing"

// mailZoneFamily returns the settings of Email Routing, one object per zone. Tokens of accounts
// are refused as for the rules.
func mailZoneFamily() *family {
	return &family{
		list: mailZone, parameter: "none", shape: idName, usersOnly: true, seed: seedMailZone, show: showMailZone,
		more: map[string]handler{
			"GET " + mailZone:             (*resourceCall).getMailZone,
			"PATCH " + mailZone:           (*resourceCall).patchMailZone,
			"PUT " + mailZone:             (*resourceCall).patchMailZone,
			"GET " + mailZone + "/dns":    (*resourceCall).listMailRecords,
			"POST " + mailZone + "/dns":   (*resourceCall).enableMail,
			"DELETE " + mailZone + "/dns": (*resourceCall).disableMail,
		},
	}
}

// mailSettings is the key of the only resource of such a collection.
const mailSettings = "settings"

func seedMailZone(s *Server, sh *shelf) {
	id := s.newID()
	s.put(sh, mailSettings, map[string]any{
		"id": id, "tag": id, "enabled": false, "skip_wizard": false, "support_subaddress": false,
		"created": timestamp(s.now()), "modified": timestamp(s.now()),
	})
}

// mailRecords returns the records that Email Routing needs in a zone. The sources are the
// document's examples and
// developers.cloudflare.com/email-routing/setup/email-routing-dns-records.
func mailRecords(zone string) []map[string]any {
	out := []map[string]any{{"type": "TXT", "name": zone, "content": `"v=spf1 include:_spf.mx.cloudflare.net ~all"`, "ttl": 1}}
	for i := range 3 {
		out = append(out, map[string]any{
			"type": "MX", "name": zone, "content": fmt.Sprintf("route%d.mx.cloudflare.net", i+1), "priority": 10 * (i + 1), "ttl": 1,
		})
	}
	return out
}

// isMailRecord reports whether a record belongs to Email Routing.
func isMailRecord(r *record) bool { return r.meta["email_routing"] == true }

// showMailZone sets the status: ready if all records of Email Routing are there, unconfigured
// if none is, misconfigured otherwise.
func showMailZone(c *resourceCall, _ *resource, shown map[string]any) {
	shown["name"], shown["status"] = c.zone.name, "ready"
	n := 0
	for _, r := range c.zone.records {
		if isMailRecord(r) {
			n++
		}
	}
	switch {
	case n == 0:
		shown["status"] = "unconfigured"
	case n < len(mailRecords(c.zone.name)):
		shown["status"] = "misconfigured"
	}
}

func (c *resourceCall) mailZone() *resource { return c.shelf.items[mailSettings] }

func (c *resourceCall) getMailZone() (reply, *Error) {
	return reply{result: c.shown(c.mailZone())}, nil
}

func (c *resourceCall) setMailZone(changes map[string]any) (reply, *Error) {
	doc := copyOf(c.mailZone().doc)
	maps.Copy(doc, changes)
	doc["modified"] = timestamp(c.now)
	return reply{result: c.shown(c.s.put(c.shelf, mailSettings, doc))}, nil
}

// patchMailZone changes the settings except enabled. By the document, enabled has no effect
// here.
func (c *resourceCall) patchMailZone() (reply, *Error) {
	body, err := c.admit(true)
	if err != nil {
		return reply{}, err
	}
	delete(body, "enabled")
	return c.setMailZone(body)
}

func (c *resourceCall) listMailRecords() (reply, *Error) {
	var out []any
	for _, r := range mailRecords(c.zone.name) {
		out = append(out, r)
	}
	_, info := paginate(out, 1, len(out))
	return reply{result: out, info: c.info(info)}, nil
}

// enableMail adds the records and locks them: they cannot be changed as records.
func (c *resourceCall) enableMail() (reply, *Error) {
	body, err := c.decodeBody()
	if err == nil {
		err = c.entitled(body)
	}
	if err != nil {
		return reply{}, err
	}
	if c.mailZone().doc["enabled"] == true {
		return c.getMailZone()
	}
	err = c.s.transact(c.zone, func(t *txn) *Error {
		for _, body := range mailRecords(c.zone.name) {
			raw, failed := json.Marshal(body)
			if failed != nil {
				panic("simulator: a record of Email Routing is not JSON: " + failed.Error())
			}
			object, err := decodeObject(raw)
			if err != nil {
				return err
			}
			r, err := t.create(object)
			if err != nil {
				return err
			}
			locked := r.clone()
			locked.meta = map[string]any{"email_routing": true, "read_only": true}
			t.put(r.id, locked)
		}
		return nil
	})
	if err != nil {
		return reply{}, err
	}
	return c.setMailZone(map[string]any{"enabled": true})
}

// disableMail removes the records.
func (c *resourceCall) disableMail() (reply, *Error) {
	err := c.s.transact(c.zone, func(t *txn) *Error {
		for _, id := range slices.Sorted(maps.Keys(c.zone.records)) {
			if isMailRecord(c.zone.records[id]) {
				t.put(id, nil)
			}
		}
		return nil
	})
	if err != nil {
		return reply{}, err
	}
	return c.setMailZone(map[string]any{"enabled": false})
}
