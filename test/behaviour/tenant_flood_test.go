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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const (
	// flood is the number of Records that one tenant has at once.
	flood = 150
	// neighbourWait is how long another tenant may wait for a Record, independent of the
	// first tenant.
	neighbourWait = 10 * time.Second
)

// TestAFloodLeavesNeighboursAlone has one tenant with more Records than workers, whose zone
// hangs, fails or is throttled. Another tenant creates, changes and deletes one Record.
func TestAFloodLeavesNeighboursAlone(t *testing.T) {
	cases := map[string]struct {
		reason string
		faults func(zone string) []simulator.Fault
	}{
		"Calm": {"nothing is the matter", func(string) []simulator.Fault { return nil }},
		"ListsHang": {"every list hangs until the call's own timeout", func(zone string) []simulator.Fault {
			return []simulator.Fault{{Kind: simulator.FaultSlowBefore, Method: http.MethodGet, Zone: zone, Times: -1, Delay: 2 * time.Minute}}
		}},
		"WritesHang": {"every write does", func(zone string) []simulator.Fault {
			return []simulator.Fault{{Kind: simulator.FaultSlowBefore, Method: http.MethodPost, Zone: zone, Times: -1, Delay: 2 * time.Minute}}
		}},
		"Throttled": {"the credential is throttled for five minutes", func(zone string) []simulator.Fault {
			return []simulator.Fault{{Kind: simulator.FaultThrottle, Zone: zone, Times: -1, RetryAfter: 5 * time.Minute}}
		}},
		"Down": {"every call is answered 502", func(zone string) []simulator.Fault {
			return []simulator.Fault{{Kind: simulator.FaultHTML502, Zone: zone, Times: -1}}
		}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			undisturbed(t, func(t *testing.T) {
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
				if most := neighbourWait + stalls(t); took > most {
					t.Errorf("%s: it took %v, want %v at most", tc.reason, took.Round(time.Millisecond), most)
				}
			})
		})
	}
}

// hangingConfigs is the number of ProviderConfigs of one tenant whose calls hang. Each has
// a token of its own and recordsOfEach Records.
const (
	hangingConfigs = 100
	recordsOfEach  = 4
)

// TestHangingConfigsLeaveNeighboursAlone has one tenant with a hundred ProviderConfigs that
// hang, and another tenant who edits a Record.
func TestHangingConfigsLeaveNeighboursAlone(t *testing.T) {
	undisturbed(t, func(t *testing.T) {
		a, b := newWorld(t), newWorld(t)
		r := b.made("www", "A", "192.0.2.1")
		tokens := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "tokens", Namespace: a.ns}, StringData: map[string]string{}}
		for i := range hangingConfigs {
			tokens.StringData[fmt.Sprint(i)] = a.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{
				{Account: a.account.ID, Permission: simulator.ZoneRead}, {Account: a.account.ID, Permission: simulator.DNSWrite},
			}})
		}
		a.create(tokens)
		id := a.sim.AddFault(simulator.Fault{Kind: simulator.FaultSlowBefore, Zone: a.zone.ID, Times: -1, Delay: 2 * time.Minute})
		t.Cleanup(func() { a.sim.RemoveFault(id) })
		for i := range hangingConfigs {
			name := fmt.Sprint("hangs-", i)
			a.create(a.providerConfig(name, tokens.Name, fmt.Sprint(i)))
			for n := range recordsOfEach {
				a.create(a.record(fmt.Sprintf("host-%d-%d", i, n), "A", "192.0.2.1",
					func(r *dnsv1alpha1.Record) { r.Spec.ProviderConfigReference.Name = name }))
			}
		}
		began := time.Now()
		edit(b, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
		err := wait.PollUntilContextTimeout(t.Context(), tick, 90*time.Second, true, func(context.Context) (bool, error) {
			return b.live("A").Content == "192.0.2.2", nil
		})
		took := time.Since(began)
		t.Logf("with %d Records of %d ProviderConfigs that hang, another tenant's edit was at Cloudflare after %v (%v)",
			hangingConfigs*recordsOfEach, hangingConfigs, took.Round(time.Millisecond), err)
		if most := neighbourWait + stalls(t); took > most {
			t.Errorf("it took %v, want %v at most", took.Round(time.Millisecond), most)
		}
		l := &dnsv1alpha1.RecordList{}
		if err := a.kube.List(t.Context(), l, client.InNamespace(a.ns)); err != nil {
			t.Fatal(err)
		}
		for i := range l.Items {
			if l.Items[i].GetCondition(xpv2.TypeReady).Status == corev1.ConditionTrue {
				t.Errorf("%s is Ready: its calls were to hang", l.Items[i].Name)
			}
		}
	}, everyKind)
}

// readyAfter waits for a Record, longer than tests do, and returns how long it took.
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
