// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"strings"
)

// Codes of the developer platform, from the tests of another project against the live API (alchemy-run/distilled,
// packages/cloudflare/patches). 10009 is a worker route here and a key elsewhere: codes have a meaning per product
// only.
const (
	CodeWorkerRouteNotFound  = 10009
	CodeNamespaceNotFound    = 10013
	CodeNamespaceExists      = 10014
	CodeWorkerRouteDuplicate = 10020
	CodeWorkerRoutePattern   = 10022
)

// developerFamilies returns KV namespaces, worker routes, R2 buckets with their domains, queues with their
// consumers, Workers with their domains, D1 databases, and Hyperdrive.
func developerFamilies() []*family {
	return []*family{
		{
			list: "/accounts/{account_id}/storage/kv/namespaces", parameter: "namespace_id", shape: idHex,
			unique: []uniqueness{{[]string{"title"}, func() *Error {
				return invalid(CodeNamespaceExists, "A namespace with this account ID and title already exists.")
			}}},
			missing: func() *Error { return refuse(http.StatusNotFound, CodeNamespaceNotFound, "namespace not found") },
			prepare: func(_ *resourceCall, _ *resource, doc map[string]any) *Error {
				doc["supports_url_encoding"] = true
				return nil
			},
			deletion: func(*resourceCall, *resource) any { return nil },
		},
		{
			list: "/zones/{zone_id}/workers/routes", parameter: "route_id", shape: idHex,
			unique: []uniqueness{{[]string{"pattern"}, func() *Error {
				return refuse(http.StatusConflict, CodeWorkerRouteDuplicate, "A route with the same pattern already exists.")
			}}},
			missing: func() *Error { return refuse(http.StatusNotFound, CodeWorkerRouteNotFound, "Route not found.") },
			prepare: prepareWorkerRoute,
		},
		bucketFamily(),
		queueFamily(),
		consumerFamily(),
		scriptFamily(),
		databaseFamily(),
		workerDomainFamily(),
		bucketDomainFamily(),
		hyperdriveFamily(),
	}
}

// prepareWorkerRoute refuses patterns outside of the zone.
func prepareWorkerRoute(c *resourceCall, _ *resource, doc map[string]any) *Error {
	pattern, _ := doc["pattern"].(string)
	host, _, _ := strings.Cut(pattern, "/")
	host = strings.TrimPrefix(strings.TrimPrefix(host, "*."), "*")
	if pattern == "" || !atOrBelow(host, c.zone.name) {
		return invalid(CodeWorkerRoutePattern, "The pattern must be one of the zone.")
	}
	return nil
}
