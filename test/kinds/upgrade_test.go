// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// TestUpgradeFromBeforeOwnership starts the provider on an object from an earlier version. The status of
// that version does not say whether the object owns the resource, and the object has the annotations of that
// version. The object keeps its resource without a write, the status says so from then on, and the deletion
// leaves nothing.
func TestUpgradeFromBeforeOwnership(t *testing.T) {
	for _, d := range kinds.All() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T) {
				w := newWorld(t, d)
				mg := w.apply()
				w.lists(2)
				w.kill()
				w.earlier(mg)
				writes, id := w.writes(), meta.GetExternalName(mg)
				w.start()
				w.lists(3)
				harness.Until(w.Objects, mg, func(mg described.Object) error {
					if is := mg.GetOwnership(); is != claim.Own {
						return fmt.Errorf("the status says %q of the ownership, want %s", is, claim.Own)
					}
					return nil
				})
				w.Settled(mg)
				if n := w.writes() - writes; n > 0 || meta.GetExternalName(mg) != id {
					t.Errorf("after the upgrade there were %d writes, and the resource is %s, which was %s", n, meta.GetExternalName(mg), id)
				}
				leavesNothing(w, mg)
			}, kindsOf(t, d.Name)...)
		})
	}
}

// earlier sets the status and the annotations that an earlier version left on an object.
func (w *world) earlier(mg described.Object) {
	w.T.Helper()
	status := client.RawPatch(types.MergePatchType, []byte(`{"status":{"ownership":null}}`))
	if err := w.kube.Status().Patch(w.T.Context(), mg, status); err != nil {
		w.T.Fatal(err)
	}
	notes := `{"metadata":{"annotations":{"cloudflare.m.crossplane.io/creation-journal":null,"cloudflare.m.crossplane.io/observed-record":"` + meta.GetExternalName(mg) + `"}}}`
	if err := w.kube.Patch(w.T.Context(), mg, client.RawPatch(types.MergePatchType, []byte(notes))); err != nil {
		w.T.Fatal(err)
	}
	if is := mg.GetOwnership(); is != "" {
		w.T.Fatalf("the status still says %s", is)
	}
}
