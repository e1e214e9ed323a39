// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/access"
)

// TestSetsAreCompared checks that the case compares equal sets, and detects a difference.
func TestSetsAreCompared(t *testing.T) {
	d := access.AccessGroup()
	if took, err := compared(d, addresses(3), addresses(3)); err != nil || took <= 0 {
		t.Errorf("it took %s: %v", took, err)
	}
	if _, err := compared(d, addresses(3), addresses(4)); err == nil {
		t.Error("three addresses pass for four")
	}
}
