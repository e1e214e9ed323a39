// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"net/http"
	"strings"
)

// Codes of the domains of Workers: 100114 is from tests against the live API (alchemy-run/distilled),
// 100117 is cloudflare/workers-sdk issue 9878, with the status in vm0-ai/vm0 pull request 33406, and 10082
// is Kilo-Org/cloud pull request 4031. Which status 10082 has is not known.
const (
	CodeWorkerDomainNoZone   = 10082
	CodeWorkerDomainNotFound = 100114
	CodeWorkerDomainHasDNS   = 100117
)

// workerDomainFamily is the domains of Workers. A domain is attached by a PUT on the collection, which also
// moves one from a Worker to another; its ID stays, and Cloudflare makes its certificate and its DNS record.
func workerDomainFamily() *family {
	const domains = "/accounts/{account_id}/workers/domains"
	return &family{
		list: domains, parameter: "domain_id", shape: idHex,
		missing: func() *Error {
			return refuse(http.StatusNotFound, CodeWorkerDomainNotFound, "The domain does not exist.")
		},
		removed: func(c *resourceCall, r *resource) { c.dropRecord(c.s.zones[r.text("zone_id")], r) },
		more: map[string]handler{
			"PUT " + domains: (*resourceCall).attachWorkerDomain,
			// Its answer has no body (Terraform provider, commit ea0ca978e).
			"DELETE " + domains + "/{domain_id}": func(c *resourceCall) (reply, *Error) {
				_, err := c.delete()
				return reply{bare: true}, err
			},
		},
	}
}

// attachWorkerDomain answers PUT. What leads a host name elsewhere is refused: the option to override it
// is about the records of other Workers alone (a comment of Cloudflare's in workers-sdk issue 9878), and no part
// of the document.
func (c *resourceCall) attachWorkerDomain() (reply, *Error) {
	doc, err := c.admit(true)
	if err != nil {
		return reply{}, err
	}
	host := strings.ToLower(textOf(doc, "hostname"))
	z, err := c.workerDomainZone(doc, host)
	if err != nil {
		return reply{}, err
	}
	if c.beside("/workers/scripts").items[textOf(doc, "service")] == nil {
		return reply{}, refuse(http.StatusNotFound, CodeScriptNotFound, "This Worker does not exist on your account.")
	}
	before := c.workerDomain(host)
	if before == nil && z.addressed(host) {
		return reply{}, refuse(http.StatusConflict, CodeWorkerDomainHasDNS,
			"Hostname '%s' already has externally managed DNS records (A, CNAME, etc). Either delete them, try a different hostname, or use the option 'override_existing_dns_record' to override.", host)
	}
	id := c.s.newID()
	doc["cert_id"] = c.s.newUUID()
	if before != nil {
		id, doc["cert_id"] = before.id, before.doc["cert_id"]
		for name, value := range before.doc {
			if _, given := doc[name]; !given {
				doc[name] = value
			}
		}
	}
	doc["id"], doc["hostname"], doc["environment"], doc["zone_id"], doc["zone_name"] = id, host, "production", z.id, z.name
	r := c.s.put(c.shelf, id, doc)
	if before == nil {
		if err := c.ownRecord(z, r, host, "AAAA", "100::"); err != nil {
			return reply{}, err
		}
	}
	return reply{result: c.shown(r)}, nil
}

// workerDomain is the domain of that host name, nil where there is none.
func (c *resourceCall) workerDomain(host string) *resource {
	for _, r := range c.shelf.sorted() {
		if r.text("hostname") == host {
			return r
		}
	}
	return nil
}

// workerDomainZone is the zone that a body names by its ID or its name. It is not inferred from the host name.
func (c *resourceCall) workerDomainZone(doc map[string]any, host string) (*zone, *Error) {
	id, name := textOf(doc, "zone_id"), textOf(doc, "zone_name")
	for _, z := range c.s.zones {
		if id == "" && name != "" && z.name == name && z.accountID == c.accountID() {
			id = z.id
		}
	}
	if id == "" {
		return nil, invalid(CodeWorkerDomainNoZone, "Can't infer zone from route.")
	}
	z, inside := c.zoneOf(id, host)
	if !inside {
		return nil, invalid(CodeResourceInvalid, "The hostname must be one of the zone.")
	}
	return z, nil
}
