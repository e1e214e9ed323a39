// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"path"
	"strings"
)

// CodeNoCORS is the code for a bucket without a CORS policy: NoCorsConfiguration (alchemy-run/distilled).
const CodeNoCORS = 10059

const (
	bucketCORS      = "/accounts/{account_id}/r2/buckets/{bucket_name}/cors"
	bucketLifecycle = "/accounts/{account_id}/r2/buckets/{bucket_name}/lifecycle"
)

// inBucket wraps h so that it refuses requests below a bucket that does not exist.
func inBucket(below string, h handler) handler {
	return func(c *resourceCall) (reply, *Error) {
		bucket, partition, _ := strings.Cut(c.shelf.path, below)
		if shelf := c.s.shelves[path.Dir(bucket)+partition]; shelf == nil || shelf.items[path.Base(bucket)] == nil {
			return reply{}, refuse(http.StatusNotFound, CodeBucketNotFound, "The specified bucket does not exist.")
		}
		return h(c)
	}
}

// emptied wraps h so that the result is an empty object.
func emptied(h handler) handler {
	return func(c *resourceCall) (reply, *Error) {
		out, err := h(c)
		out.result = map[string]any{}
		return out, err
	}
}

// bucketCORSFamily returns the CORS policies of buckets. A new bucket has none.
func bucketCORSFamily() *family {
	return &family{
		list: bucketCORS, single: true, partition: jurisdictionOf, groups: []string{"Workers R2 Storage Write"},
		seed: func(s *Server, sh *shelf) { s.put(sh, "cors", map[string]any{}) },
		more: map[string]handler{
			"GET " + bucketCORS: inBucket("/cors", func(c *resourceCall) (reply, *Error) {
				if len(c.shelf.items["cors"].doc) == 0 {
					return reply{}, refuse(http.StatusNotFound, CodeNoCORS, "The CORS configuration does not exist.")
				}
				return c.get()
			}),
			"PUT " + bucketCORS: inBucket("/cors", emptied((*resourceCall).replace)),
			"DELETE " + bucketCORS: inBucket("/cors", func(c *resourceCall) (reply, *Error) {
				c.shelf.items["cors"].set(map[string]any{}, c.now)
				return reply{result: map[string]any{}}, nil
			}),
		},
	}
}

// bucketLifecycleFamily returns the lifecycle rules of buckets. A new bucket has one rule. A transition that a
// rule does not have comes back as an empty object (Terraform provider, issue 7338).
func bucketLifecycleFamily() *family {
	return &family{
		list: bucketLifecycle, single: true, partition: jurisdictionOf, groups: []string{"Workers R2 Storage Write"},
		seed: func(s *Server, sh *shelf) {
			s.put(sh, "lifecycle", map[string]any{"rules": []any{map[string]any{
				"id": "Default Multipart Abort Rule", "enabled": true, "conditions": map[string]any{"prefix": ""},
				"abortMultipartUploadsTransition": map[string]any{"condition": map[string]any{"type": "Age", "maxAge": 604800}},
			}}})
		},
		show: func(_ *resourceCall, _ *resource, shown map[string]any) {
			rules, _ := shown["rules"].([]any)
			for _, r := range rules {
				rule, _ := r.(map[string]any)
				for _, transition := range []string{"abortMultipartUploadsTransition", "deleteObjectsTransition"} {
					if rule[transition] == nil {
						rule[transition] = map[string]any{}
					}
				}
			}
		},
		more: map[string]handler{
			"GET " + bucketLifecycle: inBucket("/lifecycle", (*resourceCall).get),
			"PUT " + bucketLifecycle: inBucket("/lifecycle", emptied((*resourceCall).replace)),
		},
	}
}
