// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"runtime/debug"
	"testing"
)

// TestCollectOften changes the growth of the test's own heap, and restores it.
func TestCollectOften(t *testing.T) {
	for _, tc := range []struct {
		reason, gogc string
		want         int
	}{
		{"nothing says otherwise: half", "", heapGrowth},
		{"an operator sets it: what the Go runtime has read stays", "100", 200},
		{"an operator switches collections off: so they stay", "off", 200},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			was := debug.SetGCPercent(200)
			defer debug.SetGCPercent(was)
			collectOften(func(string) string { return tc.gogc })
			if got := debug.SetGCPercent(200); got != tc.want {
				t.Errorf("the heap grows by %d %%, want %d", got, tc.want)
			}
		})
	}
}
