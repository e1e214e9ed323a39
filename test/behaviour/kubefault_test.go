// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// population is the number of records in each test of this file.
const population = 12

// The tests of this file create, change and delete records while the Kubernetes API
// misbehaves in each way. They expect every record once, as desired, with hardly more calls
// to Cloudflare than without the fault.

func TestKubernetesWriteFaults(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, reason string
		fate         fate
	}{
		{"Conflicts", "half of all writes meet a conflict", conflicting},
		{"ServerErrors", "half of all writes are answered 500", failing},
		{"Throttled", "half of all writes are answered 429", throttled},
		{"Unsent", "half of all writes never arrive", cut},
		{"Unanswered", "half of all writes are carried out and not answered", unanswered},
		{"Slow", "writes take half a second", slow},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				w.populate(func(do func()) { w.half(tc.fate, do) })
				t.Logf("%s: %d calls to Cloudflare", tc.reason, w.writes())
			})
		})
	}
}

func TestKubernetesFaults(t *testing.T) {
	tests := []struct {
		name, reason string
		during       func(w *world, do func())
	}{
		{"Blind", "events are missed, and a list comes after them", func(w *world, do func()) {
			see := w.traffic.blind()
			do()
			see()
		}},
		{"Reconnect", "all watches are cut and come back at once", func(w *world, do func()) {
			do()
			w.traffic.blind()()
		}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			undisturbed(t, func(t *testing.T) {
				w := newWorld(t)
				w.populate(func(do func()) { tc.during(w, do) })
				t.Logf("%s: %d calls to Cloudflare", tc.reason, w.writes())
			})
		})
	}
}

// TestKubernetesStops stops the API server, and starts it again.
func TestKubernetesStops(t *testing.T) {
	t.Parallel()
	aloneOnReal(t)
	w := newWorld(t)
	step := 0
	w.populate(func(do func()) {
		do()
		step++
		if step == 2 { // It takes a quarter of a minute.
			w.restartAPIServer()
		}
	})
	t.Logf("%d calls to Cloudflare", w.writes())
}

// half makes half of all writes meet a fate while do runs.
func (w *world) half(f fate, do func()) {
	w.t.Helper()
	rng := rand.New(rand.NewPCG(4, 2)) // The interferences are called one after the other.
	w.interfere(func(r request) fate {
		if r.method != http.MethodGet && r.resource != "events" && rng.IntN(2) == 0 {
			return f
		}
		return sent
	})
	do()
	// The fate lasts until the effect of do is visible.
	w.eventually(func() error {
		if len(w.traffic.requests(w.ns, func(request) bool { return true })) == 0 {
			return fmt.Errorf("the provider has not sent anything")
		}
		return nil
	})
	timer := time.NewTimer(1500 * time.Millisecond)
	defer timer.Stop()
	<-timer.C
	w.interfere(nil)
}

// populate takes the records through their lives, with each step under interference.
func (w *world) populate(under func(do func())) {
	w.t.Helper()
	foreign := w.dashboard(map[string]any{"type": "A", "name": "foreign", "content": "203.0.113.7", "ttl": 1})
	var rs []*dnsv1alpha1.Record
	for i := range population {
		rs = append(rs, w.record(fmt.Sprint("host-", i), "A", fmt.Sprint("192.0.2.", i+1)))
	}
	under(func() {
		for _, r := range rs {
			w.create(r)
		}
	})
	want := w.allSettled(rs, "192.0.2.")
	w.holds("the creations", want)
	under(func() {
		for i, r := range rs {
			edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To(fmt.Sprint("198.51.100.", i+1)) })
		}
	})
	want = w.allSettled(rs, "198.51.100.")
	w.holds("the changes", want)
	before := w.writes()
	w.sweeps(2)
	if n := w.writes() - before; n > 0 {
		w.t.Errorf("%d writes after everything was settled", n)
	}
	under(func() {
		for _, r := range rs[:population/2] {
			w.delete(r)
		}
	})
	for _, r := range rs[:population/2] {
		w.gone(r)
	}
	w.holds("the deletions", append(w.allSettled(rs[population/2:], "198.51.100."), "A foreign."+w.zone.Name+" 203.0.113.7"))
	// Each record is created, changed and perhaps deleted, and each call may be tried once
	// more.
	if n := w.writes(); n > 2*3*population {
		w.t.Errorf("%d writes to Cloudflare for %d records", n, population)
	}
	if now, ok := w.sim.Record(w.zone.ID, foreign.ID); !ok || now.Content != foreign.Content {
		w.t.Errorf("the foreign record became %+v", now)
	}
}

// allSettled waits for all records and returns what the zone has to hold.
func (w *world) allSettled(rs []*dnsv1alpha1.Record, net string) []string {
	w.t.Helper()
	var want []string
	if len(rs) == population {
		want = append(want, "A foreign."+w.zone.Name+" 203.0.113.7")
	}
	for _, r := range rs {
		settled(w, r)
		if !strings.HasPrefix(r.Status.AtProvider.Content, net) {
			w.t.Errorf("%s is settled with the content %s", r.Name, r.Status.AtProvider.Content)
		}
		want = append(want, "A "+*r.Spec.ForProvider.Name+"."+w.zone.Name+" "+r.Status.AtProvider.Content)
	}
	return want
}
