// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler/reconcilertest"
)

// TestTheWorkOfAnAttemptIsLookedForAgain checks the case that two objects lose the answers to equal
// creations. One of them claims what the other one has found. The other one then looks for another
// result.
func TestTheWorkOfAnAttemptIsLookedForAgain(t *testing.T) {
	for _, tc := range []struct {
		reason, found, asked string
		want                 decision.LookupResult
	}{
		{"another object has it", "theirs", "theirs", decision.Unasked},
		{"no other object has it", "free", "free", decision.Found},
		{"another object has what the natural key fits", "free", "theirs", decision.Found},
	} {
		other := object(has("theirs"), func(r *v1alpha1.Record) { r.Name, r.UID = "other", "other" })
		k := testKind(nil, false)
		kube := fake.NewClientBuilder().WithScheme(reconcilertest.Scheme(t)).
			WithIndex(&v1alpha1.Record{}, claim.Index, k.ExternalNames).WithObjects(other).Build()
		c := &Client[thing]{kind: &k, deps: &Deps{Claims: claim.NewRegistry(kube, k.Kind)}}
		c.facts.Claims = map[string]decision.Claim{}
		c.facts.ByAttempt = decision.Answer{Result: decision.Found, Live: []decision.ResourceFacts{{ID: tc.found}}}
		c.askClaim(t.Context(), object(), tc.asked)
		if got := c.facts.ByAttempt.Result; got != tc.want || c.facts.Claims[tc.asked].Holder == decision.HolderUnasked {
			t.Errorf("%s: the look at what the attempt made is %v, want %v: %v", tc.reason, got, tc.want, c.facts.Claims)
		}
	}
}

func TestWindowIncludes(t *testing.T) {
	begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	settled := Window{Begun: begun, Settled: begun.Add(time.Minute)}
	for _, tc := range []struct {
		reason string
		w      Window
		made   time.Time
		want   bool
	}{
		{"it was made as the attempt began", settled, begun, true},
		{"clocks differ", settled, begun.Add(-50 * time.Second), true},
		{"it was there before", settled, begun.Add(-2 * time.Minute), false},
		{"it was made when the attempt was over", settled, begun.Add(3 * time.Minute), false},
		{"nothing tells when the attempt was over", Window{Begun: begun}, begun.Add(time.Hour), true},
	} {
		if got := tc.w.Includes(tc.made); got != tc.want {
			t.Errorf("%s: got %t", tc.reason, got)
		}
	}
}
