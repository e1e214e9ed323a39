// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/discovery"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// soon is how long a new object may take to become Ready without any fault.
const soon = 10 * time.Second

// TestReadySoon creates a config, a zone and records, and checks the times in the objects. These do
// not depend on the time at which the test reads them.
func TestReadySoon(t *testing.T) {
	undisturbed(t, func(t *testing.T) {
		w := newWorld(t)
		z := w.zoneObject("zone", w.zone.Name)
		w.create(z)
		r := w.record("www", "A", "192.0.2.1")
		w.create(r)
		second := w.providerConfig("second", "cloudflare", "token")
		w.create(second)
		settled(w, z)
		settled(w, r)
		until(w, second, isReady)
		most := soon + stalls(t)
		for _, o := range []interface {
			client.Object
			resource.Conditioned
		}{z, r, second} {
			c := o.GetCondition(xpv2.TypeReady)
			if took := c.LastTransitionTime.Sub(o.GetCreationTimestamp().Time); took < 0 || took >= most {
				t.Errorf("%T %s became Ready after %v, want less than %v", o, o.GetName(), took, most)
			}
		}
	})
}

// stalls returns how much longer than allowed a step may take in make test, as the machine may be busy
// or stall. A failed step takes at least 30 seconds longer. The result is zero in make nightly
// (CHANCE=1), and with virtual time.
func stalls(t *testing.T) time.Duration {
	t.Helper()
	if suiteOf(t).bubble != nil || fromEnv(t, "CHANCE", 0) == 1 {
		return 0
	}
	return 15 * time.Second
}

// isReady returns nil if an object is Ready.
func isReady[T resource.Conditioned](o T) error {
	if c := o.GetCondition(xpv2.TypeReady); c.Status != corev1.ConditionTrue {
		return fmt.Errorf("Ready is %s/%s %q", c.Status, c.Reason, c.Message)
	}
	return nil
}

// TestShortNames requests the short names of the kinds from the API server, as kubectl does.
func TestShortNames(t *testing.T) {
	t.Parallel()
	onReal(t)
	c, err := discovery.NewDiscoveryClientForConfig(suiteOf(t).cfg)
	if err != nil {
		t.Fatal(err)
	}
	_, lists, err := c.ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, l := range lists {
		for _, r := range l.APIResources {
			got[r.Kind] = append(got[r.Kind], r.ShortNames...)
		}
	}
	for kind, want := range map[string]string{"Record": "cfdr", "Zone": "cfz", "ProviderConfig": "cfpc", "ClusterProviderConfig": "cfcpc"} {
		if len(got[kind]) != 1 || got[kind][0] != want {
			t.Errorf("%s has the short names %q, want %s", kind, got[kind], want)
		}
	}
}
