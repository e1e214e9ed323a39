// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/provider-cloudflare/provider-cloudflare/test/simulator"

const (
	recordsRoute = "/zones/{zone_id}/dns_records"
)

// throttles reports whether a fault answers like a rate limit.
func throttles(f simulator.FaultKind) bool {
	return f == simulator.FaultThrottle || f == simulator.FaultThrottleBare
}
