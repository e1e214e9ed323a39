// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"net/http"
	"slices"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// TestWhoMayNotCreateWaits has a Record look for a record that appears later. A sweep wakes
// the Record: nothing else knows which record it looks for.
func TestWhoMayNotCreateWaits(t *testing.T) {
	for name, tc := range map[string]struct {
		policies xpv2.ManagementPolicies
		waits    bool
	}{
		"it only observes":                 {xpv2.ManagementPolicies{xpv2.ManagementActionObserve}, true},
		"it may change what it finds":      {xpv2.ManagementPolicies{xpv2.ManagementActionObserve, xpv2.ManagementActionUpdate}, true},
		"it creates what it does not find": {xpv2.ManagementPolicies{xpv2.ManagementActionAll}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.read()
			s.edit(func() {
				s.now.Spec.ManagementPolicies = tc.policies
				s.now.Spec.ForProvider.TTL = ptr.To[int64](300)
			})
			s.reconcile()
			if got := len(s.waiting.Of(s.zone)) > 0; got != tc.waits {
				t.Fatalf("it waits: %t, want %t", got, tc.waits)
			}
			if !tc.waits {
				return
			}
			s.call(http.MethodPost, "", `{"type":"A","name":"www.example.com","content":"192.0.2.1","ttl":300}`)
			s.restart() // The new process does not have the lists of the one before.
			s.reconcile()
			if len(s.waiting.Of(s.zone)) > 0 {
				t.Error("it still waits, and has found the record")
			}
		})
	}
}

func TestFeedWakesWhoWaits(t *testing.T) {
	q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[workers.Request]())
	defer q.ShutDown()
	f := quietFeed(cluster(t, map[string]string{"early": ""}))
	start(t, f, q)
	const other = "00000000000000000000000000000002"
	f.Waiting.Add(testZone, types.NamespacedName{Namespace: "ns", Name: "early"})
	f.Waiting.Add(other, types.NamespacedName{Namespace: "ns", Name: "elsewhere"})

	if !f.InUse(t.Context(), testZone) {
		t.Error("a zone in which a Record waits is not swept")
	}
	f.Changed(t.Context(), parent.Change{Key: testZone, Err: errors.New("down")})
	if got := drained(q); got != nil {
		t.Errorf("a failure woke %v", got)
	}
	f.Changed(t.Context(), parent.Change{Key: testZone, IDs: []string{"new"}})
	if got := drained(q); !slices.Equal(got, []string{"early"}) {
		t.Errorf("a new record woke %v, want the Record that waits in its zone", got)
	}
	if f.InUse(t.Context(), other) {
		t.Error("a zone is swept for a Record that is gone")
	}
}
