// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"net/http"
	"slices"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// A happening is a set of faults of which at least one has to fire, as the test
// shows nothing otherwise. It has the faults of one kind on the reads, or on the
// writes, of one test.
type happening struct {
	kind  simulator.FaultKind
	write bool
}

// changesListsOnly reports whether a fault of that kind has no effect on writes.
func changesListsOnly(kind simulator.FaultKind) bool {
	return slices.Contains([]simulator.FaultKind{
		simulator.FaultStaleList, simulator.FaultEmptyList, simulator.FaultMoreCounted, simulator.FaultFewerCounted,
		simulator.FaultSamePage, simulator.FaultEndless, simulator.FaultBehind,
	}, kind)
}

// expectOneOf records that this fault has to fire, or another one of its happening.
func (w *world) expectOneOf(f simulator.Fault, id int) {
	h := happening{f.Kind, f.Method != http.MethodGet}
	if h.write && changesListsOnly(f.Kind) {
		h.write = false
	}
	if w.happenings == nil {
		w.happenings = map[happening][]int{}
	}
	w.happenings[h] = append(w.happenings[h], id)
}

// everyFaultFired fails the test if a fault that it added for its zone or its token
// never had an effect.
func (w *world) everyFaultFired() {
	if w.t.Failed() || w.randomFaults {
		return
	}
	alone := map[int]bool{}
	for h, ids := range w.happenings {
		fired := 0
		for _, id := range ids {
			alone[id] = true
			fired += w.sim.Fired(id)
		}
		if fired == 0 {
			w.t.Errorf("the fault %s never fired (on writes: %t): the test shows nothing about it", h.kind, h.write)
		}
	}
	for _, f := range w.sim.AddedFaults() {
		if !alone[f.ID] && f.Fired == 0 && (f.Zone == w.zone.ID || f.Token == w.token) {
			w.t.Errorf("a fault never fired, so the test shows nothing about it: %+v", f.Fault)
		}
	}
}
