// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
)

const (
	pause  = `{"metadata":{"annotations":{"crossplane.io/paused":"true"}}}`
	resume = `{"metadata":{"annotations":{"crossplane.io/paused":"false"}}}`
)

// paused waits until an object reports that it is paused.
func (w *world) paused(o conditioned) {
	w.t.Helper()
	w.eventually(func() error {
		if err := w.get(o); err != nil {
			return err
		}
		if c := o.GetCondition(xpv2.TypeSynced); c.Reason != xpv2.ReasonReconcilePaused {
			return fmt.Errorf("%s is not paused: %s", o.GetName(), conditions(o))
		}
		return nil
	})
}

// TestDeletionWhilePaused deletes a paused object. The object and its record stay
// until it is resumed.
func TestDeletionWhilePaused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.made("www")
	w.patch(r, pause)
	w.paused(r)
	w.delete(r)
	w.eventually(func() error {
		if err := w.get(r); err != nil || !meta.WasDeleted(r) {
			return fmt.Errorf("the object is not being deleted (%w)", err)
		}
		return nil
	})
	w.paused(r)
	w.count(1)
	w.patch(r, resume)
	w.gone(r)
	w.count(0)
}

// TestRecordIsGoneAlready deletes an object whose record was deleted at Cloudflare.
func TestRecordIsGoneAlready(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.made("www")
	w.patch(r, pause)
	w.paused(r)
	if err := w.sim.DeleteRecord(w.zone.ID, meta.GetExternalName(r)); err != nil {
		t.Fatal(err)
	}
	w.delete(r)
	w.patch(r, resume)
	w.gone(r)
	w.count(0)
	w.users(w.config(), 0)
}

// TestRecordIsLockedLater makes another product of Cloudflare lock the record of an
// object. The provider does not change the record any more, and the record does not
// block the deletion of the object.
func TestRecordIsLockedLater(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		meta   map[string]any
		says   string
	}{
		"EmailRouting": {"by Email Routing", map[string]any{"email_routing": true, "read_only": true}, "belongs to Email Routing"},
		"Tunnel":       {"by a tunnel", map[string]any{"managed_by_argo_tunnel": true}, "belongs to Cloudflare Tunnel"},
		"Spectrum":     {"by Spectrum", map[string]any{"spectrum_app_id": "e11b0e3d5ad0475ba0b1cf9cb1b1c51f"}, "belongs to Spectrum"},
		"ReadOnly":     {"by nobody in particular", map[string]any{"read_only": true}, "belongs to Cloudflare (read-only)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			r := w.made("www")
			id := meta.GetExternalName(r)
			if err := w.sim.SetRecordMeta(w.zone.ID, id, tc.meta); err != nil {
				t.Fatal(err)
			}
			w.says(r, xpv2.TypeSynced, tc.says) // An edit could come before the list that shows the lock.
			w.patch(r, `{"spec":{"forProvider":{"content":"192.0.2.2"}}}`)
			w.says(r, xpv2.TypeSynced, tc.says)
			w.delete(r)
			w.gone(r)
			w.reported(r, "LeftExternalResource", tc.says)
			if got, ok := w.sim.Record(w.zone.ID, id); !ok || got.Content != "192.0.2.1" {
				t.Errorf("%s: the locked record is %+v", tc.reason, got)
			}
		})
	}
}

// reported waits for an event about an object.
func (w *world) reported(o client.Object, reason, text string) {
	w.t.Helper()
	w.eventually(func() error {
		l := &corev1.EventList{}
		if err := w.kube.List(w.t.Context(), l, client.InNamespace(o.GetNamespace())); err != nil {
			return err
		}
		for _, e := range l.Items {
			if e.InvolvedObject.UID == o.GetUID() && e.Reason == reason && strings.Contains(e.Message, text) {
				return nil
			}
		}
		return fmt.Errorf("no event %s with %q", reason, text)
	})
}

// TestZoneWaitsForItsRecords deletes a zone while the object of one of its records
// cannot be deleted yet, and restarts the provider at that moment. After the
// restart, the provider could not know that the record was deleted with the zone.
// It is not parallel.
func TestZoneWaitsForItsRecords(t *testing.T) {
	w := newWorld(t)
	z := w.zoneObject()
	z.Spec.DeletionPolicy = xpv2.DeletionDelete
	w.create(z)
	w.settled(z)
	r := w.made("www")
	w.patch(r, pause)
	w.paused(r)
	w.delete(r)
	w.delete(z)
	w.says(z, xpv2.TypeSynced, "1 Records", w.ns+"/www")
	w.without(t, func() {})
	w.says(z, xpv2.TypeSynced, "1 Records", w.ns+"/www")
	if !w.zoneExists() {
		t.Fatal("the zone went before its record")
	}
	w.patch(r, resume)
	w.gone(r, z)
	if w.zoneExists() {
		t.Error("the zone is still there")
	}
}

// TestZoneIsGone deletes objects whose zone was deleted at Cloudflare. The objects
// stay, as the API does not prove that the zone is gone. They report how to release
// them.
func TestZoneIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	z := w.zoneObject()
	z.Spec.DeletionPolicy = xpv2.DeletionDelete
	w.create(z)
	w.settled(z)
	r := w.made("www")
	if err := w.sim.DeleteZone(w.zone.ID); err != nil {
		t.Fatal(err)
	}
	w.delete(r)
	w.delete(z)
	for _, o := range []conditioned{r, z} {
		w.says(o, xpv2.TypeSynced, "set spec.deletionPolicy to Orphan")
		w.patch(o, `{"spec":{"deletionPolicy":"Orphan"}}`)
		w.gone(o)
	}
	w.users(w.config(), 0)
}

// TestOwnerIsDeleted deletes the owner of managed resources, like a composite.
func TestOwnerIsDeleted(t *testing.T) {
	t.Parallel()
	for name, propagation := range map[string]metav1.DeletionPropagation{
		"Foreground": metav1.DeletePropagationForeground, "Background": metav1.DeletePropagationBackground,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			owner := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "composite", Namespace: w.ns}}
			w.create(owner)
			refs := []metav1.OwnerReference{{
				APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID,
				Controller: ptr.To(true), BlockOwnerDeletion: ptr.To(true),
			}}
			z := w.zoneObject()
			z.OwnerReferences, z.Spec.DeletionPolicy = refs, xpv2.DeletionOrphan
			w.create(z)
			r := w.record("www")
			r.OwnerReferences = refs
			w.create(r)
			w.settled(z, r)
			w.delete(owner, client.PropagationPolicy(propagation))
			w.gone(r, &zonev1alpha1.Zone{ObjectMeta: metav1.ObjectMeta{Name: z.Name, Namespace: w.ns}}, owner)
			w.count(0)
			w.users(w.config(), 0)
			if !w.zoneExists() {
				t.Error("the zone is gone")
			}
		})
	}
}
