// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// TestDeclaredHasWhatIsRequired expects that an export leaves out values that are Cloudflare's
// defaults, except those that a spec requires.
func TestDeclaredHasWhatIsRequired(t *testing.T) {
	d := kind.Description{Fields: map[string]kind.Field{
		"rules":               {Set: true, Key: "id"},
		"rules[].filter.name": {Required: true, KeepZero: true, Default: ""},
		"rules[].filter.tag":  {KeepZero: true, Default: ""},
	}}
	got := d.Declared(doc(t, `{"rules":[{"id":"a","filter":{"name":"","tag":""},"more":{}},{"id":"b","filter":{"name":null}}]}`))
	want := doc(t, `{"rules":[{"id":"a","filter":{"name":""}},{"id":"b"}]}`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Declared(...): -want, +got:\n%s", diff)
	}
}
