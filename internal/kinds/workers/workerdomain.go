// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import (
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// WorkerDomain describes host names that lead to Workers.
func WorkerDomain() kind.Description {
	return kind.Description{
		Group: "workers", Name: "WorkerDomain", Short: "cfwd", Noun: "Worker domain", Scope: kind.Account,
		Doc:       "A WorkerDomain leads all requests for a host name to a Worker. Cloudflare makes the DNS record and the certificate of the host name.",
		Terraform: "cloudflare_workers_custom_domain",
		List:      "GET /accounts/{account_id}/workers/domains",
		Create:    "PUT /accounts/{account_id}/workers/domains",
		Read:      "GET /accounts/{account_id}/workers/domains/{domain_id}",
		Update:    "PUT /accounts/{account_id}/workers/domains", // The host name in the body identifies the domain.
		Delete:    "DELETE /accounts/{account_id}/workers/domains/{domain_id}",
		ReadOnly:  []string{"id", "cert_id", "environment"}, Hide: []string{"zone_name"},
		Fields: map[string]kind.Field{
			// The creation moves a host name that has a Worker already. A host name in another case must
			// not seem to be absent.
			"hostname": {Immutable: true, Canonical: strings.ToLower, Doc: "The host name: the zone's name, or one below it."},
			"service":  {Ref: "WorkerScript", Doc: "The name of the Worker."},
			// Cloudflare refuses to infer the zone (code 10082).
			"zone_id": {Ref: "zone.Zone", Required: true, Immutable: true, Doc: "The ID of the zone that the host name is in."},
		},
		Observe: []string{"hostname", "service", "zone_id", "zone_name", "cert_id"},
		Columns: []string{"HOSTNAME=hostname", "WORKER=service", "-ZONE=zone_name"},
		Natural: []string{"hostname"},
		Gone:    []kind.Code{{Code: 100114}},
		Refused: []kind.Refusal{
			{Code: kind.Code{Code: 10007}, Reason: "WorkerNotFound", Remedy: "name a Worker that exists in spec.forProvider.service"},
			{Code: kind.Code{Code: 100117}, Reason: "HostnameInUse", Remedy: "delete the DNS records of the host name, or choose another one"},
		},

		Permissions: []string{"Workers Scripts Write"}, Plan: "All plans",
		Excused: map[string]string{
			"FieldUpdated": "only the Worker can be changed, and the example refers to it; ForeignChangeReverted shows an update",
		},
	}
}
