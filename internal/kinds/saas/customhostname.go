// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package saas describes the kinds of Cloudflare for SaaS.
package saas

import (
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// CustomHostname describes the host names of tenants.
func CustomHostname() kind.Description {
	return kind.Description{
		Group: "saas", Name: "CustomHostname", Short: "cfch", Noun: "custom hostname", Scope: kind.Zone,
		Doc:       "A CustomHostname serves the host name of a tenant by the zone of a SaaS platform. What the tenant has to publish is in status.atProvider. Cloudflare issues the certificate: one that the tenant brings is not supported.",
		Terraform: "cloudflare_custom_hostname",
		List:      "GET /zones/{zone_id}/custom_hostnames",
		Create:    "POST /zones/{zone_id}/custom_hostnames",
		Read:      "GET /zones/{zone_id}/custom_hostnames/{custom_hostname_id}",
		Update:    "PATCH /zones/{zone_id}/custom_hostnames/{custom_hostname_id}",
		Delete:    "DELETE /zones/{zone_id}/custom_hostnames/{custom_hostname_id}",
		Page:      kind.Page{Max: 1000}, Mode: kind.DeclaredOnly,
		Fields: map[string]kind.Field{
			"hostname":             {Immutable: true, Canonical: strings.ToLower},
			"ssl.settings.ciphers": {Set: true},
		},
		// These are certificates of tenants: their keys would have to be sent with each change.
		Hide: []string{"ssl.custom_cert_bundle", "ssl.custom_certificate", "ssl.custom_csr_id", "ssl.custom_key"},
		Observe: []string{
			"hostname", "status", "verification_errors", "ownership_verification", "ownership_verification_http", "created_at",
			"ssl.status", "ssl.method", "ssl.certificate_authority", "ssl.expires_on", "ssl.validation_records", "ssl.validation_errors", "ssl.dcv_delegation_records",
		},
		Columns: []string{"HOSTNAME=hostname", "STATUS=status", "SSL=ssl.status"},
		Natural: []string{"hostname"},
		Gone:    []kind.Code{{Status: 404}},
		ReadOnly: []string{
			"status", "ownership_verification", "ownership_verification_http", "verification_errors",
			"ssl.id", "ssl.status", "ssl.validation_records", "ssl.validation_errors", "ssl.dcv_delegation_records",
			"ssl.expires_on", "ssl.hosts", "ssl.issuer", "ssl.serial_number", "ssl.signature", "ssl.uploaded_on",
		},
		Status: []kind.Status{
			{
				Path: "status",
				Converging: []string{
					"active_redeploying", "pending_deletion", "pending_migration", "pending_provisioned", "provisioned",
					"test_pending", "test_active", "test_active_apex",
				},
				Failed: []string{"deleted", "blocked", "test_blocked", "test_failed", "pending_blocked"},
				Human: map[string]string{
					"pending": "the tenant has to point the host name at the zone, or to publish what status.atProvider.ownershipVerification says",
					"moved":   "the tenant has to point the host name at the zone again",
				},
			},
			{
				Path: "ssl.status",
				Converging: []string{
					"initializing", "pending_issuance", "pending_deployment", "pending_cleanup", "pending_deletion", "staging_deployment",
					"deactivating",
				},
				Failed: []string{"expired", "deleted", "deletion_timed_out", "initializing_timed_out", "issuance_timed_out", "deployment_timed_out"},
				Human: map[string]string{
					"pending_validation":   "the tenant has to publish what status.atProvider.ssl.validationRecords says",
					"validation_timed_out": "the tenant has not published what status.atProvider.ssl.validationRecords says: have it published, and change spec.forProvider.ssl to ask for a certificate again",
				},
			},
		},

		Permissions: []string{"SSL and Certificates Write"}, Plan: "All plans, with 100 host names, and more against payment", Sweep: time.Minute,
		Excused: map[string]string{
			"Busy":       "nothing refers to it",
			"ListBroken": "at the interval of these tests the sweep finds that it is ready, and no look by its ID",
		},
	}
}
