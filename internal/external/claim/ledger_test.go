// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package claim

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

const ledgerNamespace = "provider"

// leases returns a cluster with Leases. before, unless nil, is called before each write.
func leases(t *testing.T, before func(what string) error) client.WithWatch {
	t.Helper()
	s := runtime.NewScheme()
	if err := coordinationv1.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	kube := fake.NewClientBuilder().WithScheme(s).Build()
	if before == nil {
		return kube
	}
	return interceptor.NewClient(kube, interceptor.Funcs{
		Create: func(ctx context.Context, k client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			if err := before("create"); err != nil {
				return err
			}
			return k.Create(ctx, o, opts...)
		},
		Delete: func(ctx context.Context, k client.WithWatch, o client.Object, opts ...client.DeleteOption) error {
			if err := before("delete"); err != nil {
				return err
			}
			return k.Delete(ctx, o, opts...)
		},
	})
}

// process returns the ledger and the registry of a process that looks after one namespace, with the
// Records of its cache.
func process(t *testing.T, kube client.Client, namespace string, objs ...*v1alpha1.Record) (*Ledger, *Registry) {
	t.Helper()
	l := NewLedger(LedgerOptions{
		Kube: kube, API: kube, Namespace: ledgerNamespace, Covers: func(n string) bool { return n == namespace }, Log: logging.NewNopLogger(),
	})
	r := registry(cluster(t, objs...))
	r.Share(l, "Record.dns")
	return l, r
}

// holderNow returns the object that the only Lease names, "" if there is no Lease.
func holderNow(t *testing.T, kube client.Reader) string {
	t.Helper()
	all := &coordinationv1.LeaseList{}
	if err := kube.List(t.Context(), all, client.InNamespace(ledgerNamespace)); err != nil {
		t.Fatal(err)
	}
	switch len(all.Items) {
	case 0:
		return ""
	case 1:
		return ptr.Deref(all.Items[0].Spec.HolderIdentity, "")
	}
	t.Fatalf("there are %d Leases", len(all.Items))
	return ""
}

func TestAnotherProcessIsRefused(t *testing.T) {
	kube := leases(t, nil)
	a, b := rec("a", in("one")), rec("b", in("two"))
	_, one := process(t, kube, "one", a)
	_, two := process(t, kube, "two", b)
	if err := one.Hold(t.Context(), a, theID); err != nil {
		t.Fatal(err)
	}
	err := two.Hold(t.Context(), b, theID)
	var conflict *ConflictError
	if !errors.As(err, &conflict) || conflict.ID != theID || conflict.Holder != client.ObjectKeyFromObject(a) || conflict.Lease.Namespace != ledgerNamespace {
		t.Fatalf("the second process gets %v", err)
	}
	if taken, err := two.Taken(t.Context(), b, theID); err != nil || !taken {
		t.Errorf("to the second process the resource is taken: %t, %v", taken, err)
	}
	if taken, err := one.Taken(t.Context(), a, theID); err != nil || taken {
		t.Errorf("to its own object it is taken: %t, %v", taken, err)
	}
	if _, free, err := two.Seize(t.Context(), b, theID); err != nil || free {
		t.Errorf("the second process may remove it: %t, %v", free, err)
	}
	if got := holderNow(t, kube); got != "one/a/uid-a" {
		t.Errorf("the Lease names %q", got)
	}
}

func TestOneOfTwoProcessesAtOnceWins(t *testing.T) {
	for range 20 {
		kube := leases(t, nil)
		var wg sync.WaitGroup
		won := make(chan string, 2)
		for _, ns := range []string{"one", "two"} {
			o := rec("o", in(ns), uid("uid-"+ns))
			_, r := process(t, kube, ns, o)
			wg.Go(func() {
				var conflict *ConflictError
				switch err := r.Hold(t.Context(), o, theID); {
				case err == nil:
					won <- ns
				case !errors.As(err, &conflict):
					t.Errorf("%s: %v", ns, err)
				}
			})
		}
		wg.Wait()
		if len(won) != 1 {
			t.Fatalf("%d processes hold one resource", len(won))
		}
	}
}

// TestHeldOnce counts the writes: a claim that is known costs none, also after a restart.
func TestHeldOnce(t *testing.T) {
	writes := 0
	kube := leases(t, func(string) error { writes++; return nil })
	a := rec("a", in("one"), named(theID), seen(theID))
	for start := range 2 {
		_, r := process(t, kube, "one", a)
		for range 3 {
			if err := r.Hold(t.Context(), a, theID); err != nil {
				t.Fatal(err)
			}
		}
		if writes != 1 {
			t.Errorf("after %d starts there were %d writes, want one", start+1, writes)
		}
	}
}

func TestTheRegistryDecidesAmongItsOwn(t *testing.T) {
	kube := leases(t, nil)
	gone, heir := rec("gone", in("one")), rec("heir", in("one"))
	_, before := process(t, kube, "one", gone, heir)
	if err := before.Hold(t.Context(), gone, theID); err != nil {
		t.Fatal(err)
	}
	// The object vanishes while no process runs.
	_, after := process(t, kube, "one", heir)
	if err := after.Hold(t.Context(), heir, theID); err != nil {
		t.Fatalf("an object of the same process is refused: %v", err)
	}
	if got := holderNow(t, kube); got != "one/heir/uid-heir" {
		t.Errorf("the Lease names %q", got)
	}
}

func TestANamespaceMoves(t *testing.T) {
	kube := leases(t, nil)
	a, b := rec("a", in("one"), named(theID), seen(theID)), rec("b", in("two"))
	_, first := process(t, kube, "one", a)
	if err := first.Hold(t.Context(), a, theID); err != nil {
		t.Fatal(err)
	}
	_, second := process(t, kube, "one", a) // Another process, which looks after it from now on.
	_, third := process(t, kube, "two", b)
	if err := second.Hold(t.Context(), a, theID); err != nil {
		t.Errorf("the object lost its claim with its process: %v", err)
	}
	var conflict *ConflictError
	if err := third.Hold(t.Context(), b, theID); !errors.As(err, &conflict) {
		t.Errorf("a third process gets %v", err)
	}
}

// TestClaimsEnd checks what ends a claim, also if deletions fail.
func TestClaimsEnd(t *testing.T) {
	tests := map[string]struct {
		reason string
		end    func(r *Registry, a *v1alpha1.Record)
		// restart starts another process, whose cache does not show the object.
		restart bool
		within  time.Duration
	}{
		"Released": {reason: "the object has no use for it", end: func(r *Registry, a *v1alpha1.Record) { r.Release(a, theID) }, within: time.Minute},
		"Gone":     {reason: "the object is gone", end: func(r *Registry, a *v1alpha1.Record) { r.Forget(a) }, within: time.Minute},
		"Missed":   {reason: "the object went while no process ran", restart: true, within: 3 * auditInterval},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				failures := 2
				kube := leases(t, func(what string) error {
					if what == "delete" && failures > 0 {
						failures--
						return errors.New("try again")
					}
					return nil
				})
				a := rec("a", in("one"))
				l, r := process(t, kube, "one", a)
				if err := r.Hold(t.Context(), a, theID); err != nil {
					t.Fatal(err)
				}
				if tc.restart {
					l, r = process(t, kube, "one")
				}
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error)
				go func() { done <- l.Start(ctx) }()
				synctest.Wait()
				if got := holderNow(t, kube); got == "" {
					t.Errorf("%s: the claim ends by itself", tc.reason)
				}
				if tc.end != nil {
					tc.end(r, a)
				}
				<-time.After(tc.within)
				synctest.Wait()
				if got := holderNow(t, kube); got != "" {
					t.Errorf("%s: the Lease still names %s", tc.reason, got)
				}
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestClaimedAgainWhileItEnds checks the case that an object claims a resource again while its
// claim ends.
func TestClaimedAgainWhileItEnds(t *testing.T) {
	var again func()
	kube := leases(t, func(what string) error {
		if what == "delete" && again != nil {
			f := again
			again = nil
			f()
		}
		return nil
	})
	a := rec("a", in("one"))
	l, r := process(t, kube, "one", a)
	if err := r.Hold(t.Context(), a, theID); err != nil {
		t.Fatal(err)
	}
	r.Release(a, theID)
	again = func() {
		if err := r.Hold(t.Context(), a, theID); err != nil {
			t.Errorf("claimed again: %v", err)
		}
	}
	if err := l.letGo(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := holderNow(t, kube); got != "one/a/uid-a" {
		t.Errorf("the Lease names %q, want the object that claims it", got)
	}
}

func TestLeases(t *testing.T) {
	by := holder{name: types.NamespacedName{Namespace: "one", Name: "a"}, uid: "uid-a"}
	s := subject{kind: "Record.dns", key: theID}
	l := s.toLease(ledgerNamespace, by)
	if got, err := holderIn(l); err != nil || got != by || subjectOf(l) != s {
		t.Errorf("the Lease says %+v of %+v (%v), want %+v of %+v", got, subjectOf(l), err, by, s)
	}
	names := map[string]bool{}
	for _, o := range []subject{s, {kind: "Zone.zone", key: theID}, {kind: "Record.dns", key: "other"}, {kind: "Record.dn", key: "s" + theID}} {
		names[o.lease()] = true
	}
	if len(names) != 4 {
		t.Errorf("of four resources there are %d Leases", len(names))
	}
	for _, identity := range []string{"", "one", "one/a", "one//uid", "one/a/uid/more"} {
		l.Spec.HolderIdentity = ptr.To(identity)
		if got, err := holderIn(l); err == nil {
			t.Errorf("the identity %q is read as %+v", identity, got)
		}
	}
}

func TestFailuresOfTheLedgerAreNoPermission(t *testing.T) {
	kube := leases(t, func(string) error { return errors.New("the API server is away") })
	a := rec("a", in("one"))
	_, r := process(t, kube, "one", a)
	var conflict *ConflictError
	if err := r.Hold(t.Context(), a, theID); err == nil || errors.As(err, &conflict) {
		t.Errorf("held with %v", err)
	}
	if _, ok, err := r.Seize(t.Context(), a, theID); err == nil || ok {
		t.Errorf("seized: %t, %v", ok, err)
	}
	if len(r.held) != 0 {
		t.Errorf("what was not claimed is held: %v", r.held)
	}
}
