// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "testing"

// TestTyped has what the demo shows be what one can type.
func TestTyped(t *testing.T) {
	got := typed([]string{"patch", "record", "a", "-p", `{"spec":{"deletionPolicy":"Orphan"}}`})
	if want := `patch record a -p '{"spec":{"deletionPolicy":"Orphan"}}'`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
