// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// gauges returns the value of each series of the metrics of a pool, by name.
func gauges(t *testing.T, p *Pool) map[string]float64 {
	t.Helper()
	reg := prometheus.NewPedanticRegistry()
	reg.MustRegister(NewCollector(p))
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for _, f := range families {
		if len(f.GetMetric()) != 1 {
			t.Fatalf("%d series of %s, want one", len(f.GetMetric()), f.GetName())
		}
		out[strings.TrimPrefix(f.GetName(), "cloudflare_dns_")] = f.GetMetric()[0].GetGauge().GetValue()
	}
	return out
}

func TestMetricsOfSweeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"), a(2, "b", "192.0.2.2"))
		f.sweepRate = 1.0 / 90
		p := NewPool(Options{})
		mustGet(t, p.Zone(f, testZone), id(1))
		if n := testutil.CollectAndCount(NewCollector(p)); n != 3 {
			t.Errorf("%d series before anything is swept, want the snapshot's age, size and unreadable records alone", n)
		}
		run(t, p, parent.Handler{OnChange: func(Change) {}})
		// The first round comes after an interval, the second after the stretched one.
		pass(time.Minute + 90*time.Second + 7*time.Second)
		got := gauges(t, p)
		for name, want := range map[string]float64{
			"snapshot_age_seconds": 7, "snapshot_records": 2, "sweep_interval_seconds": 90,
			"sweep_interval_wanted_seconds": 60, "sweep_round_age_seconds": 7, "sweep_held_up": 0,
		} {
			if got[name] != want {
				t.Errorf("%s is %v, want %v", name, got[name], want)
			}
		}
	})
}

func TestAZoneThatIsNotSweptAnyMoreDoesNotGrowOldInMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"))
		p := NewPool(Options{})
		mustGet(t, p.Zone(f, testZone), id(1))
		var wanted atomic.Bool
		wanted.Store(true)
		run(t, p, parent.Handler{InUse: func(string) bool { return wanted.Load() }, OnChange: func(Change) {}})
		pass(2*time.Minute + time.Second)
		if got := gauges(t, p); got["snapshot_age_seconds"] != 1 || got["sweep_interval_seconds"] != 60 {
			t.Errorf("%v: want the age of the last list while there are Records", got)
		}
		wanted.Store(false) // The last Record is gone.
		pass(time.Minute)
		if got := gauges(t, p); len(got) != 0 {
			t.Errorf("%v: want nothing of a zone that nobody minds", got)
		}
		wanted.Store(true)
		pass(time.Minute)
		if got := gauges(t, p); got["snapshot_age_seconds"] != 1 {
			t.Errorf("%v: want the zone again once a Record is in it", got)
		}
	})
}

func TestSweepsThatAreHeldUpAreReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"))
		var starved atomic.Bool
		f.hook(f.before, "list", func(ctx context.Context) error {
			if cloudflare.IsSweep(ctx) && starved.Load() {
				return throttled(20 * time.Second)
			}
			return nil
		})
		var (
			mu   sync.Mutex
			said []bool
		)
		reported := func() []bool {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(said)
		}
		p := NewPool(Options{OnPace: func(_ string, pace Pace) {
			mu.Lock()
			defer mu.Unlock()
			said = append(said, pace.HeldUp)
		}})
		mustGet(t, p.Zone(f, testZone), id(1))
		run(t, p, parent.Handler{OnChange: func(Change) {}})
		pass(3*time.Minute + time.Second)
		if got := reported(); len(got) != 1 || got[0] {
			t.Fatalf("reported %v, want the pace once, and nothing held up", got)
		}
		starved.Store(true)
		pass(59*time.Second + 89*time.Second)
		if got := reported(); len(got) != 1 {
			t.Errorf("reported %v before a round took half as long again as its interval", got)
		}
		pass(10 * time.Minute)
		if got := reported(); len(got) != 2 || !got[1] {
			t.Errorf("reported %v, want that sweeps are held up, once", got)
		}
		if got := gauges(t, p); got["sweep_held_up"] != 1 || got["sweep_round_age_seconds"] < 600 {
			t.Errorf("%v: want that no round has ended for long", got)
		}
		starved.Store(false)
		pass(3 * time.Minute)
		if got := reported(); len(got) != 3 || got[2] {
			t.Errorf("reported %v, want that sweeps are not held up any more", got)
		}
		if got := gauges(t, p); got["sweep_held_up"] != 0 || got["sweep_round_age_seconds"] > 60 {
			t.Errorf("%v: want the pace of sweeps again", got)
		}
	})
}

// TestRoundsThatAllTakeTooLongStayHeldUp checks that neither the end of a round nor the
// begin of the next one resets the metric. An alert waits until it was set for 15
// minutes.
func TestRoundsThatAllTakeTooLongStayHeldUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, done := newFake(a(1, "a", "192.0.2.1"), a(2, "b", "192.0.2.2")), make(chan struct{})
		f.maxPage = 1
		t.Cleanup(func() { close(done) })
		f.hook(f.before, "list", func(ctx context.Context) error {
			if cloudflare.IsSweep(ctx) {
				select {
				case <-time.After(80 * time.Second):
				case <-ctx.Done():
				case <-done:
				}
			}
			return nil
		})
		p := NewPool(Options{})
		mustGet(t, p.Zone(f, testZone), id(1))
		run(t, p, parent.Handler{OnChange: func(Change) {}})
		pass(time.Minute + 91*time.Second)
		for range 40 {
			if got := gauges(t, p); got["sweep_held_up"] != 1 {
				t.Fatalf("%v: want that sweeps are held up all the time", got)
			}
			pass(15 * time.Second)
		}
	})
}
