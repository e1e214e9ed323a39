// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"golang.org/x/time/rate"
	"pgregory.net/rapid"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// unshared are shares of objects that need none.
func unshared() *shares { return newShares(1, 1, func(reconcile.Request) string { return "" }) }

// byNamespace are shares of objects that belong to their namespace.
func byNamespace(workers, most int) *shares {
	return newShares(workers, most, func(r reconcile.Request) string { return r.Namespace })
}

func of(owner string, n int) reconcile.Request {
	return reconcile.Request{NamespacedName: client.ObjectKey{Namespace: owner, Name: fmt.Sprintf("r%d", n)}}
}

// TestOneOwnerDoesNotTakeEveryWorker has owners come one after the other, of whose
// objects none is ever done.
func TestOneOwnerDoesNotTakeEveryWorker(t *testing.T) {
	s := byNamespace(256, 64)
	var got []int
	for owner := range 12 {
		n := 0
		for i := range 100 {
			if s.take(of(fmt.Sprint(owner), i), 0) {
				n++
			}
		}
		got = append(got, n)
	}
	if want := []int{64, 64, 64, 32, 16, 8, 4, 2, 1, 1, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("they got %v workers, want %v", got, want)
	}
	if got, want := s.waiting(), 12*100-258; got != want {
		t.Errorf("%d objects wait, want %d", got, want)
	}
}

// TestHangingOwner takes from a queue in which a thousand objects of an owner wait
// that is stuck, and one of another owner comes.
func TestHangingOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(rate.NewLimiter(rate.Inf, 0), byNamespace(16, 4))("test", nil)
		working := make(chan reconcile.Request)
		for range 16 {
			go func() {
				for {
					r, shutdown := q.Get()
					if shutdown {
						return
					}
					working <- r
				}
			}()
		}
		for i := range 1000 {
			q.Add(of("stuck", i))
		}
		var stuck []reconcile.Request
		for range 4 {
			stuck = append(stuck, <-working)
		}
		synctest.Wait()
		select {
		case r := <-working:
			t.Fatalf("%s is worked on, too: more than its owner's share", r)
		default:
		}
		if q.Len() != 996 {
			t.Errorf("%d objects wait, want 996", q.Len())
		}
		q.Add(of("well", 0))
		if r := <-working; r != of("well", 0) {
			t.Fatalf("%s is next, want the other owner's", r)
		}
		// What a user edits is the next of its owner's.
		Enqueue(q, PriorityEdit, of("stuck", 500).NamespacedName)
		synctest.Wait()
		q.Done(stuck[0])
		if r := <-working; r != of("stuck", 500) {
			t.Errorf("%s is next, want the edited one", r)
		}
		q.ShutDown()
		synctest.Wait()
	})
}

// TestNothingWaitsForEver works on random objects with random workers and checks
// after each step that no share is exceeded, and in the end that everything was
// worked on after it was last asked for.
func TestNothingWaitsForEver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		workers := rapid.IntRange(1, 12).Draw(t, "workers")
		most := rapid.IntRange(1, 4).Draw(t, "most")
		s := byNamespace(workers, most)
		// queue is the queue below: objects once each, and none that is worked on.
		var queue, busy []reconcile.Request
		again, asked := map[reconcile.Request]bool{}, map[reconcile.Request]bool{}
		add := func(r reconcile.Request) {
			switch {
			case slices.Contains(busy, r):
				again[r] = true
			case !slices.Contains(queue, r):
				queue = append(queue, r)
			}
		}
		work := func() {
			for len(queue) > 0 && len(busy) < workers {
				r := queue[0]
				queue = queue[1:]
				if s.take(r, 0) {
					busy = append(busy, r)
					delete(asked, r)
				}
			}
			perOwner := map[string]int{}
			for _, r := range busy {
				perOwner[r.Namespace]++
			}
			for o, n := range perOwner {
				if n > most {
					t.Fatalf("%s has %d of at most %d", o, n, most)
				}
			}
		}
		finish := func(i int) {
			r := busy[i]
			busy = slices.Delete(busy, i, i+1)
			next := s.done(r)
			if again[r] {
				delete(again, r)
				add(r)
			}
			for _, w := range next {
				add(w.item)
			}
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(busy) > 0 && rapid.Bool().Draw(t, "finish") {
				finish(rapid.IntRange(0, len(busy)-1).Draw(t, "which"))
			} else {
				r := of(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "owner"), rapid.IntRange(0, 9).Draw(t, "object"))
				asked[r] = true
				add(r)
			}
			work()
		}
		for len(busy) > 0 {
			finish(0)
			work()
		}
		if len(asked)+len(queue)+s.waiting() > 0 || len(s.busy)+len(s.held)+len(s.lines) > 0 {
			t.Fatalf("left: asked for %v, queued %v, %d waiting", slices.Collect(maps.Keys(asked)), queue, s.waiting())
		}
	})
}

func TestLineOrder(t *testing.T) {
	l := newLine()
	for i, p := range []int{0, -100, 100, 0, 100} {
		l.add(of("a", i), p)
	}
	l.add(of("a", 1), 100) // asked for again, more urgently
	l.add(of("a", 4), -50) // asked for again, less urgently
	l.remove(of("a", 3))
	l.remove(of("a", 9)) // is not in it
	var got []string
	for len(l.at) > 0 {
		w := l.next()
		got = append(got, fmt.Sprint(w.item.Name, " ", w.priority))
	}
	if want := "r2 100, r4 100, r1 100, r0 0"; strings.Join(got, ", ") != want {
		t.Errorf("the order is %q, want %q", got, want)
	}
}

func TestConfigOf(t *testing.T) {
	ref := func(kind, name string) *v1alpha1.Record {
		r := named(strings.ToLower(kind + name))
		r.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: kind, Name: name}
		return r
	}
	own, cluster, none := ref("ProviderConfig", "x"), ref("ClusterProviderConfig", "x"), named("none")
	owner := configOf(newCluster(t, own, cluster, none), func() resource.Managed { return &v1alpha1.Record{} })
	for r, want := range map[client.Object]string{
		own:           "ProviderConfig ns/x",
		cluster:       "ClusterProviderConfig x",
		none:          "ClusterProviderConfig default",
		named("gone"): "",
	} {
		if got := owner(reconcile.Request{NamespacedName: client.ObjectKeyFromObject(r)}); got != want {
			t.Errorf("%s belongs to %q, want %q", r.GetName(), got, want)
		}
	}
}

func TestWaitingIsCounted(t *testing.T) {
	l := NewLimits(100)
	s, workers := l.divide("records", 2, func(r reconcile.Request) string { return r.Namespace })
	if workers != 8 {
		t.Errorf("there are %d workers, want four times the share", workers)
	}
	for i := range 5 {
		s.take(of("a", i), 0)
	}
	want := `
# HELP cloudflare_reconciles_waiting Objects that wait because as many others of their provider config are being reconciled as may be.
# TYPE cloudflare_reconciles_waiting gauge
cloudflare_reconciles_waiting{controller="records"} 3
`
	if err := testutil.CollectAndCompare(l, strings.NewReader(want)); err != nil {
		t.Error(err)
	}
}
