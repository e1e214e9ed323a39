// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import "time"

// A Refresh says that resources end at a time that an operation puts off.
type Refresh struct {
	// Do is the operation.
	Do string
	// Expires is the path, in an answer, of when the resource ends, and Duration that of how
	// long it lives after a creation or a refresh.
	Expires, Duration string
	// Before is the option that says how long before its end a resource is refreshed, at most a
	// third of its duration. Zero is never.
	Before string
}

// Ends is when the resource in an answer ends, false where it does not.
func (r Refresh) Ends(live Document) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, Text(live, r.Expires))
	return t, err == nil
}

// Due reports whether the resource in an answer is to be refreshed by now.
func (r Refresh) Due(now time.Time, live Document, before time.Duration) bool {
	ends, does := r.Ends(live)
	lives, err := time.ParseDuration(Text(live, r.Duration))
	return does && err == nil && before > 0 && Due(now, ends, lives, before)
}
