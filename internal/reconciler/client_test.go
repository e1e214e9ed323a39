// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler/reconcilertest"
)

// journal records the UIDs that it is called with.
type journal struct {
	lost, forgotten []types.UID
	err             error
}

func (j *journal) Lost(uid types.UID) { j.lost = append(j.lost, uid) }

func (j *journal) Forget(_ context.Context, uid types.UID) error {
	j.forgotten = append(j.forgotten, uid)
	return j.err
}

// about returns a context of a reconcile of o, and its state.
func about(t *testing.T, o client.Object) (context.Context, *State) {
	t.Helper()
	state := &State{Object: client.ObjectKeyFromObject(o)}
	return WithState(t.Context(), state), state
}

func condition(mg *v1alpha1.Record, t xpv2.ConditionType) string {
	c := mg.GetCondition(t)
	return fmt.Sprintf("%s/%s/%d", c.Status, c.Reason, c.ObservedGeneration)
}

func TestStatusIsSentOnlyWhereItIsNews(t *testing.T) {
	c := reconcilertest.NewCluster(t, reconcilertest.Record("r"))
	k := NewClient(c)
	send := func(reason string, edit func(*v1alpha1.Record), want ...string) {
		t.Helper()
		r := c.Read(t, "r")
		edit(r)
		ctx, _ := about(t, r)
		if err := k.Status().Update(ctx, r); err != nil {
			t.Errorf("%s: %v", reason, err)
		}
		c.Took(t, reason, want...)
	}
	ready := func(r *v1alpha1.Record) { r.SetConditions(xpv2.Available().WithObservedGeneration(1)) }
	send("news", ready, "update status")
	send("the same again", ready)
	send("a status field", func(r *v1alpha1.Record) { r.Status.AtProvider.ID = "x" }, "update status")
	send("something else than the status, which a conflict would have to tell", func(r *v1alpha1.Record) {
		meta.AddAnnotations(r, map[string]string{"a": "v"})
	}, "update status")

	r := c.Read(t, "r")
	if err := k.Status().Update(t.Context(), r); err != nil {
		t.Error(err)
	}
	c.Took(t, "outside of a reconcile everything passes", "update status")

	// The cache shows version 1 while the API server has a later version of ours, with
	// another status.
	r = c.Read(t, "r")
	k.writes.Wrote(r.UID, r.ResourceVersion, "of-a-later-write")
	ctx, _ := about(t, r)
	if err := k.Status().Update(ctx, r); err != nil {
		t.Error(err)
	}
	c.Took(t, "a cache behind our own write proves nothing", "update status")

	r.SetResourceVersion("0")
	if err := k.Status().Update(ctx, r); !kerrors.IsConflict(err) {
		t.Errorf("an old version gave %v, want a conflict", err)
	}
	c.Took(t, "an old version is for the API server to refuse", "update status")
}

// TestConditionsAreBounded has a condition quote a spec of 100 KB.
func TestConditionsAreBounded(t *testing.T) {
	c := reconcilertest.NewCluster(t, reconcilertest.Record("r"))
	r := c.Read(t, "r")
	ctx, _ := about(t, r)
	r.SetConditions(xpv2.ReconcileError(errors.New(strings.Repeat("é", 50_000))))
	if err := NewClient(c).Status().Update(ctx, r); err != nil {
		t.Fatal(err)
	}
	got := c.Read(t, "r").GetCondition(xpv2.TypeSynced)
	if n := len(got.Message); n > maxMessage || n < maxMessage-10 || !utf8.ValidString(got.Message) || !strings.HasSuffix(got.Message, " ...") {
		t.Errorf("the condition has %d bytes and ends in %q", n, got.Message[max(0, n-20):])
	}
}

func TestStatusOfACompleteCreation(t *testing.T) {
	down := errors.New("down")
	tests := []struct {
		reason   string
		synced   xpv2.Condition
		fail     error
		ready    string
		finished bool
	}{
		{"the runtime says Creating, the creation is complete", xpv2.ReconcileSuccess(), nil, "True/Available/1", true},
		{"an error after the creation is for the next reconcile", xpv2.ReconcileError(down), nil, "False/Creating/0", false},
		{"what could not be persisted is not finished", xpv2.ReconcileSuccess(), down, "Unknown//0", false},
	}
	for _, tc := range tests {
		c := reconcilertest.NewCluster(t, reconcilertest.Record("r"))
		c.Fail = func(string) error { return tc.fail }
		r := c.Read(t, "r")
		ctx, state := about(t, r)
		Complete(ctx, func() { r.SetConditions(xpv2.Available().WithObservedGeneration(r.GetGeneration())) })
		r.SetConditions(xpv2.Creating(), tc.synced)
		if err := NewClient(c).Status().Update(ctx, r); !errors.Is(err, tc.fail) {
			t.Errorf("%s: got %v", tc.reason, err)
		}
		if got := condition(c.Read(t, "r"), xpv2.TypeReady); got != tc.ready {
			t.Errorf("%s: Ready is %s, want %s", tc.reason, got, tc.ready)
		}
		if (state.Finished != nil) != tc.finished {
			t.Errorf("%s: finished is %v, want %t", tc.reason, state.Finished, tc.finished)
		}
	}
}

func TestFinalizer(t *testing.T) {
	held := reconcilertest.Record("r")
	held.SetFinalizers([]string{managed.FinalizerName})
	tests := []struct {
		reason  string
		is      *v1alpha1.Record
		creates bool
		asks    []string
	}{
		{"an object that is adopted gets it at once", reconcilertest.Record("r"), false, []string{"update"}},
		{"an object that is about to be created gets it with the update that precedes the creation", reconcilertest.Record("r"), true, nil},
		{"an object that has it is left alone", held, false, nil},
	}
	for _, tc := range tests {
		c := reconcilertest.NewCluster(t, tc.is)
		r := c.Read(t, "r")
		r.SetConditions(xpv2.Available())
		ctx, _ := about(t, r)
		if tc.creates {
			WillCreate(ctx)
		}
		if err := NewFinalizer(NewClient(c), &journal{}).AddFinalizer(ctx, r); err != nil {
			t.Errorf("%s: %v", tc.reason, err)
		}
		c.Took(t, tc.reason, tc.asks...)
		if !meta.FinalizerExists(r, managed.FinalizerName) {
			t.Errorf("%s: the object in hand has no finalizer", tc.reason)
		}
		if r.GetCondition(xpv2.TypeReady).Reason != xpv2.ReasonAvailable {
			t.Errorf("%s: what was observed is lost", tc.reason)
		}
	}
}

// TestTheJournalForgetsBeforeTheFinalizerGoes removes the finalizer with a journal that
// works and with one that fails.
func TestTheJournalForgetsBeforeTheFinalizerGoes(t *testing.T) {
	down := errors.New("down")
	for _, fail := range []error{nil, down} {
		held := reconcilertest.Record("r")
		held.SetFinalizers([]string{managed.FinalizerName})
		c, j := reconcilertest.NewCluster(t, held), &journal{err: fail}
		r := c.Read(t, "r")
		if err := NewFinalizer(NewClient(c), j).RemoveFinalizer(t.Context(), r); !errors.Is(err, fail) {
			t.Errorf("with a journal that says %v: %v", fail, err)
		}
		if len(j.forgotten) != 1 || j.forgotten[0] != held.UID {
			t.Errorf("the journal was to forget %v, want the object", j.forgotten)
		}
		if has := meta.FinalizerExists(c.Read(t, "r"), managed.FinalizerName); has != (fail != nil) {
			t.Errorf("with a journal that says %v, the finalizer is there: %t", fail, has)
		}
	}
}

// TestCriticalAnnotations records creations against a cache that shows an older version than
// the API server has, and against failures.
func TestCriticalAnnotations(t *testing.T) {
	down := errors.New("down")
	conflict := kerrors.NewConflict(schema.GroupResource{Resource: "records"}, "r", down)
	tests := []struct {
		reason   string
		complete bool
		// others is what other clients wrote since the object was read.
		others func(*v1alpha1.Record)
		fails  []error
		asks   int
		// kept is whether the creation still counts as complete. ttl is what the spec then
		// has.
		kept bool
		ttl  *int64
	}{
		{"one update persists the name and what the spec left open", true, nil, nil, 1, true, ptr.To[int64](1)},
		{"of what is not complete the annotations alone are sent", false, nil, nil, 1, false, nil},
		{"an edit meanwhile stays, and the name joins it", true, func(r *v1alpha1.Record) { r.Spec.ForProvider.TTL = ptr.To[int64](300) }, nil, 2, false, ptr.To[int64](300)},
		{"a failure is tried again", true, nil, []error{down, down}, 3, false, nil},
		{"so is a conflict that nothing explains", true, nil, []error{conflict, conflict}, 3, false, nil},
	}
	for _, tc := range tests {
		was := reconcilertest.Record("r")
		was.SetAnnotations(map[string]string{"ours": "v", "removed": "v", "note": "v"})
		c := reconcilertest.NewCluster(t, was)
		r := c.Read(t, "r")
		meta.RemoveAnnotations(r, "note")
		if tc.others != nil {
			theirs := c.Read(t, "r")
			tc.others(theirs)
			meta.AddAnnotations(theirs, map[string]string{"theirs": "v", "ours": "changed"})
			meta.RemoveAnnotations(theirs, "removed")
			if err := c.Update(t.Context(), theirs); err != nil {
				t.Fatal(err)
			}
		}
		c.Asked = nil
		c.Fail = func(string) error {
			if n := len(c.Asked); n <= len(tc.fails) {
				return tc.fails[n-1]
			}
			return nil
		}
		stale := &staleCache{Cluster: c, shows: r.DeepCopy()}
		ctx, state := about(t, r)
		if tc.complete {
			Complete(ctx, func() {})
		}
		meta.SetExternalName(r, "id")
		r.Spec.ForProvider.TTL = ptr.To[int64](1)
		decided := r.GetGeneration()
		u := AnnotationUpdater{kube: NewClient(stale), api: c, notes: []string{"note"}, gone: (&journal{}).Lost}
		if err := u.UpdateCriticalAnnotations(ctx, r); err != nil {
			t.Errorf("%s: %v", tc.reason, err)
		}
		if *r.Spec.ForProvider.TTL != 1 || r.GetGeneration() != decided {
			t.Errorf("%s: the reconcile goes on with a spec that it has not decided on", tc.reason)
		}
		if len(c.Asked) != tc.asks {
			t.Errorf("%s: it took %q, want %d requests", tc.reason, c.Asked, tc.asks)
		}
		now := c.Read(t, "r")
		if diff := cmp.Diff(tc.ttl, now.Spec.ForProvider.TTL); meta.GetExternalName(now) != "id" || diff != "" {
			t.Errorf("%s: the name is %q, want id; ttl (-want +got):\n%s", tc.reason, meta.GetExternalName(now), diff)
		}
		a := now.GetAnnotations()
		if _, back := a["removed"]; tc.others != nil && (a["theirs"] != "v" || a["ours"] != "changed" || back) {
			t.Errorf("%s: what someone else wrote is lost: %v", tc.reason, a)
		}
		if _, kept := a["note"]; kept {
			t.Errorf("%s: a note that was removed is still there", tc.reason)
		}
		if (state.Complete != nil) != tc.kept {
			t.Errorf("%s: still complete: %t, want %t", tc.reason, state.Complete != nil, tc.kept)
		}
	}
}

// TestCriticalAnnotationsOfAnObjectThatIsGone deletes an object before its creation can be
// recorded.
func TestCriticalAnnotationsOfAnObjectThatIsGone(t *testing.T) {
	tests := []struct {
		reason string
		next   bool
	}{
		{"nothing has its name", false},
		{"another object has its name, and must not get the external name", true},
	}
	for _, tc := range tests {
		c, j := reconcilertest.NewCluster(t, reconcilertest.Record("r")), &journal{}
		r := c.Read(t, "r")
		if err := c.Delete(t.Context(), r.DeepCopy()); err != nil {
			t.Fatal(err)
		}
		next := reconcilertest.Record("r")
		next.UID = "another"
		if tc.next {
			if err := c.Create(t.Context(), next); err != nil {
				t.Fatal(err)
			}
		}
		meta.SetExternalName(r, "id")
		ctx, _ := about(t, r)
		Complete(ctx, func() {})
		u := AnnotationUpdater{kube: NewClient(c), api: c, gone: j.Lost}
		if err := u.UpdateCriticalAnnotations(ctx, r); !kerrors.IsNotFound(err) {
			t.Errorf("%s: got %v, want that it is not found", tc.reason, err)
		}
		if len(j.lost) != 1 || j.lost[0] != r.UID {
			t.Errorf("%s: the journal heard of %v", tc.reason, j.lost)
		}
		if tc.next && meta.GetExternalName(c.Read(t, "r")) != "" {
			t.Errorf("%s: it has", tc.reason)
		}
	}
}

// staleCache is a cluster whose reads come from a cache that does not move.
type staleCache struct {
	*reconcilertest.Cluster

	shows *v1alpha1.Record
}

// Get returns the old version in obj.
func (c *staleCache) Get(_ context.Context, _ client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	r, ok := obj.(*v1alpha1.Record)
	if !ok {
		return errors.New("only Records are cached")
	}
	c.shows.DeepCopyInto(r)
	return nil
}

// TestAStatusDoesNotSettleWhatTheCacheMissed sends a status right after an update,
// before the cache shows the update.
func TestAStatusDoesNotSettleWhatTheCacheMissed(t *testing.T) {
	c := reconcilertest.NewCluster(t, reconcilertest.Record("r"))
	r := c.Read(t, "r")
	before := r.DeepCopy()
	k := NewClient(&staleCache{Cluster: c, shows: before})
	ctx, _ := about(t, r)
	meta.SetExternalName(r, "id")
	if err := k.Update(ctx, r); err != nil {
		t.Fatal(err)
	}
	after := r.DeepCopy()
	if err := k.Status().Update(ctx, r); err != nil {
		t.Fatal(err)
	}
	c.Took(t, "both are sent", "update", "update status")
	if !k.writes.IsOwn(before, after, func() {}) {
		t.Error("the event of our own update, which comes later, is taken for someone else's")
	}
}
