// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package dns describes the kinds of a zone's DNS other than records.
package dns

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// DNSSEC describes the signing of zones.
func DNSSEC() kind.Description {
	return kind.Description{
		Group: "dns", Name: "DNSSEC", Short: "cfdsec", Noun: "DNSSEC of the zone", Scope: kind.Zone, Shape: kind.Singleton,
		Doc:       "A DNSSEC signs the records of a zone. It is Ready once the parent zone has the DS record, which status.atProvider and the connection secret show. Its deletion leaves the zone signed: without signatures, a zone whose parent has a DS record does not resolve any more. Before you set status to disabled, remove the DS record from the parent zone, and wait until its TTL is over.",
		Terraform: "cloudflare_zone_dnssec",
		Read:      "GET /zones/{zone_id}/dnssec",
		Update:    "PATCH /zones/{zone_id}/dnssec",
		Mode:      kind.DeclaredOnly,
		Fields: map[string]kind.Field{
			"status": {Required: true, Canonical: settled, Doc: "Whether the zone is signed: active or disabled."},
		},
		Observe:  []string{"status", "ds", "key_tag", "algorithm", "digest_type", "digest", "digest_algorithm", "flags", "key_type", "public_key", "modified_on"},
		ReadOnly: []string{"ds", "key_tag", "algorithm", "digest_type", "digest", "digest_algorithm", "flags", "key_type", "public_key", "modified_on"},
		Columns:  []string{"STATUS=status", "-KEYTAG=key_tag"},
		Status: []kind.Status{{
			Path: "status", Failed: []string{"error"},
			Human: map[string]string{
				"pending":          "put the DS record that status.atProvider.ds shows into the parent zone, or at the registrar",
				"pending-disabled": "remove the DS record from the parent zone, or at the registrar",
			},
		}},
		Details: []kind.Detail{
			{Key: "ds", Path: "ds", Public: true, Doc: "The DS record for the parent zone, in presentation format."},
			{Key: "keyTag", Path: "key_tag", Public: true, Doc: "Its key tag."},
			{Key: "algorithm", Path: "algorithm", Public: true, Doc: "Its algorithm, as a number."},
			{Key: "digestType", Path: "digest_type", Public: true, Doc: "Its type of digest, as a number."},
			{Key: "digest", Path: "digest", Public: true, Doc: "Its digest, in hexadecimal."},
		},

		Permissions: []string{"DNS Write"}, Plan: "All plans",
		Excused: map[string]string{
			"LostAnswer":       "it is never created",
			"Busy":             "it is never deleted",
			"GoneOutside":      "it exists with its parent",
			"ManyOneList":      "a zone has one",
			"UndeclaredIsLeft": "what nobody declares is shown by TestFlagsOfDNSSEC",
			"ImmutableRefused": "all that it has can be changed, but for the zone",
		},
	}
}

// settled returns the status to which a transitional one leads.
func settled(status string) string {
	switch status {
	case "pending":
		return "active"
	case "pending-disabled":
		return "disabled"
	}
	return status
}
