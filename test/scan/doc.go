// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package scan holds the tests of make scan: that it finds what is vulnerable, and
// that it does not pass where it could not look, and that what it looks at agrees on versions.
package scan
