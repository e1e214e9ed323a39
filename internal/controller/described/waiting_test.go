// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"errors"
	"slices"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler/reconcilertest"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// TestFeedWakesWhoWaits checks that an object that may not create what it looks for is woken by resources that appear
// below its parent, and by nothing else.
func TestFeedWakesWhoWaits(t *testing.T) {
	q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[workers.Request]())
	defer q.ShutDown()
	e := roster()[0]
	kube := fake.NewClientBuilder().WithScheme(reconcilertest.Scheme(t)).WithIndex(e.New(), claim.Index, claimKind(e).ExternalNames).Build()
	f := newFeed(kube, e, logging.NewNopLogger())
	if err := f.Source().Start(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	f.Waiting.Add("here", types.NamespacedName{Namespace: "ns", Name: "early"})
	f.Changed(t.Context(), parent.Change{Key: "there", IDs: []string{"new"}})
	f.Changed(t.Context(), parent.Change{Key: "here", Err: errors.New("down")})
	if q.Len() > 0 {
		t.Error("it was woken by what is not below its parent, or by a failure")
	}
	f.Changed(t.Context(), parent.Change{Key: "here", IDs: []string{"new"}})
	if q.Len() != 1 {
		t.Errorf("%d objects were woken by a new resource, want 1", q.Len())
	}
}

// TestParentsInUse checks that a parent without objects is no longer listed, however the objects ended.
func TestParentsInUse(t *testing.T) {
	e := roster()[0]
	one := e.New()
	one.SetNamespace("ns")
	one.SetName("one")
	key := e.Description.Group + " " + e.Description.Name + " /accounts/1/things"
	one.GetSync().Parent = key
	kube := fake.NewClientBuilder().WithScheme(reconcilertest.Scheme(t)).WithIndex(e.New(), indexParent, parentsOf).WithObjects(one).Build()
	p := NewPool(parent.Options{})
	if p.inUse(t.Context(), key) {
		t.Error("a parent is in use before its controller runs")
	}
	f := newFeed(kube, e, logging.NewNopLogger())
	p.follow(e.Description, f)
	if !p.inUse(t.Context(), key) || p.inUse(t.Context(), key+"/others") {
		t.Error("not the parent of the object alone is in use")
	}
	if err := kube.Delete(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	if p.inUse(t.Context(), key) {
		t.Error("the parent of an object that is gone is in use")
	}
	observer := e.New()
	observer.SetNamespace("ns")
	observer.SetName("observer")
	f.Waiting.Add(key, client.ObjectKeyFromObject(observer))
	if p.inUse(t.Context(), key) {
		t.Error("a parent is in use for an object that is gone")
	}
	if err := kube.Create(t.Context(), observer); err != nil {
		t.Fatal(err)
	}
	f.Waiting.Add(key, client.ObjectKeyFromObject(observer))
	if !p.inUse(t.Context(), key) {
		t.Error("a parent in which an object waits is not in use")
	}
}

// TestBarredObjectsUseNoParent checks that nothing is listed for an object that its provider config does not allow,
// and that lists go on for other objects.
func TestBarredObjectsUseNoParent(t *testing.T) {
	t.Parallel()
	s := newStage(t, entryOf(t, "Healthcheck"))
	e := entryOf(t, "Healthcheck")
	s.settle(s.kind, s.key)
	open, key := s.session, s.read(s.kind, s.key).GetSync().Parent
	f := newFeed(s.server, e, logging.NewNopLogger())
	f.Barred = &s.barred
	inUse := func(reason string, want bool) {
		if got := f.InUse(t.Context(), key); got != want {
			t.Errorf("%s: the parent is in use: %t", reason, got)
		}
	}
	inUse("an object that is allowed", true)
	s.limit([]string{elsewhereID}, nil)
	s.reconcile(s.kind, s.key)
	inUse("an object that is not allowed", false)
	other, _ := s.fresh.DeepCopyObject().(Object)
	other.SetName("other")
	other.SetUID("other")
	must(t, s.server.Create(t.Context(), other))
	other = s.read(s.kind, client.ObjectKeyFromObject(other))
	other.GetSync().Parent = key
	must(t, s.server.Status().Update(t.Context(), other))
	inUse("another object", true)
	must(t, s.server.Delete(t.Context(), other))
	f.Waiting.Add(key, s.key)
	inUse("an object that waits and is not allowed", false)
	s.session = open
	i := slices.IndexFunc(s.roster, func(e entry) bool { return e.GVK.Kind == s.kind })
	s.inner[s.kind] = s.reconciler(s.roster[i])
	s.reconcile(s.kind, s.key)
	inUse("an object that is allowed again", true)
}
