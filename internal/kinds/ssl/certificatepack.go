// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ssl

import (
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// CertificatePack describes advanced certificates of a zone's edge.
func CertificatePack() kind.Description {
	const packs = "/zones/{zone_id}/ssl/certificate_packs"
	return kind.Description{
		Group: "ssl", Name: "CertificatePack", Short: "cfcp", Noun: "certificate pack", Scope: kind.Zone,
		Doc:       "A CertificatePack is an advanced certificate that Cloudflare shows to visitors, for host names that the universal certificate of the zone does not have. Cloudflare renews it. For other host names, create another one, and delete this one once that is Ready.",
		Terraform: "cloudflare_certificate_pack",
		List:      "GET " + packs,
		Create:    "POST " + packs + "/order",
		Read:      "GET " + packs + "/{certificate_pack_id}",
		Update:    "PATCH " + packs + "/{certificate_pack_id}",
		Delete:    "DELETE " + packs + "/{certificate_pack_id}",
		Page:      kind.Page{Max: 50}, Mode: kind.DeclaredOnly,
		// Without this parameter, a list has only active packs.
		ListQuery: map[string]string{"status": "all"}, Skip: notOrdered, Leaving: isLeaving,
		Fields: map[string]kind.Field{
			"hosts":                 {Set: true, Required: true, MaxItems: 50, Doc: "The host names, 50 at most, in lower case. The name of the zone must be one of them."},
			"certificate_authority": {Doc: "The certificate authority that issues the certificate."},
			"validation_method":     {Doc: "How the authority sees that the host names are the zone's."},
			"validity_days":         {Doc: "For how many days a certificate is valid. Not each authority takes each number."},
			"cloudflare_branding":   {Doc: "Whether the common name of the certificate is a name of Cloudflare's, below sni.cloudflaressl.com."},
		},
		Observe: []string{"hosts", "type", "status", "certificate_authority", "validation_method", "validity_days", "validation_records", "validation_errors", "dcv_delegation_records", "primary_certificate"},
		Columns: []string{"STATUS=status", "AUTHORITY=certificate_authority"},
		Undated: true,
		Gone:    []kind.Code{{Status: 404}},
		Busy:    []kind.Code{{Code: 1406}}, // The pack is being ordered.
		ReadOnly: []string{
			"id", "status", "certificates", "primary_certificate", "validation_records", "validation_errors", "dcv_delegation_records",
		},
		Status: []kind.Status{{
			Path: "status",
			Converging: []string{
				"initializing", "pending_issuance", "pending_deployment", "pending_cleanup", "staging_deployment", "holding_deployment",
			},
			Failed: []string{
				"deletion_timed_out", "deactivating", "inactive", "expired", "initializing_timed_out", "issuance_timed_out", "deployment_timed_out",
			},
			Human: map[string]string{
				"pending_validation":   "where Cloudflare does not serve the DNS of the zone, publish what status.atProvider.validationRecords shows; otherwise wait",
				"validation_timed_out": "publish what status.atProvider.validationRecords shows, and restart the validation in the dashboard",
			},
		}},

		Permissions: []string{"SSL and Certificates Write"}, Plan: "All plans, with Advanced Certificate Manager, a paid add-on", Sweep: time.Minute,
		Excused: map[string]string{
			"Adopted": "packs have no name: several may be for the same host names",
		},
	}
}

// notOrdered reports whether a pack was not ordered, such as the universal certificate.
func notOrdered(pack kind.Document) bool { return kind.Text(pack, "type") != "advanced" }
