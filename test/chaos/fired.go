// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/provider-cloudflare/provider-cloudflare/internal/cfsim"

const (
	recordsRoute = "/zones/{zone_id}/dns_records"
)

// throttles reports whether a fault answers as a limit of requests does.
func throttles(f cfsim.FaultKind) bool {
	return f == cfsim.FaultThrottle || f == cfsim.FaultThrottleBare
}
