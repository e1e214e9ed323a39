// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import "time"

// A Refresh says that resources expire, and that an operation extends their lifetime.
type Refresh struct {
	// Do is the operation.
	Do string
	// Expires is the path of the expiry in an answer. Duration is the path of the lifetime after
	// a creation or a refresh.
	Expires, Duration string
	// Before is the option that says how long before its expiry a resource is refreshed, at most
	// a third of its lifetime. Zero means never.
	Before string
}

// Ends returns when the resource in an answer expires, and false if it does not.
func (r Refresh) Ends(live Document) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, Text(live, r.Expires))
	return t, err == nil
}

// Due reports whether the resource in an answer must be refreshed now.
func (r Refresh) Due(now time.Time, live Document, before time.Duration) bool {
	ends, does := r.Ends(live)
	lives, err := time.ParseDuration(Text(live, r.Duration))
	return does && err == nil && before > 0 && Due(now, ends, lives, before)
}
