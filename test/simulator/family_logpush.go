// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"net/url"
	"slices"
)

// logpushDestination is the member with the URL of a destination.
const logpushDestination = "destination_conf"

// logpushFamily returns the Logpush jobs. The ID of a job is a number. The destination contains its credentials,
// and responses show them (Terraform provider, issue 3020).
func logpushFamily() *family {
	return &family{
		list: eitherParent + "/logpush/jobs", parameter: "job_id", shape: idNumber,
		prepare: prepareLogpush,
		show: func(_ *resourceCall, r *resource, shown map[string]any) {
			shown[logpushDestination] = r.doc[logpushDestination]
		},
		deletion: func(_ *resourceCall, r *resource) any { return map[string]any{"id": r.doc["id"]} },
	}
}

// zoneDatasets returns the datasets of zones. All others belong to accounts.
func zoneDatasets() []string {
	return []string{"dns_logs", "firewall_events", "http_requests", "nel_reports", "page_shield_events", "spectrum_events"}
}

// prepareLogpush checks the plan and that the dataset belongs to the parent. A new destination in S3, GCS or
// Azure needs a challenge of ownership.
func prepareLogpush(c *resourceCall, before *resource, doc map[string]any) *Error {
	if c.zone != nil && c.zone.plan != PlanEnterprise {
		return refuse(http.StatusForbidden, CodeNotEntitled, "The zone's plan has no Logpush.")
	}
	if (c.zone != nil) != slices.Contains(zoneDatasets(), textOf(doc, "dataset")) {
		return invalid(CodeResourceInvalid, "The dataset is not one of this parent.")
	}
	if before != nil && doc[logpushDestination] == nil {
		doc[logpushDestination] = before.doc[logpushDestination]
	}
	changed := before == nil || doc[logpushDestination] != before.doc[logpushDestination]
	address, err := url.Parse(textOf(doc, logpushDestination))
	if err != nil || address.Scheme == "" {
		return invalid(CodeResourceInvalid, "The destination must be a URL.")
	}
	if changed && slices.Contains([]string{"s3", "gs", "azure"}, address.Scheme) && textOf(doc, "ownership_challenge") == "" {
		return invalid(CodeResourceInvalid, "The destination needs a challenge of ownership.")
	}
	for _, member := range []string{"last_complete", "last_error", "error_message"} {
		if _, has := doc[member]; !has {
			doc[member] = nil
		}
	}
	return nil
}
