// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package r2

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// R2BucketCORS describes which web origins may use a bucket from a browser.
func R2BucketCORS() kind.Description {
	const cors = "/accounts/{account_id}/r2/buckets/{bucket_name}/cors"
	return kind.Description{
		Group: "r2", Name: "R2BucketCORS", Short: "cfr2c", Noun: "CORS policy", Scope: kind.Account, Shape: kind.Singleton,
		Doc:       "An R2BucketCORS is the whole CORS policy of a bucket: which pages of others may read and write its objects from a browser.",
		Terraform: "cloudflare_r2_bucket_cors",
		Read:      "GET " + cors,
		Update:    "PUT " + cors,
		// The answer to a write is empty.
		WriteLacks: []string{"rules"},
		Fields: map[string]kind.Field{
			"bucket_name":             {Ref: "R2Bucket", Doc: "The name of the bucket."},
			"jurisdiction":            {Without: []string{"default"}, Doc: "The jurisdiction of the bucket."},
			"rules":                   {Required: true, MinItems: 1, Doc: "The rules. The first that fits a request decides."},
			"rules[].id":              {Doc: "A name for the rule."},
			"rules[].allowed":         {Exact: true},
			"rules[].allowed.methods": {Set: true},
			"rules[].allowed.origins": {Set: true},
			"rules[].allowed.headers": {Set: true},
			"rules[].exposeHeaders":   {Set: true},
		},
		Columns:  []string{"ORIGIN=rules[0].allowed.origins[0]"},
		Observe:  []string{"rules"},
		ID:       "bucket_name",
		Unset:    []kind.Code{{Code: 10059}},
		Gone:     []kind.Code{{Status: 404, Code: 10006}},
		OnDelete: kind.Deletion{Verb: "DELETE " + cors},
		Headers:  map[string]string{"cf-r2-jurisdiction": "jurisdiction"}, HeaderDefaults: noJurisdiction(),

		Permissions: []string{"Workers R2 Storage Write"}, Plan: "All plans, with an R2 subscription",
		Excused: excusedOfBucket(),
	}
}

// excusedOfBucket returns the rows that do not apply to a kind of which a bucket has exactly one.
func excusedOfBucket() map[string]string {
	return map[string]string{
		"LostAnswer":  "it is never created",
		"Busy":        "nothing refers to it",
		"GoneOutside": "it belongs to its bucket: TestUnset shows a CORS policy that somebody deletes",
		"ManyOneList": "a bucket has one",
	}
}
