// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
)

func recordKind() ManagedKind {
	return ManagedKind{
		GVK:     dnsv1alpha1.RecordGroupVersionKind,
		New:     func() resource.Managed { return &dnsv1alpha1.Record{} },
		NewList: func() resource.ManagedList { return &dnsv1alpha1.RecordList{} },
		Has: func(mg resource.Managed) bool {
			r, ok := mg.(*dnsv1alpha1.Record)
			return ok && r.Status.Ownership == v1alpha1.OwnershipOwn
		},
	}
}

// none refuses no object, as a config without limits.
func none(context.Context, resource.ModernManaged) bool { return false }

// elsewhereNot refuses objects of the namespace elsewhere.
func elsewhereNot(_ context.Context, mg resource.ModernManaged) bool {
	return mg.GetNamespace() == "elsewhere"
}

func rec(namespace, name, kind, config string, opts ...func(*dnsv1alpha1.Record)) *dnsv1alpha1.Record {
	r := &dnsv1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	r.SetProviderConfigReference(&xpv2.ProviderConfigReference{Kind: kind, Name: config})
	for _, f := range opts {
		f(r)
	}
	return r
}

func owning(r *dnsv1alpha1.Record) { meta.AddFinalizer(r, managed.FinalizerName) }

func own() connect.ConfigRef {
	return connect.ConfigRef{Kind: "ProviderConfig", NamespacedName: types.NamespacedName{Namespace: "ns", Name: "own"}}
}

func cluster() connect.ConfigRef {
	return connect.ConfigRef{Kind: "ClusterProviderConfig", NamespacedName: types.NamespacedName{Name: "own"}}
}

// undelayed is a queue without the delay of a count.
type undelayed struct{ requests }

func (q undelayed) AddAfter(r reconcile.Request, d time.Duration) {
	if d == recount {
		q.Add(r)
	}
}

// TestUsersFollowTheObjects counts the objects in the events of an informer.
func TestUsersFollowTheObjects(t *testing.T) {
	u := NewUsers(recordKind())
	q, clusters := undelayed{newQueue(t)}, undelayed{newQueue(t)}
	for kind, q := range map[string]requests{"ProviderConfig": q, "ClusterProviderConfig": clusters} {
		if err := u.source(kind).Start(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	fresh, marked := rec("ns", "b", "ProviderConfig", "own"), rec("ns", "b", "ProviderConfig", "own", owning)
	named := rec("ns", "a", "ProviderConfig", "own", func(r *dnsv1alpha1.Record) { meta.SetExternalName(r, "id") })
	pending := rec("ns", "p", "ProviderConfig", "own", func(r *dnsv1alpha1.Record) { meta.SetExternalCreatePending(r, metav1.Now().Time) })
	moved := rec("ns", "b", "ClusterProviderConfig", "own", owning)
	elsewhere := rec("elsewhere", "b", "ProviderConfig", "own", owning)
	everywhere := rec("elsewhere", "c", "ClusterProviderConfig", "own", owning)
	steps := []struct {
		reason        string
		before, after any
		ref           connect.ConfigRef
		users, waits  int
		first         string
	}{
		{"a new object uses its config, which does not wait for it", nil, fresh, own(), 1, 0, ""},
		{"one with the finalizer is waited for", fresh, marked, own(), 1, 1, "ns/b"},
		{"so is one with an external name", nil, named, own(), 2, 2, "ns/a"},
		{"and one that is being created", nil, pending, own(), 3, 3, "ns/a"},
		{"an object of another namespace uses another config", nil, elsewhere, own(), 3, 3, "ns/a"},
		{"one that names another config leaves the first", marked, moved, own(), 2, 2, "ns/a"},
		{"and is with the other", nil, everywhere, cluster(), 2, 2, "elsewhere/c"},
		{"an object that is gone uses none", named, nil, own(), 1, 1, "ns/p"},
		{"a deletion that the watch missed counts", toolscache.DeletedFinalStateUnknown{Key: "ns/p", Obj: pending}, nil, own(), 0, 0, ""},
		{"a deletion that is reported twice does, once", pending, nil, own(), 0, 0, ""},
		{"an object of another type is none", nil, &v1alpha1.ProviderConfig{}, own(), 0, 0, ""},
	}
	for _, tc := range steps {
		u.see(recordKind(), tc.before, tc.after)
		waits := u.blocking(t.Context(), tc.ref, none)
		if got := u.count(tc.ref); got != tc.users || waits.n != tc.waits || waits.n > 0 && waits.least.String() != tc.first {
			t.Errorf("%s: %d users, it waits for %+v; want %d, %d and %q", tc.reason, got, waits, tc.users, tc.waits, tc.first)
		}
	}
	if got := drain(q); !strings.Contains(got, "ns/own") || strings.Contains(got, "//") {
		t.Errorf("%q is looked at, want the configs of a namespace whose users changed", got)
	}
	if got := drain(clusters); got != "/own" {
		t.Errorf("%q is looked at, want the config of the cluster, once", got)
	}
	u.see(recordKind(), moved, moved)
	if got := drain(clusters); got != "" {
		t.Errorf("%q is looked at after an event that changes nothing", got)
	}
}

// TestACountIsShownWhenItIsComplete has the process start again.
func TestACountIsShownWhenItIsComplete(t *testing.T) {
	c := newCloud(t)
	shown := pc()
	shown.Status.Users = 2
	b := newBench(t, c, shown)
	users := func() int64 {
		t.Helper()
		res, _ := b.reconcile(t)
		got := pc()
		if err := b.kube.Get(t.Context(), client.ObjectKeyFromObject(got), got); err != nil {
			t.Fatal(err)
		}
		if got.Status.Users != int64(b.users.count(own())) && res.RequeueAfter != recount {
			t.Errorf("it shows %d of %d users and is looked at again in %v", got.Status.Users, b.users.count(own()), res.RequeueAfter)
		}
		return got.Status.Users
	}
	synced := false
	b.users.synced[recordKind().GVK] = func() bool { return synced }
	b.users.see(recordKind(), nil, rec("ns", "a", "ProviderConfig", "own"))
	if got := users(); got != 2 {
		t.Errorf("%d users are shown before all objects were counted, want those from before", got)
	}
	synced = true
	if got := users(); got != 1 {
		t.Errorf("%d users are shown, want 1", got)
	}

	m := apimeta.NewDefaultRESTMapper(nil)
	delete(b.users.synced, recordKind().GVK)
	if !b.users.complete(m) {
		t.Error("a kind that is not served is waited for")
	}
	m.Add(recordKind().GVK, apimeta.RESTScopeNamespace)
	if b.users.complete(m) {
		t.Error("a kind that is served, and not watched yet, counts as counted")
	}
}

// paged makes lists end after so many objects.
func paged(kube client.WithWatch, size int, lists *int) client.WithWatch {
	return interceptor.NewClient(kube, interceptor.Funcs{List: func(ctx context.Context, c client.WithWatch, l client.ObjectList, opts ...client.ListOption) error {
		o := (&client.ListOptions{}).ApplyOptions(opts)
		records, ok := l.(*dnsv1alpha1.RecordList)
		if !ok || o.Limit == 0 {
			return fmt.Errorf("a list of %T without a limit", l)
		}
		if err := c.List(ctx, l, client.InNamespace(o.Namespace)); err != nil {
			return err
		}
		*lists++
		from := 0
		if o.Continue != "" {
			if _, err := fmt.Sscan(o.Continue, &from); err != nil {
				return err
			}
		}
		all := records.Items
		records.Items = all[from:min(from+size, len(all))]
		if from+size < len(all) {
			records.Continue = fmt.Sprint(from + size)
		}
		return nil
	}})
}

func TestListedCountsPastTheCache(t *testing.T) {
	b := newBench(
		t, newCloud(t),
		rec("ns", "a-fresh", "ProviderConfig", "own"), rec("ns", "b", "ProviderConfig", "own", owning), rec("ns", "c", "ProviderConfig", "own", owning),
		rec("ns", "of-another", "ProviderConfig", "other", owning), rec("ns", "of-the-cluster", "ClusterProviderConfig", "own", owning),
		rec("elsewhere", "of-another-namespace", "ProviderConfig", "own", owning), rec("elsewhere", "of-the-cluster", "ClusterProviderConfig", "own", owning),
	)
	lists := 0
	api := paged(b.kube, 2, &lists)
	u := NewUsers(recordKind())
	waits, err := u.listed(t.Context(), api, own(), none)
	if waits.n != 2 || waits.least.String() != "ns/b" || err != nil || lists != 3 {
		t.Errorf("it waits for %+v, %v, in %d pages; want 2 of its own namespace in 3", waits, err, lists)
	}
	if waits, err = u.listed(t.Context(), api, cluster(), none); waits.n != 2 || waits.least.String() != "elsewhere/of-the-cluster" || err != nil {
		t.Errorf("it waits for %+v, %v; want those of every namespace", waits, err)
	}
	for reason, tc := range map[string]struct{ fail, want error }{
		"a kind that is not activated": {&apimeta.NoKindMatchError{GroupKind: recordKind().GVK.GroupKind()}, nil},
		"a kind that was removed":      {kerrors.NewNotFound(schema.GroupResource{}, ""), nil},
		"an API server that fails":     {errDown, errDown},
	} {
		failing := interceptor.NewClient(b.kube, interceptor.Funcs{List: func(context.Context, client.WithWatch, client.ObjectList, ...client.ListOption) error { return tc.fail }})
		if waits, err := u.listed(t.Context(), failing, own(), none); waits.n != 0 || !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
			t.Errorf("%s: it waits for %+v, %v", reason, waits, err)
		}
	}
}

// TestRefusedObjectsBlockNothing: a config under deletion does not wait for an object that it refuses,
// if that object has nothing according to its status. The fields that the object's user can write do not
// count. The config waits for an object with a resource according to its status, even if it refuses the
// object by now.
func TestRefusedObjectsBlockNothing(t *testing.T) {
	has := func(r *dnsv1alpha1.Record) {
		owning(r)
		r.Status.AtProvider.ID, r.Status.Ownership = "id", v1alpha1.OwnershipOwn
	}
	named := func(r *dnsv1alpha1.Record) { meta.SetExternalName(r, "id") }
	for _, tc := range []struct {
		reason string
		object *dnsv1alpha1.Record
		waits  int
	}{
		{"it may get something", rec("ns", "a", "ClusterProviderConfig", "own", owning), 1},
		{"it is refused and has a finalizer", rec("elsewhere", "a", "ClusterProviderConfig", "own", owning), 0},
		{"it is refused and has an external name", rec("elsewhere", "a", "ClusterProviderConfig", "own", named), 0},
		{"it is refused and only looked at what it names", rec("elsewhere", "a", "ClusterProviderConfig", "own", named, func(r *dnsv1alpha1.Record) {
			r.Status.AtProvider.ID, r.Status.Ownership = "id", v1alpha1.OwnershipObserved
		}), 0},
		{"it is refused by now and has something", rec("elsewhere", "a", "ClusterProviderConfig", "own", has), 1},
	} {
		u := NewUsers(recordKind())
		u.see(recordKind(), nil, tc.object)
		if waits := u.blocking(t.Context(), cluster(), elsewhereNot); waits.n != tc.waits {
			t.Errorf("%s: by the cache it waits for %+v, want %d", tc.reason, waits, tc.waits)
		}
		b := newBench(t, newCloud(t), tc.object)
		if waits, err := u.listed(t.Context(), b.kube, cluster(), elsewhereNot); waits.n != tc.waits || err != nil {
			t.Errorf("%s: past the cache it waits for %+v, want %d: %v", tc.reason, waits, tc.waits, err)
		}
	}
}

var errDown = errors.New("down")

// beingDeleted makes the config one with the finalizer whose deletion has begun.
func beingDeleted(t *testing.T, b *bench) {
	t.Helper()
	if err := b.kube.Delete(t.Context(), pc()); err != nil {
		t.Fatal(err)
	}
}

func protected() *v1alpha1.ProviderConfig {
	p := pc()
	p.UID, p.Finalizers = "uid", []string{connect.Finalizer}
	return p
}

func (b *bench) exists(t *testing.T) bool {
	t.Helper()
	err := b.kube.Get(t.Context(), client.ObjectKeyFromObject(pc()), pc())
	if client.IgnoreNotFound(err) != nil {
		t.Fatal(err)
	}
	return err == nil
}

func TestAConfigStaysWhileItIsUsed(t *testing.T) {
	c := newCloud(t)
	b := newBench(t, c, protected(), rec("ns", "b", "ProviderConfig", "own", owning))
	beingDeleted(t, b)
	a := rec("ns", "a", "ProviderConfig", "own", owning)
	b.users.see(recordKind(), nil, a)
	res, ready := b.reconcile(t)
	if !b.exists(t) || res.RequeueAfter != retryRelease || ready.Reason != reasonInUse || !strings.Contains(ready.Message, "waits for 1 managed resources") || !strings.Contains(ready.Message, "ns/a among") {
		t.Errorf("Ready is %+v, again after %v", ready, res.RequeueAfter)
	}

	// The cache shows none, but the API server has one.
	b.users.see(recordKind(), a, nil)
	if _, ready = b.reconcile(t); !b.exists(t) || !strings.Contains(ready.Message, "ns/b among") {
		t.Errorf("Ready is %+v", ready)
	}
	ctx, end := connect.Begin(t.Context())
	if _, err := b.opener.For(ctx, rec("ns", "b", "ProviderConfig", "own", owning)); errors.As(err, new(*connect.ConfigDeletedError)) {
		t.Errorf("a config that waits for an object does not serve it: %v", err)
	}
	if _, err := b.opener.For(ctx, rec("ns", "new", "ProviderConfig", "own")); !errors.As(err, new(*connect.ConfigDeletedError)) {
		t.Errorf("a new object gets %v, want that the config is being deleted", err)
	}

	// No object uses it any more, but a reconcile has not ended.
	if err := b.kube.DeleteAllOf(t.Context(), &dnsv1alpha1.Record{}, client.InNamespace("ns")); err != nil {
		t.Fatal(err)
	}
	l := &dnsv1alpha1.RecordList{}
	if err := b.kube.List(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	for i := range l.Items {
		l.Items[i].Finalizers = nil
		if err := b.kube.Update(t.Context(), &l.Items[i]); err != nil {
			t.Fatal(err)
		}
	}
	if res, ready = b.reconcile(t); !b.exists(t) || res.RequeueAfter != retrySessions || !strings.Contains(ready.Message, "the end of what was begun") {
		t.Errorf("Ready is %+v, again after %v", ready, res.RequeueAfter)
	}
	end()
	b.reconcile(t)
	if b.exists(t) {
		t.Error("a config that nothing uses is not let go")
	}
	if c.calls.Load() != 0 {
		t.Error("the credentials of what is being deleted were verified")
	}
}

// TestAConfigThatCannotBeCountedStays has the API server fail.
func TestAConfigThatCannotBeCountedStays(t *testing.T) {
	b := newBench(t, newCloud(t), protected())
	beingDeleted(t, b)
	fails := true
	b.api = interceptor.NewClient(b.kube, interceptor.Funcs{List: func(ctx context.Context, c client.WithWatch, l client.ObjectList, opts ...client.ListOption) error {
		if fails {
			return errDown
		}
		return c.List(ctx, l, opts...)
	}})
	if _, err := b.release(t.Context(), own(), live(t, b)); !errors.Is(err, errDown) || !b.exists(t) {
		t.Errorf("got %v (there: %t), want that it cannot be determined", err, b.exists(t))
	}
	fails = false
	b.reconcile(t)
	if b.exists(t) {
		t.Error("it is still there")
	}
}

func live(t *testing.T, b *bench) *v1alpha1.ProviderConfig {
	t.Helper()
	p := pc()
	if err := b.kube.Get(t.Context(), client.ObjectKeyFromObject(p), p); err != nil {
		t.Fatal(err)
	}
	return p
}

// admitted reports whether an object that has nothing yet may go on with its config. These tests have no
// Secret, and all other errors come after the admission.
func (b *bench) admitted(ctx context.Context) bool {
	_, err := b.opener.For(ctx, rec("ns", "r", "ProviderConfig", "own"))
	noConfig := kerrors.IsNotFound(err) && strings.Contains(err.Error(), "get the ProviderConfig")
	return !noConfig && !errors.As(err, new(*connect.ConfigDeletedError))
}

// object reads the one object of the cluster.
func (b *bench) object(t *testing.T) *dnsv1alpha1.Record {
	t.Helper()
	r := rec("ns", "r", "ProviderConfig", "own")
	if err := b.kube.Get(t.Context(), client.ObjectKeyFromObject(r), r); err != nil {
		t.Fatal(err)
	}
	return r
}

// manage adds the finalizer to the object, as it is added before any creation.
func (b *bench) manage(t *testing.T) {
	t.Helper()
	r := b.object(t)
	owning(r)
	if err := b.kube.Update(t.Context(), r); err != nil {
		t.Error(err)
	}
}

// TestAConfigIsDeletedAfterAnObjectCame deletes a config after an object has opened its first session
// and before the object shows it.
func TestAConfigIsDeletedAfterAnObjectCame(t *testing.T) {
	b := newBench(t, newCloud(t), protected(), rec("ns", "r", "ProviderConfig", "own"))
	ctx, end := connect.Begin(t.Context())
	if !b.admitted(ctx) {
		t.Fatal("the object is not served")
	}
	beingDeleted(t, b)
	b.reconcile(t)
	if !b.exists(t) {
		t.Fatal("the config went while an object is created with it")
	}
	b.manage(t)
	end()
	if _, ready := b.reconcile(t); !b.exists(t) || !strings.Contains(ready.Message, "ns/r among") {
		t.Errorf("Ready is %+v", ready)
	}
}

// TestAConfigIsDeletedBeforeAnObjectCame is the reverse order.
func TestAConfigIsDeletedBeforeAnObjectCame(t *testing.T) {
	b := newBench(t, newCloud(t), protected(), rec("ns", "r", "ProviderConfig", "own"))
	b.users.see(recordKind(), nil, b.object(t))
	beingDeleted(t, b)
	ctx, end := connect.Begin(t.Context())
	if b.admitted(ctx) {
		t.Error("a config that is being deleted serves a new object")
	}
	end()
	b.reconcile(t)
	if b.exists(t) {
		t.Error("an object that was refused keeps the config")
	}
}

// TestAConfigIsDeletedAsAnObjectComes does both at the same time: when the config is gone, no object has
// anything to clean up with it.
func TestAConfigIsDeletedAsAnObjectComes(t *testing.T) {
	c := newCloud(t)
	for i := range 100 {
		b := newBench(t, c, protected(), rec("ns", "r", "ProviderConfig", "own"))
		var wg sync.WaitGroup
		wg.Go(func() {
			ctx, end := connect.Begin(t.Context())
			defer end()
			if b.admitted(ctx) {
				b.manage(t)
			}
		})
		wg.Go(func() {
			beingDeleted(t, b)
			b.reconcile(t)
		})
		wg.Wait()
		b.reconcile(t)
		if uses := connect.MayOwn(b.object(t)); uses != b.exists(t) {
			t.Fatalf("attempt %d: an object uses the config: %t; the config is there: %t", i, uses, b.exists(t))
		}
	}
}

// BenchmarkUsers counts the users of a config with ten thousand users, after one of them changed.
func BenchmarkUsers(b *testing.B) {
	u := NewUsers(recordKind())
	for i := range 10_000 {
		u.see(recordKind(), nil, rec("ns", fmt.Sprintf("r%d", i), "ProviderConfig", "own", owning))
	}
	fresh, marked := rec("ns", "r1", "ProviderConfig", "own"), rec("ns", "r1", "ProviderConfig", "own", owning)
	b.Run("show", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			u.see(recordKind(), marked, fresh)
			u.see(recordKind(), fresh, marked)
			if u.count(own()) != 10_000 {
				b.Fatal("lost count")
			}
		}
	})
	b.Run("release", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if waits := u.blocking(b.Context(), own(), none); waits.n != 10_000 || waits.least.String() != "ns/r0" {
				b.Fatal("lost count")
			}
		}
	})
}
