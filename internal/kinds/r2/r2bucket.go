// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package r2 describes the kinds of R2.
package r2

import (
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// R2Bucket describes buckets.
func R2Bucket() kind.Description {
	return kind.Description{
		Group: "r2", Name: "R2Bucket", Short: "cfr2", Noun: "bucket", Scope: kind.Account,
		Doc:       "An R2Bucket is a bucket of Cloudflare's object store. Cloudflare refuses to delete a bucket that is not empty.",
		Terraform: "cloudflare_r2_bucket",
		List:      "GET /accounts/{account_id}/r2/buckets",
		Create:    "POST /accounts/{account_id}/r2/buckets",
		Read:      "GET /accounts/{account_id}/r2/buckets/{bucket_name}",
		Update:    "PATCH /accounts/{account_id}/r2/buckets/{bucket_name}",
		Delete:    "DELETE /accounts/{account_id}/r2/buckets/{bucket_name}",
		Page:      kind.Page{Max: 1000, Cursor: true, At: "buckets"}, Mode: kind.DeclaredOnly,
		Fields: map[string]kind.Field{
			"locationHint": {Doc: "Where to put the bucket. Cloudflare takes it as a hint, and only at the creation.", WriteOnly: true, Canonical: strings.ToUpper},
			"storageClass": {Answer: "storage_class"},
			"jurisdiction": {Doc: "The jurisdiction in which the objects of this bucket are stored. It is part of the bucket's identity.", Partitions: []string{"eu", "fedramp", "us"}},
		},
		Observe: []string{"name", "location", "jurisdiction", "storage_class", "creation_date"},
		Columns: []string{"BUCKET=name", "LOCATION=location", "-JURISDICTION=jurisdiction", "-CLASS=storage_class"},
		ID:      "name", Natural: []string{"name"},
		Gone: []kind.Code{{Status: 404, Code: 10006}}, Exists: []kind.Code{{Code: 10004}}, Busy: []kind.Code{{Code: 10008}},
		Refused: []kind.Refusal{{Code: kind.Code{Code: 10042}, Reason: "NotEnabled", Remedy: "enable R2 in the dashboard of the account"}},
		Headers: map[string]string{"cf-r2-jurisdiction": "jurisdiction"}, HeaderDefaults: noJurisdiction(),
		UpdateHeaders: map[string]string{"cf-r2-storage-class": "storageClass"},

		Permissions: []string{"Workers R2 Storage Write"}, Plan: "All plans, with an R2 subscription",
	}
}

// noJurisdiction returns the header value of a bucket without a jurisdiction.
func noJurisdiction() map[string]string {
	return map[string]string{"cf-r2-jurisdiction": "default"}
}
