// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// TestNeverAdopts checks that the policy Never does not adopt a resource that exists, and that the object is deleted
// without it.
func TestNeverAdopts(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Tunnel", "LoadBalancerPool", "TunnelIngress"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := entryOf(t, name)
			s := newStage(t, e)
			s.settle(s.kind, s.key)
			policy := reflect.ValueOf(s.fresh).Elem().FieldByName("Spec").FieldByName("AdoptionPolicy")
			policy.Set(reflect.ValueOf(cfv1alpha1.AdoptNever))
			s.forgetful()
			for range 3 {
				s.reconcileWithoutWrites()
			}
			said := s.read(s.kind, s.key).GetCondition(xpv2.TypeSynced)
			if said.Status != "False" || !strings.Contains(said.Message, "spec.adoptionPolicy is Never: set spec.adoptionPolicy to Identical") {
				t.Errorf("the object says %v", said)
			}
			s.delete()
			for range 3 {
				s.reconcileWithoutWrites()
			}
			if n, _ := s.left(e); n != 1 || s.read(s.kind, s.key) != nil {
				t.Errorf("there are %d resources after the object was deleted, want the one that was there", n)
			}
		})
	}
}

// TestRefuseExisting checks a fragment that appears after the object looked for it.
func TestRefuseExisting(t *testing.T) {
	t.Parallel()
	d := entryOf(t, "TunnelIngress").Description
	doc := kind.Document{"config": kind.Document{"ingress": []any{kind.Document{"hostname": "a.example"}}}}
	document := question{documentAt: documentAt{d: d}}
	refused := errors.New("it exists")
	for _, tc := range []struct {
		because string
		change  change
		want    error
	}{
		{"it must not be taken over", change{key: "a.example", exists: refused}, refused},
		{"it may be taken over", change{key: "a.example"}, nil},
		{"it is another one", change{key: "b.example", exists: refused}, nil},
	} {
		group := []*change{&tc.change}
		refuseExisting(d, doc, group)
		if !errors.Is(tc.change.err, tc.want) || len(wanted(document, doc, group)) == 1 != (tc.want == nil) {
			t.Errorf("%s: %v", tc.because, tc.change.err)
		}
	}
}
