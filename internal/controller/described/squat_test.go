// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// shared makes an object use a config that serves all namespaces.
func shared(t *testing.T, mg Object) {
	t.Helper()
	modern, ok := resource.Managed(mg).(resource.ModernManaged)
	if !ok {
		t.Fatalf("%T has no provider config", mg)
	}
	modern.SetProviderConfigReference(&xpv2.ProviderConfigReference{Kind: cfv1alpha1.ClusterProviderConfigKind, Name: "shared"})
}

// neighbour creates an older object in another namespace that declares the same as the object.
func (s *stage) neighbour(policies xpv2.ManagementPolicies, change func(mg Object)) client.ObjectKey {
	s.t.Helper()
	mg, ok := s.fresh.DeepCopyObject().(Object)
	if !ok {
		s.t.Fatalf("cannot copy %T", s.fresh)
	}
	own := s.read(s.kind, s.key)
	must(s.t, targets(s.roster).Resolve(s.t.Context(), s.server, own, mg.GetForProvider()))
	mg.SetNamespace(otherNamespace)
	mg.SetName("neighbour")
	mg.SetUID(types.UID(mg.GetName()))
	mg.SetResourceVersion("")
	mg.SetCreationTimestamp(metav1.NewTime(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	mg.SetManagementPolicies(policies)
	shared(s.t, mg)
	change(mg)
	must(s.t, s.server.Create(s.t.Context(), mg))
	return client.ObjectKeyFromObject(mg)
}

// writesOf reconciles an object twice, and returns what it asks Cloudflare to change.
func (s *stage) writesOf(key client.ObjectKey) []string {
	s.t.Helper()
	var out []string
	for range 2 {
		s.reconcile(s.kind, key)
		for _, a := range s.log {
			if a.writes() {
				out = append(out, a.what)
			}
		}
	}
	return out
}

// TestNamingBeforehandIsNoClaim checks each kind whose users choose the names. An older object of another namespace
// names what this object is about to create, has the finalizer, and uses the same provider config. This object
// creates the resource and keeps it, and the other one is refused.
func TestNamingBeforehandIsNoClaim(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, e := range roster() {
		d := e.Description
		if d.Shape == kind.Singleton || d.Mark != "" || d.Shape == kind.Collection && !slices.Contains(d.Natural, d.IDPath()) {
			continue
		}
		tried++
		t.Run(e.GVK.Kind, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, e)
			mine := s.read(s.kind, s.key)
			shared(t, mine)
			mine.SetCreationTimestamp(metav1.NewTime(time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)))
			must(t, s.server.Update(t.Context(), mine))
			must(t, targets(s.roster).Resolve(t.Context(), s.server, mine, mine.GetForProvider()))
			want, err := kind.Encode(mine.GetForProvider())
			must(t, err)
			id, named := d.NaturalKey(want)
			if !named {
				t.Fatal("the example has no name")
			}
			s.copyInputs()
			key := s.neighbour(xpv2.ManagementPolicies{xpv2.ManagementActionObserve, xpv2.ManagementActionDelete}, func(mg Object) {
				withoutReferences(reflect.ValueOf(mg.GetForProvider()))
				meta.SetExternalName(mg, id)
				meta.AddFinalizer(mg, managed.FinalizerName)
			})
			s.reconcile(s.kind, key) // Its status says where the resource would be.
			s.settle(s.kind, s.key)
			if wrote := s.writesOf(key); len(wrote) > 0 {
				t.Errorf("who only named it writes %v", wrote)
			}
			if said := s.read(s.kind, key).GetCondition(xpv2.TypeSynced); !strings.Contains(said.Message, saysManaged) {
				t.Errorf("who only named it says %q, want %q", said.Message, saysManaged)
			}
			must(t, s.server.Delete(t.Context(), s.read(s.kind, key)))
			if wrote := s.writesOf(key); len(wrote) > 0 {
				t.Errorf("who only named it is deleted and writes %v", wrote)
			}
			if wrote := s.writesOf(s.key); len(wrote) > 0 {
				t.Errorf("who created it has to write again: %v", wrote)
			}
			if said := s.read(s.kind, s.key).GetCondition(xpv2.TypeSynced); said.Status != corev1.ConditionTrue {
				t.Errorf("who created it says %q", said.Message)
			}
		})
	}
	if tried == 0 {
		t.Error("no kind was tried")
	}
}

// TestWhoLetGoComesLast checks an object whose policies let go of a resource that it has created, and another object
// that adopts it. The first object is edited to manage it again while it is paused, and the provider restarts. It
// does not get the resource back.
func TestWhoLetGoComesLast(t *testing.T) {
	t.Parallel()
	e := entryOf(t, "VirtualNetwork")
	s := newStage(t, e)
	mine := s.read(s.kind, s.key)
	shared(t, mine)
	mine.SetCreationTimestamp(metav1.NewTime(time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)))
	must(t, s.server.Update(t.Context(), mine))
	key := s.neighbour(xpv2.ManagementPolicies{xpv2.ManagementActionAll}, func(Object) {})
	policies := func(p ...xpv2.ManagementAction) {
		t.Helper()
		mg := s.read(s.kind, key)
		mg.SetManagementPolicies(p)
		mg.SetGeneration(mg.GetGeneration() + 1)
		must(t, s.server.Update(t.Context(), mg))
	}
	s.settle(s.kind, key)
	s.reconcile(s.kind, key)
	id := meta.GetExternalName(s.read(s.kind, key))
	policies(xpv2.ManagementActionObserve)
	s.reconcile(s.kind, key)
	s.settle(s.kind, s.key)
	s.reconcile(s.kind, s.key)
	if mg := s.read(s.kind, s.key); meta.GetExternalName(mg) != id || mg.GetOwnership() != claim.Own {
		t.Fatalf("it is not taken over: %v", mg.GetCondition(xpv2.TypeSynced))
	}
	policies(xpv2.ManagementActionAll) // The object is paused as well.
	s.inner[s.kind] = s.reconciler(e)
	if wrote := s.writesOf(s.key); len(wrote) > 0 {
		t.Errorf("who has it writes %v", wrote)
	}
	if said := s.read(s.kind, s.key).GetCondition(xpv2.TypeSynced); said.Status != corev1.ConditionTrue {
		t.Errorf("who has it says %q", said.Message)
	}
	must(t, s.server.Delete(t.Context(), s.read(s.kind, key)))
	if wrote := s.writesOf(key); len(wrote) > 0 {
		t.Errorf("who let go of it is deleted and writes %v", wrote)
	}
}
