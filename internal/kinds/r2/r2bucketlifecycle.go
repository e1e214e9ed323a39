// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package r2

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// R2BucketLifecycle describes when the objects of a bucket are deleted or moved.
func R2BucketLifecycle() kind.Description {
	const lifecycle = "/accounts/{account_id}/r2/buckets/{bucket_name}/lifecycle"
	return kind.Description{
		Group: "r2", Name: "R2BucketLifecycle", Short: "cfr2l", Noun: "lifecycle", Scope: kind.Account, Shape: kind.Singleton,
		Doc: "An R2BucketLifecycle has all lifecycle rules of a bucket: after what time its objects are deleted, or stored where reading costs more, and its incomplete uploads end. " +
			"Its deletion sets the rule that a new bucket has: incomplete uploads end after seven days.",
		Terraform: "cloudflare_r2_bucket_lifecycle",
		Read:      "GET " + lifecycle,
		Update:    "PUT " + lifecycle,
		// The answer to a write is empty.
		WriteLacks: []string{"rules"},
		Fields:     lifecycleFields(),
		Columns:    []string{"RULE=rules[0].id", "ENABLED=rules[0].enabled"},
		Observe:    []string{"rules"},
		ID:         "bucket_name",
		Gone:       []kind.Code{{Status: 404, Code: 10006}},
		OnDelete: kind.Deletion{Verb: "PUT " + lifecycle, Body: map[string]any{"rules": []any{map[string]any{
			"id": "Default Multipart Abort Rule", "enabled": true, "conditions": map[string]any{"prefix": ""},
			"abortMultipartUploadsTransition": map[string]any{"condition": map[string]any{"type": "Age", "maxAge": 604800}},
		}}}},
		Headers: map[string]string{"cf-r2-jurisdiction": "jurisdiction"}, HeaderDefaults: noJurisdiction(),

		Permissions: []string{"Workers R2 Storage Write"}, Plan: "All plans, with an R2 subscription",
		Excused: excusedOfBucket(),
	}
}

func lifecycleFields() map[string]kind.Field {
	fields := map[string]kind.Field{
		"bucket_name":  {Ref: "R2Bucket", Doc: "The name of the bucket."},
		"jurisdiction": {Without: []string{"default"}, Doc: "The jurisdiction of the bucket."},
		"rules":        {Required: true, Set: true, Key: "id", Doc: "The rules. Where several fit an object, each is carried out. What a rule leaves out is removed."},
		"rules[]":      {Exact: true}, // A transition that is not declared must be removed: it would delete objects.
		"rules[].id":   {Doc: "A name for the rule, which no other rule of the bucket has."},
		// The name is that of S3, because an object of Kubernetes has conditions of its own.
		"rules[].conditions": {Name: "filter", Doc: "Which objects and uploads the rule is for."},
		// The prefix "" means all objects.
		"rules[].conditions.prefix":                      {Required: true, KeepZero: true, Default: ""},
		"rules[].storageClassTransitions[].storageClass": {Doc: "The storage class that objects get."},
	}
	for _, transition := range []string{"abortMultipartUploadsTransition", "deleteObjectsTransition", "storageClassTransitions[]"} {
		condition := "rules[]." + transition + ".condition"
		// If the type is missing, Cloudflare drops the age (Terraform provider, issue 6350).
		when := kind.Field{Required: true, Doc: "When it happens: Age, by maxAge."}
		fields[condition+".maxAge"] = kind.Field{Min: new(int64(1)), Doc: "The age in seconds."}
		if transition != "abortMultipartUploadsTransition" {
			when.Doc = "When it happens: Age, by maxAge, or Date."
			fields[condition] = kind.Field{By: condition + ".type", Needs: map[string]string{"Age": "maxAge", "Date": "date"}}
			fields[condition+".date"] = kind.Field{Doc: "The date, as in 2026-12-31T00:00:00Z."}
		}
		fields[condition+".type"] = when
	}
	return fields
}
