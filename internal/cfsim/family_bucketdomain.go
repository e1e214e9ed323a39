// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"net/http"
	"time"
)

// bucketDomainDelay is how long the simulator takes to make a domain's certificate. Cloudflare takes minutes.
const bucketDomainDelay = time.Second

// privateAttached is where a domain keeps when it was attached.
const privateAttached = "attached"

// bucketDomainFamily is the domains of R2 buckets. They are in their bucket's jurisdiction (Terraform provider,
// issue 5275), and below a bucket that does not exist there is nothing (pulumi-cloudflare issue 1174, with the
// code). A PUT changes what it has, and neither its answer nor that of a creation says how far the domain is:
// the document has it so. Which codes say that there is no such domain, and that it cannot be attached, is not known.
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
				_ = c.ownRecord(z, r, r.id, "CNAME", "public.r2.dev") // Nothing is in its way: prepare looked.
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

// prepareBucketDomain attaches a domain of a zone in the account.
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
		ownership = "deactivated" // As in the document's example.
	}
	doc["status"] = map[string]any{"ownership": ownership, "ssl": "active"}
	return nil
}

// showBucketDomain shows how far a domain is, to whom only reads.
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
