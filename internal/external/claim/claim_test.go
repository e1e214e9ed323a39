// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package claim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

const theID = "372e67954025e0ba6aaa6d586b9e0b59"

// An option of a Record.
type option func(*v1alpha1.Record)

// named returns an option for an object that names the resource of that ID, and has the finalizer.
func named(id string) option {
	return func(r *v1alpha1.Record) {
		meta.SetExternalName(r, id)
		meta.AddFinalizer(r, managed.FinalizerName)
	}
}

// creating marks an object for which the journal has a creation of unknown outcome.
func creating(r *v1alpha1.Record) { r.SetUID("creating-" + r.GetUID()) }

// made marks an object that has created the resource, by the journal.
func made(r *v1alpha1.Record) { r.SetUID("made-" + r.GetUID()) }

// edited edits an object after the last look.
func edited(r *v1alpha1.Record) { r.SetGeneration(r.GetGeneration() + 1) }

// of returns an option for an object with that ownership in its status.
func of(ownership string) option {
	return func(r *v1alpha1.Record) { r.SetOwnership(ownership) }
}

// names returns an option for an object whose user set that ID, and that has no other trace of it.
func names(id string) option { return func(r *v1alpha1.Record) { meta.SetExternalName(r, id) } }

func seen(id string) option { return func(r *v1alpha1.Record) { r.Status.AtProvider.ID = id } }
func uid(u string) option   { return func(r *v1alpha1.Record) { r.SetUID(types.UID(u)) } }

func policies(p ...xpv2.ManagementAction) option {
	return func(r *v1alpha1.Record) { r.Spec.ManagementPolicies = p }
}

func age(d time.Duration) option {
	return func(r *v1alpha1.Record) {
		r.SetCreationTimestamp(metav1.NewTime(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(-d)))
	}
}

// using returns an option that sets the provider config.
func using(kind, name string) option {
	return func(r *v1alpha1.Record) {
		r.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: kind, Name: name}
	}
}

// barred marks an object that its provider config does not allow.
func barred(r *v1alpha1.Record) { r.SetLabels(map[string]string{"barred": "true"}) }

func in(namespace string) option { return func(r *v1alpha1.Record) { r.SetNamespace(namespace) } }

// rec returns a Record that manages everything and is as old as any other.
func rec(name string, opts ...option) *v1alpha1.Record {
	r := &v1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
	using("ProviderConfig", "default")(r)
	for _, o := range append([]option{uid("uid-" + name), policies(xpv2.ManagementActionAll), age(0)}, opts...) {
		o(r)
	}
	return r
}

// cluster returns a client that shows those objects, with the index that the registry needs.
func cluster(t *testing.T, objs ...*v1alpha1.Record) client.WithWatch {
	t.Helper()
	s := runtime.NewScheme()
	if err := apis.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	b := fake.NewClientBuilder().WithScheme(s).WithIndex(&v1alpha1.Record{}, Index, Kind{}.ExternalNames)
	for _, o := range objs {
		b = b.WithObjects(o.DeepCopy())
	}
	return b.Build()
}

func registry(kube client.Reader) *Registry {
	r := NewRegistry(kube, Kind{
		New:     func() resource.Managed { return &v1alpha1.Record{} },
		NewList: func() resource.ManagedList { return &v1alpha1.RecordList{} },
		SeenID: func(mg resource.Managed) string {
			r, ok := mg.(*v1alpha1.Record)
			if !ok {
				return ""
			}
			return r.Status.AtProvider.ID
		},
	})
	r.Bar(func(_ context.Context, mg resource.Managed) bool { return mg.GetLabels()["barred"] != "" })
	r.Trust(func(uid types.UID, id string) (may, has bool) {
		has = strings.HasPrefix(string(uid), "made-") && id == theID
		return has || strings.HasPrefix(string(uid), "creating-"), has
	})
	return r
}

func TestHoldByWhatTheCacheShows(t *testing.T) {
	observe := policies(xpv2.ManagementActionObserve)
	tests := []struct {
		reason string
		shown  []*v1alpha1.Record
		by     *v1alpha1.Record
		// holder is the object that the refusal names, "" if there is no refusal.
		holder string
	}{
		{"nobody claims it", nil, rec("me"), ""},
		{"it is mine", []*v1alpha1.Record{rec("me", named(theID))}, rec("me", named(theID)), ""},
		{"others claim other things", []*v1alpha1.Record{rec("other", named("0"+theID[1:]))}, rec("me"), ""},
		{"another has created it, I have nothing yet", []*v1alpha1.Record{rec("first", creating, named(theID))}, rec("me"), "ns/first"},
		{"another names it and never had it", []*v1alpha1.Record{rec("first", names(theID), age(time.Hour))}, rec("me"), ""},
		{"a finalizer may be forged", []*v1alpha1.Record{rec("first", named(theID), age(time.Hour))}, rec("me"), ""},
		{"with a config for the whole cluster, too", []*v1alpha1.Record{rec("first", named(theID), in("other"), using("ClusterProviderConfig", "x"))}, rec("me", using("ClusterProviderConfig", "x")), ""},
		{"a finalizer that comes with another credential may be forged", []*v1alpha1.Record{rec("first", named(theID), using("ProviderConfig", "absent"), age(time.Hour))}, rec("me"), ""},
		{"a config of that name in another namespace is another", []*v1alpha1.Record{rec("first", named(theID), in("other"), age(time.Hour))}, rec("me"), ""},
		{"I have created it, and another has a creation of something", []*v1alpha1.Record{rec("first", creating, named(theID), age(time.Hour))}, rec("me", made, named(theID)), ""},
		{"another has created it, and I have a creation of something", []*v1alpha1.Record{rec("first", made, named(theID))}, rec("me", creating, age(time.Hour)), "ns/first"},
		{"what was created counts with any credential", []*v1alpha1.Record{rec("first", creating, named(theID), in("other"))}, rec("me"), "other/first"},
		{"what was seen with it counts with any credential", []*v1alpha1.Record{rec("first", named(theID), seen(theID), in("other"))}, rec("me"), "other/first"},
		{"another was seen with it, whatever became of its finalizer", []*v1alpha1.Record{rec("first", names(theID), seen(theID))}, rec("me"), "ns/first"},
		{"an observer claims nothing", []*v1alpha1.Record{rec("first", named(theID))}, rec("me", observe), ""},
		{"an observer holds nothing against me", []*v1alpha1.Record{rec("first", named(theID), observe, seen(theID))}, rec("me"), ""},
		{
			"who was seen with it comes first, even if younger",
			[]*v1alpha1.Record{rec("seen", named(theID), seen(theID)), rec("old", named(theID), age(time.Hour))},
			rec("old", named(theID), age(time.Hour)), "ns/seen",
		},
		{
			"who was seen with it is not refused",
			[]*v1alpha1.Record{rec("seen", named(theID), seen(theID)), rec("old", named(theID), age(time.Hour))},
			rec("seen", named(theID), seen(theID)), "",
		},
		{
			"who was seen with it, and let go of it until an edit, comes after who has it",
			[]*v1alpha1.Record{rec("let-go", named(theID), seen(theID), of(Own), edited, age(time.Hour)), rec("has", named(theID), seen(theID), of(Own))},
			rec("let-go", named(theID), seen(theID), of(Own), edited, age(time.Hour)), "ns/has",
		},
		{
			"who has it is not refused for one that has let go of it until an edit",
			[]*v1alpha1.Record{rec("let-go", named(theID), seen(theID), of(Own), edited, age(time.Hour)), rec("has", named(theID), seen(theID), of(Own))},
			rec("has", named(theID), seen(theID), of(Own)), "",
		},
		{
			"what an earlier version saw counts, also after an edit",
			[]*v1alpha1.Record{rec("first", named(theID), seen(theID), edited)},
			rec("me"), "ns/first",
		},
		{
			"what was only observed does not count",
			[]*v1alpha1.Record{rec("first", named(theID), seen(theID), of(Observed), age(time.Hour))},
			rec("me"), "",
		},
		{
			"who was seen with something else has no precedence",
			[]*v1alpha1.Record{rec("moved", creating, named(theID), seen("other")), rec("old", creating, named(theID), age(time.Hour))},
			rec("moved", creating, named(theID), seen("other")), "ns/old",
		},
		{
			"the older of two comes first",
			[]*v1alpha1.Record{rec("a-young", creating, named(theID)), rec("b-old", creating, named(theID), age(time.Hour))},
			rec("a-young", creating, named(theID)), "ns/b-old",
		},
		{
			"of one age the first by name, so that never both are refused",
			[]*v1alpha1.Record{rec("b", creating, named(theID)), rec("a", creating, named(theID))},
			rec("b", creating, named(theID)), "ns/a",
		},
		{
			"of one age the first by name is not refused",
			[]*v1alpha1.Record{rec("b", creating, named(theID)), rec("a", creating, named(theID))},
			rec("a", creating, named(theID)), "",
		},
		{
			"an object of the same name that was made again is another object",
			[]*v1alpha1.Record{rec("me", uid("old"), creating, named(theID))},
			rec("me", uid("new")), "ns/me",
		},
		{"a finalizer may be forged where the config does not allow the object", []*v1alpha1.Record{rec("first", named(theID), barred, age(time.Hour))}, rec("me"), ""},
		{"what it has it keeps where the config allows it no more", []*v1alpha1.Record{rec("first", named(theID), seen(theID), barred)}, rec("me"), "ns/first"},
		{
			"who may only delete manages it too",
			[]*v1alpha1.Record{rec("first", creating, named(theID), policies(xpv2.ManagementActionObserve, xpv2.ManagementActionDelete))},
			rec("me"), "ns/first",
		},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			err := registry(cluster(t, tc.shown...)).Hold(t.Context(), tc.by, theID)
			var c *ConflictError
			switch {
			case tc.holder == "" && err != nil:
				t.Errorf("%s: refused: %v", tc.reason, err)
			case tc.holder != "" && (!errors.As(err, &c) || c.Holder.String() != tc.holder || c.ID != theID):
				t.Errorf("%s: got %v, want a refusal that names %s", tc.reason, err, tc.holder)
			case tc.holder != "" && (!strings.Contains(err.Error(), tc.holder) || !strings.Contains(err.Error(), theID)):
				t.Errorf("%s: %q does not say who and what", tc.reason, err)
			}
		})
	}
}

func TestHoldByMemory(t *testing.T) {
	tests := []struct {
		reason string
		// now is the first claimant as the cache shows it when the second one comes. Nil means that
		// it is deleted.
		now     *v1alpha1.Record
		refused bool
	}{
		{"the cache does not show the first one's external name yet", rec("first"), true},
		{"the cache shows it", rec("first", named(theID)), true},
		{"the first is gone", nil, false},
		{"the first has become something else", rec("first", named("0"+theID[1:])), false},
		{"the first was deleted and made again", rec("first", uid("another")), false},
		{"the first only observes now", rec("first", policies(xpv2.ManagementActionObserve)), false},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			kube := cluster(t, rec("first"), rec("second"))
			r := registry(kube)
			if err := r.Hold(t.Context(), rec("first"), theID); err != nil {
				t.Fatal(err)
			}
			if err := kube.Delete(t.Context(), rec("first")); err != nil {
				t.Fatal(err)
			}
			if tc.now != nil {
				if err := kube.Create(t.Context(), tc.now.DeepCopy()); err != nil {
					t.Fatal(err)
				}
			}
			taken, err := r.Taken(t.Context(), rec("second"), theID)
			if err != nil || taken != tc.refused {
				t.Errorf("%s: Taken is %t, %v, want %t", tc.reason, taken, err, tc.refused)
			}
			err = r.Hold(t.Context(), rec("second"), theID)
			var c *ConflictError
			if got := errors.As(err, &c); got != tc.refused || (err != nil) != tc.refused {
				t.Errorf("%s: got %v, refused should be %t", tc.reason, err, tc.refused)
			}
			if tc.refused {
				if c.Holder.Name != "first" {
					t.Errorf("%s: %v does not name the first", tc.reason, err)
				}
				return
			}
			// The second one holds it now.
			if err := r.Hold(t.Context(), rec("third"), theID); err != nil {
				if !errors.As(err, &c) || c.Holder.Name != "second" {
					t.Errorf("%s: the third gets %v", tc.reason, err)
				}
			} else {
				t.Errorf("%s: the third was not refused", tc.reason)
			}
		})
	}
}

func TestObserversTakeNothing(t *testing.T) {
	r := registry(cluster(t, rec("me", policies(xpv2.ManagementActionObserve)), rec("other")))
	if err := r.Hold(t.Context(), rec("me", policies(xpv2.ManagementActionObserve)), theID); err != nil {
		t.Fatal(err)
	}
	if err := r.Hold(t.Context(), rec("other"), theID); err != nil {
		t.Errorf("an observer's look was taken for a claim: %v", err)
	}
}

// TestAnObserverThatBeginsToManage checks that an object that manages a resource keeps it, if an
// object that has observed it for longer wants it too.
func TestAnObserverThatBeginsToManage(t *testing.T) {
	manager, observer := rec("manager", named(theID), seen(theID)), rec("observer", named(theID), seen(theID), age(time.Hour))
	asObserver := observer.DeepCopy()
	policies(xpv2.ManagementActionObserve)(asObserver)
	kube := cluster(t, manager, asObserver)
	r := registry(kube)
	if err := r.Hold(t.Context(), manager, theID); err != nil {
		t.Fatal(err)
	}
	now := asObserver.DeepCopy()
	if err := kube.Get(t.Context(), client.ObjectKeyFromObject(now), now); err != nil {
		t.Fatal(err)
	}
	now.Spec.ManagementPolicies = observer.Spec.ManagementPolicies
	if err := kube.Update(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var c *ConflictError
		if err := r.Hold(t.Context(), now, theID); !errors.As(err, &c) || c.Holder.Name != "manager" {
			t.Errorf("the observer gets %v, want a refusal that names the manager", err)
		}
		if err := r.Hold(t.Context(), manager, theID); err != nil {
			t.Errorf("the manager lost what it manages: %v", err)
		}
	}
}

func TestHoldAgain(t *testing.T) {
	r := registry(cluster(t, rec("me")))
	for range 3 {
		if err := r.Hold(t.Context(), rec("me"), theID); err != nil {
			t.Fatalf("an object was refused what it holds: %v", err)
		}
	}
	if taken, err := r.Taken(t.Context(), rec("me"), theID); taken || err != nil {
		t.Errorf("what I hold counts as taken by another: %t, %v", taken, err)
	}
}

func TestTakenByWhatTheCacheShows(t *testing.T) {
	r := registry(cluster(t, rec("first", creating, named(theID)), rec("looks", named("0"+theID[1:]), policies(xpv2.ManagementActionObserve))))
	for id, want := range map[string]bool{theID: true, "0" + theID[1:]: false, "1" + theID[1:]: false} {
		if taken, err := r.Taken(t.Context(), rec("me"), id); taken != want || err != nil {
			t.Errorf("%s: Taken is %t, %v, want %t", id, taken, err, want)
		}
	}
	if taken, err := r.Taken(t.Context(), rec("first", creating, named(theID)), theID); taken || err != nil {
		t.Errorf("what the cache shows as mine counts as taken: %t, %v", taken, err)
	}
}

func TestRelease(t *testing.T) {
	r := registry(cluster(t, rec("first"), rec("second")))
	if err := r.Hold(t.Context(), rec("first"), theID); err != nil {
		t.Fatal(err)
	}
	r.Release(rec("second"), theID)
	if err := r.Hold(t.Context(), rec("second"), theID); err == nil {
		t.Error("an object released what another one holds")
	}
	r.Release(rec("first"), "something else")
	r.Release(rec("first"), theID)
	r.Release(rec("first"), theID)
	if err := r.Hold(t.Context(), rec("second"), theID); err != nil {
		t.Errorf("what was released cannot be claimed: %v", err)
	}
	if len(r.held) != 1 {
		t.Errorf("the registry remembers %d claims, want 1", len(r.held))
	}
}

func TestFailuresOfTheClusterAreNoPermission(t *testing.T) {
	down := errors.New("the API server is down")
	kube := cluster(t, rec("first"), rec("second"))
	listing, getting := down, error(nil)
	r := registry(interceptor.NewClient(kube, interceptor.Funcs{
		List: func(ctx context.Context, c client.WithWatch, l client.ObjectList, opts ...client.ListOption) error {
			if listing != nil {
				return listing
			}
			return c.List(ctx, l, opts...)
		},
		Get: func(ctx context.Context, c client.WithWatch, k client.ObjectKey, o client.Object, opts ...client.GetOption) error {
			if getting != nil {
				return getting
			}
			return c.Get(ctx, k, o, opts...)
		},
	}))
	if err := r.Hold(t.Context(), rec("first"), theID); !errors.Is(err, down) {
		t.Errorf("Hold gives %v, want %v wrapped", err, down)
	}
	if _, err := r.Taken(t.Context(), rec("first"), theID); !errors.Is(err, down) {
		t.Errorf("Taken gives %v, want %v wrapped", err, down)
	}
	listing = nil
	if err := r.Hold(t.Context(), rec("first"), theID); err != nil {
		t.Fatal(err)
	}
	getting = down
	var c *ConflictError
	if err := r.Hold(t.Context(), rec("second"), theID); !errors.As(err, &c) {
		t.Errorf("got %v, want a refusal: nobody knows that the first is gone", err)
	}
}

func TestOneOfManyAtOnceWins(t *testing.T) {
	var all []*v1alpha1.Record
	for i := range 50 {
		all = append(all, rec(fmt.Sprint("r", i)))
	}
	r := registry(cluster(t, all...))
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		won  []string
		lost = map[string]int{}
	)
	for _, o := range all {
		wg.Go(func() {
			err := r.Hold(t.Context(), o, theID)
			mu.Lock()
			defer mu.Unlock()
			var c *ConflictError
			switch {
			case err == nil:
				won = append(won, o.GetName())
			case errors.As(err, &c):
				lost[c.Holder.Name]++
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(won) != 1 || len(lost) != 1 || lost[won[0]] != 49 {
		t.Errorf("%v won, and the others learned of %v; want one winner known to all", won, lost)
	}
}

func TestExternalNames(t *testing.T) {
	below := Kind{Qualify: func(mg resource.Managed, id string) string { return mg.GetNamespace() + " " + id }}
	for _, tc := range []struct {
		reason string
		kind   Kind
		object *v1alpha1.Record
		want   []string
	}{
		{"it has no external name", Kind{}, rec("a"), nil},
		{"its external name", Kind{}, rec("a", named(theID)), []string{theID}},
		{"its external name below its parent", below, rec("a", named(theID)), []string{rec("a").Namespace + " " + theID}},
		{"it has no external name below its parent", below, rec("a"), nil},
	} {
		if got := tc.kind.ExternalNames(tc.object); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.reason, got, tc.want)
		}
	}
}

// TestSeizureLasts checks that a seizure stays when the former holder of the resource and the
// object of the seizure are forgotten.
func TestSeizureLasts(t *testing.T) {
	r := registry(cluster(t, rec("third")))
	gone, before := rec("gone"), rec("before") // Nothing shows that either exists.
	if err := r.Hold(t.Context(), before, theID); err != nil {
		t.Fatal(err)
	}
	release, ok, err := r.Seize(t.Context(), gone, theID)
	if !ok || err != nil {
		t.Fatalf("cannot seize what nobody holds any more: %t, %v", ok, err)
	}
	r.Forget(before)
	r.Forget(gone)
	if err := r.Hold(t.Context(), rec("third"), theID); !Lost(err, theID) {
		t.Errorf("an object holds what is being removed: %v", err)
	}
	release()
	if len(r.held) != 0 || len(r.ids) != 0 {
		t.Errorf("%d claims of %d objects are left", len(r.held), len(r.ids))
	}
}

// TestHoldToRemove checks that an object can hold a former resource, which it names no more, to
// remove it.
func TestHoldToRemove(t *testing.T) {
	const next = "next"
	me := rec("me", named(next), seen(next))
	r := registry(cluster(t, me, rec("other")))
	if err := r.HoldToRemove(t.Context(), me, theID); err != nil {
		t.Fatal(err)
	}
	r.Forget(me)
	if err := r.Hold(t.Context(), rec("other"), theID); !Lost(err, theID) {
		t.Errorf("an object holds what is being removed: %v", err)
	}
	r.Release(me, theID)
	if err := r.Hold(t.Context(), rec("other"), theID); err != nil {
		t.Errorf("what was released cannot be claimed: %v", err)
	}
	if err := r.HoldToRemove(t.Context(), me, "2"+theID[1:]); err != nil {
		t.Errorf("another resource: %v", err)
	}

	owned := registry(cluster(t, me, rec("owner", named(theID), seen(theID))))
	var conflict *ConflictError
	if err := owned.HoldToRemove(t.Context(), me, theID); !errors.As(err, &conflict) || conflict.Holder.Name != "owner" {
		t.Errorf("an object may remove what another one manages: %v", err)
	}
}

// TestClaimsOfObjectsThatAreGone checks that the claims of a thousand objects end that go without another
// reconcile, like objects with the deletion policy Orphan.
func TestClaimsOfObjectsThatAreGone(t *testing.T) {
	const n = 1000
	id := func(i int) string { return fmt.Sprintf("%032x", i) }
	for reason, let := range map[string]func(*Registry, *v1alpha1.Record, string){
		"the watch tells of the deletion": func(r *Registry, mg *v1alpha1.Record, _ string) { r.Forget(mg) },
		"somebody else asks for the resource": func(r *Registry, _ *v1alpha1.Record, id string) {
			if taken, err := r.Taken(t.Context(), rec("other"), id); taken || err != nil {
				t.Fatalf("the claim of an object that is gone counts: %t, %v", taken, err)
			}
		},
	} {
		r := registry(cluster(t))
		for i := range n {
			if err := r.Hold(t.Context(), rec(fmt.Sprint("r", i)), id(i)); err != nil {
				t.Fatal(err)
			}
		}
		for i := range n {
			let(r, rec(fmt.Sprint("r", i)), id(i))
		}
		if len(r.held) != 0 || len(r.ids) != 0 {
			t.Errorf("%s: %d claims of %d objects are left", reason, len(r.held), len(r.ids))
		}
	}

	// An object cannot end the claim of another one.
	r := registry(cluster(t))
	first, second := rec("first"), rec("second")
	for _, mg := range []*v1alpha1.Record{first, second} { // Nothing shows that the first exists.
		if err := r.Hold(t.Context(), mg, id(1)); err != nil {
			t.Fatal(err)
		}
	}
	r.Forget(first)
	if r.held[id(1)].uid != second.UID || len(r.ids) != 1 {
		t.Errorf("held by %+v after the first holder is gone, want the second", r.held[id(1)])
	}
}
