// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"slices"
	"strings"
)

const certificatePacks = "/zones/{zone_id}/ssl/certificate_packs"

// CodePackOrdering is the code of the refusal to delete a pack whose order is not complete
// (Terraform provider, issue 3248).
const CodePackOrdering = 1406

// packFamily returns the edge certificates of a zone. A zone has a universal certificate from
// the start.
func packFamily() *family {
	return &family{
		list: certificatePacks, parameter: "certificate_pack_id", shape: idHex, seed: seedPacks,
		prepare: preparePack, busy: busyPack,
		filters: map[string]filter{
			"status": func(*resource, string) bool { return true },
			"deploy": func(*resource, string) bool { return true },
		},
		more: map[string]handler{
			"GET " + certificatePacks:             (*resourceCall).listPacks,
			"POST " + certificatePacks + "/order": (*resourceCall).create,
		},
	}
}

func seedPacks(s *Server, sh *shelf) {
	zone, id := s.zones[strings.Split(sh.path, "/")[2]], s.newID()
	s.put(sh, id, map[string]any{
		"id": id, "type": "universal", "status": "active", "hosts": []any{zone.name, "*." + zone.name}, "certificates": []any{},
		"certificate_authority": "google", "validation_method": "txt", "validity_days": 90,
	})
}

// listPacks lists the active packs, or all packs with status=all.
func (c *resourceCall) listPacks() (reply, *Error) {
	if c.r.URL.Query().Get("status") == "all" {
		return c.listAll()
	}
	active := &shelf{path: c.shelf.path, f: c.f, items: map[string]*resource{}}
	for id, r := range c.shelf.items {
		if r.doc["status"] == "active" {
			active.items[id] = r
		}
	}
	only := *c
	only.shelf = active
	return only.listAll()
}

// preparePack refuses an order with names outside of the zone, and one without the name of the
// zone, as the document says of hosts. A pack is issued at once.
func preparePack(c *resourceCall, before *resource, doc map[string]any) *Error {
	if before != nil {
		return nil
	}
	hosts, _ := doc["hosts"].([]any)
	for _, h := range hosts {
		if name, _ := h.(string); !atOrBelow(strings.TrimPrefix(name, "*."), c.zone.name) {
			return invalid(CodeResourceInvalid, "The host name %q is not of the zone.", name)
		}
	}
	if !slices.Contains(hosts, any(c.zone.name)) || len(hosts) > 50 {
		return invalid(CodeResourceInvalid, "A pack must have the zone's name, and fifty host names at most.")
	}
	doc["status"], doc["certificates"] = "active", []any{}
	return nil
}

// busyPack refuses the deletion of the universal certificate, and of a pack whose order is not
// complete.
func busyPack(_ *resourceCall, r *resource) *Error {
	switch {
	case r.doc["type"] != "advanced":
		return invalid(CodeResourceInvalid, "Only advanced packs can be deleted.")
	case r.doc["status"] == "initializing":
		return refuse(http.StatusConflict, CodePackOrdering, "The pack is being ordered.")
	}
	return nil
}
