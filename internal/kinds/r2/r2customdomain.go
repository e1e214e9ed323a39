// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package r2

import (
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// R2CustomDomain describes host names that serve the objects of buckets.
func R2CustomDomain() kind.Description {
	const (
		domains = "/accounts/{account_id}/r2/buckets/{bucket_name}/domains/custom"
		again   = "delete this object and create it again"
	)
	return kind.Description{
		Group: "r2", Name: "R2CustomDomain", Short: "cfr2d", Noun: "custom domain", Scope: kind.Account,
		Doc: "An R2CustomDomain shows the objects of a bucket to everyone, under a host name of a zone in the same account. " +
			"Cloudflare makes the DNS record and the certificate of the host name.",
		Terraform: "cloudflare_r2_custom_domain",
		List:      "GET " + domains,
		Create:    "POST " + domains,
		Read:      "GET " + domains + "/{domain}",
		Update:    "PUT " + domains + "/{domain}",
		Delete:    "DELETE " + domains + "/{domain}",
		Page:      kind.Page{At: "domains"}, Mode: kind.DeclaredOnly, // That PUT keeps the fields that are left out.
		WriteLacks: []string{"status", "zoneName"}, ReadOnly: []string{"status", "zoneName"},
		Fields: map[string]kind.Field{
			"bucket_name":  {Ref: "R2Bucket", Doc: "The name of the bucket."},
			"jurisdiction": {Doc: "The jurisdiction of the bucket.", Partitions: []string{"eu", "fedramp", "us"}},
			"status":       {Doc: "How far the proof of ownership and the certificate are."},
			"domain":       {Canonical: strings.ToLower, Doc: "The host name: the zone's name, or one below it."},
			"zoneId":       {Ref: "zone.Zone", Doc: "The ID of the zone that the host name is in."},
			"enabled":      {Doc: "Whether the host name shows the objects."},
			"minTLS":       {Doc: "The lowest version of TLS that clients may use. Left out, it is 1.0."},
			"ciphers":      {Set: true, Doc: "The ciphers that clients may use, by their names in BoringSSL. Left out, Cloudflare chooses them."},
		},
		Observe: []string{"domain", "enabled", "status", "zoneId", "zoneName", "minTLS", "ciphers"},
		Columns: []string{"HOSTNAME=domain", "ENABLED=enabled", "-OWNERSHIP=status.ownership", "-SSL=status.ssl"},
		ID:      "domain", Natural: []string{"domain"},
		Gone: []kind.Code{{Status: 404}},
		// A domain that is declared as not enabled is deactivated, and ready.
		Status: []kind.Status{
			{Path: "status.ownership", Unknown: "unknown", Converging: []string{"pending"}, Human: map[string]string{
				"blocked": "ask Cloudflare why it blocks the host name", "error": "see that the zone is active, then " + again,
			}},
			{Path: "status.ssl", Unknown: "unknown", Converging: []string{"initializing", "pending"}, Human: map[string]string{
				"error": "see that the zone's CAA records allow Cloudflare's certificate authorities, then " + again,
			}},
		},
		Headers: map[string]string{"cf-r2-jurisdiction": "jurisdiction"}, HeaderDefaults: noJurisdiction(),

		Permissions: []string{"Workers R2 Storage Write"}, Plan: "All plans, with an R2 subscription",
	}
}
