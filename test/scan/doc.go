// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package scan holds the tests of make scan: it finds vulnerabilities, and it fails if it could
// not check something. They also check that the scanned modules agree on versions.
package scan
