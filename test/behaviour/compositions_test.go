// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestCompositions creates all Records that test/compositions rendered from the
// compositions of the examples, on zones of the Free plan. Only this test shows conflicts
// that Cloudflare refuses, like an alias at the apex beside an MX, or a null MX.
func TestCompositions(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		zones, records := map[string]bool{}, 0
		for _, o := range manifests(t, filepath.Join("..", "compositions", "testdata")) {
			if o.GetKind() != "Record" {
				continue
			}
			records++
			zone, _, err := unstructured.NestedString(o.Object, "spec", "forProvider", "zoneName")
			if err != nil || zone == "" {
				t.Fatalf("%s has no zone: %v", o.GetName(), err)
			}
			if !zones[zone] {
				zones[zone] = true
				if _, err := w.sim.AddZone(w.account.ID, zone, simulator.ZoneOptions{Plan: simulator.PlanFree}); err != nil {
					t.Fatal(err)
				}
			}
			config := map[string]any{"kind": "ProviderConfig", "name": "default"}
			if err := unstructured.SetNestedMap(o.Object, config, "spec", "providerConfigRef"); err != nil {
				t.Fatal(err)
			}
			// Some objects were rendered from one composite resource, and have the same
			// names.
			o.SetName("")
			o.SetGenerateName("composed-")
			o.SetOwnerReferences(nil)
			o.SetNamespace(w.ns)
			w.create(o)
		}
		if len(zones) < 6 || records < 40 {
			t.Errorf("only %d Records in %d zones: the golden files are not what they were", records, len(zones))
		}
		w.eventually(func() error { return allSettled(w) })
	})
}
