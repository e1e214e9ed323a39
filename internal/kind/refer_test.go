// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

type target struct {
	ID    *string    `json:"id,omitempty" wire:"id"`
	IDRef *reference `json:"idRef,omitempty"`
}

// TestReferInMap expects references in the values of a map.
func TestReferInMap(t *testing.T) {
	d := kind.Description{Group: "g", Fields: map[string]kind.Field{"m{}.id": {Ref: "Thing"}}}
	spec := &struct {
		Named map[string]target `json:"named,omitempty" wire:"m"`
	}{map[string]target{"A": {ID: pointer("known")}, "B": {ID: pointer("unknown")}}}
	d.Refer(spec, func(kind, id string) string {
		return map[string]string{"g.Thing known": "its-name"}[kind+" "+id]
	})
	if a := spec.Named["A"]; a.ID != nil || a.IDRef == nil || a.IDRef.Name != "its-name" {
		t.Errorf("what is known is %+v, want a reference", a)
	}
	if b := spec.Named["B"]; b.IDRef != nil || b.ID == nil {
		t.Errorf("what is not known is %+v, want its ID", b)
	}
}
