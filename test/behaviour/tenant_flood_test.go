// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cfsim"
)

const (
	// flood is how many Records one tenant has at once.
	flood = 150
	// neighbourWait is how long another tenant may wait for a Record, whatever the
	// first one does.
	neighbourWait = 10 * time.Second
)

// TestAFloodLeavesNeighboursAlone has one tenant with more Records than workers, whose zone
// hangs, fails or is throttled, and another who makes, changes and deletes a single
// one. It is not parallel: it is about time.
func TestAFloodLeavesNeighboursAlone(t *testing.T) {
	cases := map[string]struct {
		reason string
		faults func(zone string) []cfsim.Fault
	}{
		"Calm": {"nothing is the matter", func(string) []cfsim.Fault { return nil }},
		"ListsHang": {"every list hangs until the call's own timeout", func(zone string) []cfsim.Fault {
			return []cfsim.Fault{{Kind: cfsim.FaultSlowBefore, Method: http.MethodGet, Zone: zone, Times: -1, Delay: 2 * time.Minute}}
		}},
		"WritesHang": {"every write does", func(zone string) []cfsim.Fault {
			return []cfsim.Fault{{Kind: cfsim.FaultSlowBefore, Method: http.MethodPost, Zone: zone, Times: -1, Delay: 2 * time.Minute}}
		}},
		"Throttled": {"the credential is throttled for five minutes", func(zone string) []cfsim.Fault {
			return []cfsim.Fault{{Kind: cfsim.FaultThrottle, Zone: zone, Times: -1, RetryAfter: 5 * time.Minute}}
		}},
		"Down": {"every call is answered 502", func(zone string) []cfsim.Fault {
			return []cfsim.Fault{{Kind: cfsim.FaultHTML502, Zone: zone, Times: -1}}
		}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a, b := newWorld(t), newWorld(t)
			b.made("before", "A", "192.0.2.1")
			for _, f := range tc.faults(a.zone.ID) {
				id := a.sim.AddFault(f)
				t.Cleanup(func() { a.sim.RemoveFault(id) })
			}
			for i := range flood {
				a.create(a.record(fmt.Sprintf("host-%d", i), "A", fmt.Sprintf("192.0.%d.%d", i/250, i%250)))
			}
			r := b.record("www", "A", "192.0.2.1")
			b.create(r)
			took, err := b.readyAfter(r)
			t.Logf("%s: with %d Records of another tenant, one Record was Ready after %v (%v)", tc.reason, flood, took.Round(time.Millisecond), err)
			if took > neighbourWait {
				t.Errorf("%s: it took %v, want %v at most", tc.reason, took.Round(time.Millisecond), neighbourWait)
			}
		})
	}
}

// readyAfter waits for a Record, longer than tests do.
func (w *world) readyAfter(r *dnsv1alpha1.Record) (time.Duration, error) {
	began := time.Now()
	err := wait.PollUntilContextTimeout(w.t.Context(), tick, 90*time.Second, true, func(context.Context) (bool, error) {
		if err := w.get(r); err != nil {
			return false, err
		}
		return r.GetCondition(xpv2.TypeReady).Status == corev1.ConditionTrue, nil
	})
	return time.Since(began), err
}
