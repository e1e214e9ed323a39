// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"strings"
)

// Codes of the domains of Workers. 100114 is from tests against the live API (alchemy-run/distilled). 100117 is
// from cloudflare/workers-sdk issue 9878, with the status in vm0-ai/vm0 pull request 33406. 10082 is from
// Kilo-Org/cloud pull request 4031, without a status.
const (
	CodeWorkerDomainNoZone   = 10082
	CodeWorkerDomainNotFound = 100114
	CodeWorkerDomainHasDNS   = 100117
)

// workerDomainFamily returns the domains of Workers. A PUT on the collection attaches a domain. It also moves a
// domain to another Worker, and the ID stays. Cloudflare creates the certificate and the DNS record.
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
			// The response has no body (Terraform provider, commit ea0ca978e).
			"DELETE " + domains + "/{domain_id}": func(c *resourceCall) (reply, *Error) {
				_, err := c.delete()
				return reply{bare: true}, err
			},
		},
	}
}

// attachWorkerDomain handles PUT. It refuses a host name with DNS records for another target. The option to
// override them concerns only the records of other Workers (a comment of Cloudflare's in workers-sdk issue
// 9878), and is not in the document.
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

// workerDomain returns the domain with a host name, or nil if there is none.
func (c *resourceCall) workerDomain(host string) *resource {
	for _, r := range c.shelf.sorted() {
		if r.text("hostname") == host {
			return r
		}
	}
	return nil
}

// workerDomainZone returns the zone that a body names by its ID or its name. It does not infer the zone from the
// host name.
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
