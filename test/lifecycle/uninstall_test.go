// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"fmt"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestUninstalledAndInstalledAgain stops the provider, changes Cloudflare and Kubernetes
// in every way, and starts it again. Afterwards Cloudflare has what the objects declare.
// It is not parallel.
func TestUninstalledAndInstalledAgain(t *testing.T) {
	w := newWorld(t)
	same, drifted, edited, vanished, removed := w.made("same"), w.made("drifted"), w.made("edited"), w.made("vanished"), w.made("removed")
	added := w.record("added")
	vanishedID := meta.GetExternalName(vanished)
	w.without(t, func() {
		if _, err := w.sim.PatchRecord(w.zone.ID, meta.GetExternalName(drifted), map[string]any{"content": "192.0.2.66"}); err != nil {
			t.Fatal(err)
		}
		if err := w.sim.DeleteRecord(w.zone.ID, vanishedID); err != nil {
			t.Fatal(err)
		}
		w.patch(edited, `{"spec":{"forProvider":{"content":"192.0.2.2"}}}`)
		w.delete(removed)
		w.create(added)
	})
	ids := map[string]string{}
	for _, r := range []client.Object{same, drifted, edited} {
		ids[r.GetName()] = meta.GetExternalName(r)
	}
	w.gone(removed)
	w.settled(same, edited, added)
	w.eventually(func() error {
		got := map[string]simulator.Record{}
		for _, r := range w.live() {
			got[r.Name] = r
		}
		if len(got) != 5 || len(w.live()) != 5 {
			return fmt.Errorf("the live records are %+v, want five", w.live())
		}
		for name, content := range map[string]string{"same": "192.0.2.1", "drifted": "192.0.2.1", "edited": "192.0.2.2", "vanished": "192.0.2.1", "added": "192.0.2.1"} {
			r := got[name+"."+w.zone.Name]
			if id, known := ids[name]; r.Content != content || known && r.ID != id {
				return fmt.Errorf("%s is %+v, want %s in %s", name, r, content, id)
			}
		}
		return nil
	})
	w.settled(drifted, vanished)
	if meta.GetExternalName(vanished) == vanishedID {
		t.Error("the record that was deleted has its old ID")
	}
}

// kinds returns the CRDs of the provider without their schemas, which would be megabytes
// at each look.
func (w *world) kinds() []metav1.PartialObjectMetadata {
	w.t.Helper()
	l := &metav1.PartialObjectMetadataList{}
	l.SetGroupVersionKind(apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"))
	if err := w.kube.List(w.t.Context(), l); err != nil {
		w.t.Fatal(err)
	}
	return l.Items
}

// kindsAreGone waits until no kind of the provider is served.
func (w *world) kindsAreGone() {
	w.t.Helper()
	w.eventually(func() error {
		for _, k := range w.kinds() {
			return fmt.Errorf("%s is still there, deleted %v, with the finalizers %v", k.Name, k.DeletionTimestamp, k.Finalizers)
		}
		return nil
	})
}

func (w *world) deleteKinds() {
	w.t.Helper()
	for _, k := range w.kinds() {
		w.delete(&apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: k.Name}})
	}
}

// installAgain installs the kinds again for the tests that follow.
func (w *world) installAgain() {
	w.t.Helper()
	if err := w.installKinds(); err != nil {
		w.t.Fatal(err)
	}
}

// TestKindsAreDeleted deletes the CRDs while objects exist. Kubernetes deletes the
// objects first, each as if a user deleted it. It is not parallel.
func TestKindsAreDeleted(t *testing.T) {
	t.Run("WhileTheProviderRuns", func(t *testing.T) {
		w := newWorld(t)
		z := w.zoneObject()
		z.Spec.DeletionPolicy = xpv2.DeletionOrphan
		w.create(z)
		w.settled(z, w.made("a"), w.made("b"), w.made("kept", orphan))
		w.deleteKinds()
		w.kindsAreGone()
		if got := w.live(); len(got) != 1 || got[0].Name != "kept."+w.zone.Name {
			t.Errorf("the live records are %+v, want the one that was kept", got)
		}
		w.without(t, w.installAgain)
	})
	t.Run("WhileItDoesNot", func(t *testing.T) {
		w := newWorld(t)
		r, kept := w.made("a"), w.made("kept", orphan)
		w.without(t, func() {
			w.deleteKinds()
			w.eventually(func() error {
				if err := w.get(r); err != nil || !meta.WasDeleted(r) {
					return fmt.Errorf("the object is not being deleted (%w)", err)
				}
				return nil
			})
			w.count(2)
			w.eventually(func() error {
				if n := len(w.kinds()); n != 2 {
					return fmt.Errorf("there are %d kinds, want those two that have objects", n)
				}
				return nil
			})
			// The package manager applies the CRDs of the package: it creates those that
			// are gone. Those that wait for their objects stay as they are.
			w.installAgain()
		})
		w.gone(r, kept)
		if got := w.live(); len(got) != 1 || got[0].ID != meta.GetExternalName(kept) {
			t.Errorf("the live records are %+v, want the one that was kept", got)
		}
		w.eventually(func() error {
			for _, k := range w.kinds() {
				if !k.GetDeletionTimestamp().IsZero() {
					return fmt.Errorf("%s is still being deleted", k.Name)
				}
			}
			return nil
		})
		w.without(t, w.installAgain)
	})
	t.Run("ForGood", func(t *testing.T) {
		// This is the runbook for a provider that is not installed again.
		w := newWorld(t)
		r := w.made("a")
		w.without(t, func() {
			w.deleteKinds()
			for _, o := range []client.Object{r, w.config()} {
				err := w.kube.Patch(t.Context(), o, client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`)))
				if err != nil && !kerrors.IsNotFound(err) {
					t.Fatal(err)
				}
			}
			w.kindsAreGone()
			w.count(1)
			w.installAgain()
		})
	})
	// The kinds are back: an object that is declared again finds its record.
	w := newWorld(t)
	w.made("again")
	w.count(1)
}
