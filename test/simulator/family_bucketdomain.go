// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"time"
)

// bucketDomainDelay is the time until the certificate of a domain is active. Cloudflare takes minutes.
const bucketDomainDelay = time.Second

// privateAttached is the private member with the time at which the domain was attached.
const privateAttached = "attached"

// bucketDomainFamily returns the custom domains of R2 buckets. A domain is in the jurisdiction of its bucket
// (Terraform provider, issue 5275). Routes below an unknown bucket are refused with the code of pulumi-cloudflare's
// issue 1174. In the document, a PUT changes only the members that it has, and the response to a PUT or POST has no
// status. The codes for an unknown domain, and for a domain that cannot be attached, are not known.
func bucketDomainFamily() *family {
	const domains = "/accounts/{account_id}/r2/buckets/{bucket_name}/domains/custom"
	const domain = domains + "/{domain}"
	return &family{
		list: domains, parameter: "domain", shape: idName, member: "domain", listAt: "domains", partition: jurisdictionOf,
		groups: []string{"Workers R2 Storage Write"},
		unique: []uniqueness{{[]string{"domain"}, func() *Error {
			return refuse(http.StatusConflict, CodeResourceConflict, "The domain is attached already.")
		}}},
		prepare: prepareBucketDomain,
		created: func(c *resourceCall, r *resource, _ map[string]any) {
			r.private[privateAttached] = c.now
			if z := c.s.zones[r.text("zoneId")]; z != nil {
				_ = c.ownRecord(z, r, r.id, "CNAME", "public.r2.dev") // No record conflicts: prepareBucketDomain has checked.
			}
		},
		removed: func(c *resourceCall, r *resource) { c.dropRecord(c.s.zones[r.text("zoneId")], r) },
		show:    showBucketDomain,
		more: map[string]handler{
			"GET " + domains:   inBucket("/domains/custom", (*resourceCall).listAll),
			"POST " + domains:  inBucket("/domains/custom", (*resourceCall).create),
			"GET " + domain:    inBucket("/domains/custom", (*resourceCall).get),
			"PUT " + domain:    inBucket("/domains/custom", (*resourceCall).merge),
			"DELETE " + domain: inBucket("/domains/custom", (*resourceCall).delete),
		},
	}
}

// prepareBucketDomain checks that the domain is in a zone of the account and has no DNS records, and sets the
// status.
func prepareBucketDomain(c *resourceCall, before *resource, doc map[string]any) *Error {
	if before == nil {
		host, _ := doc["domain"].(string)
		z, inside := c.zoneOf(textOf(doc, "zoneId"), host)
		if !inside {
			return invalid(CodeResourceInvalid, "The domain must be one of a zone in the account of the bucket.")
		}
		if c.shelf.items[host] == nil && z.addressed(host) {
			return refuse(http.StatusConflict, CodeResourceConflict, "The domain has DNS records.")
		}
		doc["zoneName"] = z.name
		if doc["minTLS"] == nil {
			doc["minTLS"] = "1.0"
		}
	}
	ownership := "active"
	if doc["enabled"] == false {
		ownership = "deactivated" // As in the example of the document.
	}
	doc["status"] = map[string]any{"ownership": ownership, "ssl": "active"}
	return nil
}

// showBucketDomain leaves the status and the zone's name out of the response to a write. A GET shows a domain as
// initializing until bucketDomainDelay is over.
func showBucketDomain(c *resourceCall, r *resource, shown map[string]any) {
	if c.r.Method != http.MethodGet {
		delete(shown, "status")
		delete(shown, "zoneName")
	}
	if c.r.Method == http.MethodPut {
		delete(shown, "zoneId")
	}
	status, reads := shown["status"].(map[string]any)
	attached, _ := r.private[privateAttached].(time.Time)
	if reads && c.now.Sub(attached) < bucketDomainDelay {
		status["ssl"] = "initializing"
		if status["ownership"] == "active" {
			status["ownership"] = "pending"
		}
	}
}
