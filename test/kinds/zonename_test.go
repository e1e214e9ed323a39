// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"strings"
	"sync/atomic"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
)

// TestZoneByName names the zone of each example that is in one, instead of a reference. The
// new resource is in that zone, even if its kind can also be in an account.
func TestZoneByName(t *testing.T) {
	var n atomic.Int32
	t.Cleanup(func() {
		if n.Load() < 5 {
			t.Errorf("the examples of %d kinds are in a zone: this shows too little", n.Load())
		}
	})
	for _, d := range kinds.All() {
		if !d.Scope.InZone() {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t, d)
				if !w.zoned() {
					return // The example is in an account.
				}
				n.Add(1)
				w.nameZone()
				w.apply()
				w.is(1)
				if got := w.example.GetSync().Parent; !strings.Contains(got, w.zone.ID) {
					t.Errorf("the parent is %q, want one in the zone %s", got, w.zone.ID)
				}
				w.Delete(w.example)
				w.Gone(w.example, func() string { return "" })
				w.is(0)
			})
		})
	}
}

// nameZone makes the example name its zone.
func (w *world) nameZone() {
	w.T.Helper()
	raw, err := runtime.DefaultUnstructuredConverter.ToUnstructured(w.example)
	if err != nil {
		w.T.Fatal(err)
	}
	unstructured.RemoveNestedField(raw, "spec", "forProvider", "zoneIdRef")
	if err := unstructured.SetNestedField(raw, w.zone.Name, "spec", "forProvider", "zoneName"); err != nil {
		w.T.Fatal(err)
	}
	mg, ok := w.example.DeepCopyObject().(described.Object)
	if !ok {
		w.T.Fatalf("%T is no described object", w.example)
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(raw, mg, true); err != nil {
		w.T.Fatal(err)
	}
	w.example = mg
}
