// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// Codes of R2. Those of the buckets are from tests against the live API
// (alchemy-run/distilled). 10008 is from the Terraform provider's issues 2498 and 5743.
const (
	CodeBucketExists   = 10004
	CodeBucketName     = 10005
	CodeBucketNotFound = 10006
	CodeBucketNotEmpty = 10008
)

const (
	jurisdictionHeader = "Cf-R2-Jurisdiction"
	storageClassHeader = "Cf-R2-Storage-Class"
)

// bucketFamily returns R2 buckets. The jurisdiction is a header of every call and part
// of the identity. Without the header, a bucket of another jurisdiction does not exist
// (Terraform provider, issues 3330 and 5275).
func bucketFamily() *family {
	const buckets = "/accounts/{account_id}/r2/buckets"
	return &family{
		list: buckets, parameter: "bucket_name", shape: idName, member: "name", listAt: "buckets",
		partition: jurisdictionOf,
		unique: []uniqueness{{[]string{"name"}, func() *Error {
			return refuse(http.StatusConflict, CodeBucketExists, "The bucket you tried to create already exists, and you own it.")
		}}},
		missing: func() *Error {
			return refuse(http.StatusNotFound, CodeBucketNotFound, "The specified bucket does not exist.")
		},
		prepare: prepareBucket,
		busy: func(_ *resourceCall, r *resource) *Error {
			if n, _ := r.private["objects"].(int); n > 0 {
				return refuse(http.StatusConflict, CodeBucketNotEmpty, "The bucket you tried to delete is not empty.")
			}
			return nil
		},
		deletion: emptyResult,
		removed: func(c *resourceCall, r *resource) { // The policies of the bucket are deleted with it.
			all, partition, _ := strings.Cut(c.shelf.path, ";")
			if partition != "" {
				partition = ";" + partition
			}
			delete(c.s.shelves, all+"/"+r.id+"/cors"+partition)
			delete(c.s.shelves, all+"/"+r.id+"/lifecycle"+partition)
		},
		filters: map[string]filter{
			"start_after": func(r *resource, value string) bool { return r.id > value },
		},
		more: map[string]handler{"PATCH " + buckets + "/{bucket_name}": (*resourceCall).patchBucket},
	}
}

// jurisdictionOf returns the suffix of a collection's path for the jurisdiction in the
// header.
func jurisdictionOf(r *http.Request) (string, *Error) {
	switch value := r.Header.Get(jurisdictionHeader); value {
	case "", "default":
		return "", nil
	case "eu", "fedramp", "us":
		return ";jurisdiction=" + value, nil
	default:
		return "", invalid(CodeResourceInvalid, "The header cf-r2-jurisdiction must be default, eu, us or fedramp.")
	}
}

// prepareBucket renames the camel case members of a request to the names of the
// response. The location is only a hint. It comes back in upper case (Terraform
// provider, issue 5615), although the official document has lower case.
func prepareBucket(c *resourceCall, before *resource, doc map[string]any) *Error {
	name, _ := doc["name"].(string)
	if !regexp.MustCompile(`^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$`).MatchString(name) {
		return invalid(CodeBucketName, "The specified bucket name is not valid.")
	}
	if before != nil {
		return nil
	}
	doc["location"] = "WNAM"
	if hint, given := doc["locationHint"].(string); given {
		doc["location"] = strings.ToUpper(hint)
	}
	doc["storage_class"] = doc["storageClass"]
	doc["jurisdiction"] = "default"
	if _, other, given := strings.Cut(c.shelf.path, ";jurisdiction="); given {
		doc["jurisdiction"] = other
	}
	doc["creation_date"] = timestamp(c.now)
	delete(doc, "locationHint")
	delete(doc, "storageClass")
	return nil
}

// patchBucket changes the storage class, which is in a header. The request has no body.
func (c *resourceCall) patchBucket() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	class := c.r.Header.Get(storageClassHeader)
	if !slices.Contains([]string{"Standard", "InfrequentAccess"}, class) {
		return reply{}, invalid(CodeResourceInvalid, "The header cf-r2-storage-class must be Standard or InfrequentAccess.")
	}
	doc := copyOf(r.doc)
	doc["storage_class"] = class
	r.set(doc, c.now)
	return reply{result: c.shown(r)}, nil
}
