// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
)

// FreeAddress returns an address on loopback that nothing listens on.
func FreeAddress(t *testing.T) string {
	t.Helper()
	address, err := rig.FreeAddress(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return address
}
