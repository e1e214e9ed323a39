// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"fmt"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler/reconcilertest"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// added is a queue that records what was added, with its priority.
type added struct {
	priorityqueue.PriorityQueue[workers.Request]

	got []string
}

func (q *added) AddWithOpts(o priorityqueue.AddOpts, items ...workers.Request) {
	for _, i := range items {
		q.got = append(q.got, fmt.Sprintf("%s %d", i.Name, ptr.Deref(o.Priority, 0)))
	}
}

func (q *added) AddAfter(i workers.Request, d time.Duration) {
	q.got = append(q.got, fmt.Sprintf("%s after %s", i.Name, d))
}

func TestEventPriorities(t *testing.T) {
	settled := func(r *v1alpha1.Record) {
		r.ResourceVersion = "1"
		meta.SetExternalName(r, "id")
		r.SetConditions(xpv2.ReconcileSuccess().WithObservedGeneration(1))
	}
	deleted := func(r *v1alpha1.Record) {
		r.DeletionTimestamp = ptr.To(metav1.NewTime(time.Unix(1, 0)))
		r.Generation++
	}
	none := func(*v1alpha1.Record) {}
	tests := []struct {
		reason string
		// before is nil for an object that is new.
		before  func(*v1alpha1.Record)
		after   func(*v1alpha1.Record)
		initial bool
		want    string
	}{
		{"a new object is a creation", nil, none, false, "r 0"},
		{"nobody waits for what was well before a restart", nil, settled, true, "r -100"},
		{"a creation may have waited for the restart", nil, none, true, "r 0"},
		{"so may an edit", nil, func(r *v1alpha1.Record) { settled(r); r.Generation++ }, true, "r 100"},
		{"and a deletion", nil, func(r *v1alpha1.Record) { settled(r); deleted(r) }, true, "r 100"},
		{"an edit of the spec", settled, func(r *v1alpha1.Record) { r.Generation++ }, false, "r 100"},
		{"a deletion", settled, deleted, false, "r 100"},
		{"a pause that ends", settled, func(r *v1alpha1.Record) { meta.AddAnnotations(r, map[string]string{"crossplane.io/paused": "false"}) }, false, "r 100"},
		{"a request to reconcile", settled, func(r *v1alpha1.Record) { meta.SetReconcileRequest(r, "now") }, false, "r 100"},
		{"another external name", settled, func(r *v1alpha1.Record) { meta.SetExternalName(r, "other") }, false, "r 100"},
		{"a label, which a selector may read", settled, func(r *v1alpha1.Record) { r.SetLabels(map[string]string{"l": "v"}) }, false, "r 100"},
		{"a creation that goes on is no edit", none, func(r *v1alpha1.Record) { meta.SetExternalName(r, "id") }, false, "r 0"},
		{"a status", settled, func(r *v1alpha1.Record) { r.Status.AtProvider.ID = "id" }, false, ""},
		{"a note", settled, func(r *v1alpha1.Record) { meta.AddAnnotations(r, map[string]string{"note": "v"}) }, false, ""},
		{"an attempt to create", none, func(r *v1alpha1.Record) { meta.SetExternalCreatePending(r, time.Unix(1, 0)) }, false, ""},
	}
	for _, tc := range tests {
		h, q := EventHandler{Kind: v1alpha1.RecordGroupVersionKind.GroupKind(), Desired: DesiredStateChanged("note"), Writes: NewClient(nil).Writes(), Lost: func(types.UID) {}}, &added{}
		if tc.before == nil {
			r := reconcilertest.Record("r")
			tc.after(r)
			h.Create(t.Context(), event.CreateEvent{Object: r, IsInInitialList: tc.initial}, q)
		} else {
			before := reconcilertest.Record("r")
			tc.before(before)
			after := before.DeepCopy()
			after.ResourceVersion = "2"
			tc.after(after)
			h.Update(t.Context(), event.UpdateEvent{ObjectOld: before, ObjectNew: after}, q)
		}
		got := ""
		if len(q.got) > 0 {
			got = q.got[0]
		}
		if got != tc.want || len(q.got) > 1 {
			t.Errorf("%s: enqueued %q, want %q", tc.reason, q.got, tc.want)
		}
	}
}

// TestEventOfOurOwnUpdate is about the update that ends a creation: it changes the
// external name and, by late initialisation, the generation.
func TestEventOfOurOwnUpdate(t *testing.T) {
	at := func(version string, generation int64, edit func(*v1alpha1.Record)) *v1alpha1.Record {
		r := reconcilertest.Record("r")
		r.ResourceVersion, r.Generation = version, generation
		edit(r)
		return r
	}
	pending := at("1", 1, func(*v1alpha1.Record) {})
	recorded := func(r *v1alpha1.Record) { meta.SetExternalName(r, "id"); r.Spec.ForProvider.TTL = ptr.To[int64](1) }
	tests := []struct {
		reason string
		shown  *v1alpha1.Record
		want   int
	}{
		{"our own update alone", at("2", 2, recorded), 0},
		{"a user's edit of the very field we filled in came with it", at("3", 3, func(r *v1alpha1.Record) {
			recorded(r)
			r.Spec.ForProvider.TTL = ptr.To[int64](300)
		}), 1},
		{"an edit of an annotation came with it", at("3", 2, func(r *v1alpha1.Record) {
			recorded(r)
			meta.SetReconcileRequest(r, "now")
		}), 1},
		{"a status came with it: that cannot be distinguished from an edit", at("3", 2, recorded), 1},
	}
	for _, tc := range tests {
		w := NewClient(nil).Writes()
		h, q := EventHandler{Kind: v1alpha1.RecordGroupVersionKind.GroupKind(), Desired: DesiredStateChanged(), Writes: w, Lost: func(types.UID) {}}, &added{}
		w.Begin(pending.UID, "1")("2")
		h.Update(t.Context(), event.UpdateEvent{ObjectOld: pending, ObjectNew: tc.shown}, q)
		if len(q.got) != tc.want {
			t.Errorf("%s: enqueued %q, want %d", tc.reason, q.got, tc.want)
		}
	}
}

func TestDeletedObjectsAreForgotten(t *testing.T) {
	var lost []types.UID
	w := NewClient(nil).Writes()
	h, q := EventHandler{Kind: v1alpha1.RecordGroupVersionKind.GroupKind(), Desired: DesiredStateChanged(), Writes: w, Lost: func(uid types.UID) { lost = append(lost, uid) }}, &added{}
	w.Wrote(reconcilertest.Record("r").UID, "1", "2")
	h.Delete(t.Context(), event.DeleteEvent{Object: reconcilertest.Record("r")}, q)
	if behind := w.Behind(reconcilertest.Record("r").UID, "1"); len(q.got) > 0 || behind {
		t.Errorf("enqueued %q, kept the write: %t", q.got, behind)
	}
	if len(lost) != 1 || lost[0] != reconcilertest.Record("r").UID {
		t.Errorf("%v are lost, want the object that is gone", lost)
	}
	next := reconcilertest.Record("r")
	next.UID = "another"
	h.Update(t.Context(), event.UpdateEvent{ObjectOld: reconcilertest.Record("r"), ObjectNew: next}, q)
	if len(lost) != 2 || fmt.Sprint(q.got) != "[r 0]" {
		t.Errorf("an event that shows another object of the name: %v are lost, enqueued %q", lost, q.got)
	}
	q.got = nil
	h.Generic(t.Context(), event.GenericEvent{Object: reconcilertest.Record("r")}, q)
	if fmt.Sprint(q.got) != "[r 0]" {
		t.Errorf("a generic event enqueued %q", q.got)
	}
}

func TestEnqueueInAQueueWithoutPriorities(t *testing.T) {
	q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[workers.Request]())
	defer q.ShutDown()
	Enqueue(q, PriorityEdit, v1alpha1.RecordGroupVersionKind.GroupKind(), reconcilertest.Key("a"), reconcilertest.Key("b"))
	if q.Len() != 2 {
		t.Errorf("%d are enqueued, want 2", q.Len())
	}
}
