// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// TestAdoptedRuleLosesItsName checks a rule that was adopted by its ref, as after a restored backup, and whose object
// loses its external name, as by kubectl replace. It stays the only rule with that ref.
func TestAdoptedRuleLosesItsName(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := entryOf(t, "RulesetRule")
		s := newStage(t, e)
		s.settle(s.kind, s.key)
		name := meta.GetExternalName(s.read(s.kind, s.key))
		// The object is restored under another UID, with its external name, and without its status.
		s.forgetful()
		mg := s.read(s.kind, s.key)
		meta.SetExternalName(mg, name)
		must(t, s.server.Update(t.Context(), mg))
		for range 6 {
			s.reconcile(s.kind, s.key)
			<-time.After(time.Minute)
		}
		mg = s.read(s.kind, s.key)
		if c := mg.GetCondition(xpv2.TypeSynced); c.Status != "True" || meta.GetExternalName(mg) != name || len(s.fragments(e)) != 1 {
			t.Fatalf("the rule was not taken over: %q %v %v", meta.GetExternalName(mg), c.Message, s.fragments(e))
		}
		meta.RemoveAnnotations(mg, meta.AnnotationKeyExternalName)
		must(t, s.server.Update(t.Context(), mg))
		for range 12 {
			s.reconcile(s.kind, s.key)
			<-time.After(time.Minute)
		}
		if got := s.fragments(e); len(got) != 1 || got[0] != name {
			t.Errorf("there are the rules %v, want %s alone", got, name)
		}
	})
}

// TestDeletedWhileUpgraded checks an object of a version that did not record the ownership. It is up to date, and is
// deleted while no provider runs. Its resource is deleted with it.
func TestDeletedWhileUpgraded(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Tunnel", "LoadBalancerPool", "R2Bucket"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := entryOf(t, name)
			s := newStage(t, e)
			s.settle(s.kind, s.key)
			for range 3 {
				s.reconcile(s.kind, s.key)
			}
			mg := s.read(s.kind, s.key)
			mg.SetGeneration(1)
			must(t, s.server.Update(t.Context(), mg))
			s.reconcile(s.kind, s.key)
			mg = s.read(s.kind, s.key)
			mg.SetOwnership("")
			must(t, s.server.Status().Update(t.Context(), mg))
			s.claims[s.kind].Forget(mg)
			s.inner[s.kind] = s.reconciler(e)
			s.delete()
			for range 6 {
				s.reconcile(s.kind, s.key)
			}
			if n, _ := s.left(e); n != 0 || s.read(s.kind, s.key) != nil {
				t.Errorf("%d resources are left behind; object there: %t; events %v", n, s.read(s.kind, s.key) != nil, s.said)
			}
		})
	}
}
