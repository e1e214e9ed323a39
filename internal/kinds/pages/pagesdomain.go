// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// PagesDomain describes the custom domains of projects.
func PagesDomain() kind.Description {
	const (
		domains = "/accounts/{account_id}/pages/projects/{project_name}/domains"
		domain  = domains + "/{domain_name}"
	)
	return kind.Description{
		Group: "pages", Name: "PagesDomain", Short: "cfpd", Noun: "Pages domain", Scope: kind.Account,
		Doc: "A PagesDomain serves a Pages project under a host name of your own. The name needs a CNAME record that leads to the project's subdomain, " +
			"such as my-site.pages.dev: publish it as a Record.",
		Terraform: "cloudflare_pages_domain",
		List:      "GET " + domains,
		Create:    "POST " + domains,
		Read:      "GET " + domain,
		Delete:    "DELETE " + domain,
		Fields: map[string]kind.Field{
			"project_name": {Ref: "PagesProject"},
			"name":         {Canonical: strings.ToLower},

			"certificate_authority":         {Doc: "Who issues the certificate."},
			"status":                        {Doc: "How far the domain is: initializing, pending, active, deactivated, blocked or error."},
			"validation_data":               {Doc: "How the certificate authority proves that the domain is yours, and what it found."},
			"validation_data.error_message": {Doc: "Why the proof failed."},
			"validation_data.method":        {Doc: "Whether the proof is a DNS record (txt) or a file (http)."},
			"validation_data.txt_name":      {Doc: "The name of the TXT record to publish."},
			"validation_data.txt_value":     {Doc: "The value of the TXT record to publish."},
			"verification_data":             {Doc: "Whether the name leads to the project."},
			"zone_tag":                      {Doc: "The ID of the zone that the domain is in."},
		},
		Observe: []string{"name", "status", "certificate_authority", "validation_data", "verification_data", "zone_tag", "created_on"},
		Columns: []string{"DOMAIN=name", "STATUS=status"},
		ID:      "name", Natural: []string{"name"}, Hosted: &kind.ZoneByHostname{Host: "name", Zone: "zone_tag"},
		Gone:   []kind.Code{{Status: 404, Code: 8000021}, {Status: 404, Code: 8000007}}, // A deleted project has no domains.
		Exists: []kind.Code{{Code: 8000018}},
		Status: []kind.Status{{
			Path: "status", Converging: []string{"initializing"}, Failed: []string{"blocked"},
			Human: map[string]string{
				"pending":     "publish a CNAME record of this name that leads to the subdomain of the project, or what status.atProvider.validationData says",
				"deactivated": "point the CNAME record of this name at the subdomain of the project again",
				"error":       "correct what status.atProvider.validationData and verificationData say",
			},
		}},

		Permissions: []string{"Pages Write"}, Plan: "All plans", Sweep: time.Minute,
		Excused: map[string]string{
			"FieldUpdated":          "nothing of it can be changed: Cloudflare only looks at it again",
			"ForeignChangeReverted": "it has nothing but its name, which nobody can change",
		},
	}
}
