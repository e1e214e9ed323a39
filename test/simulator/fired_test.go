// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestFired adds each fault to two requests: one on which it has an effect, and one on
// which it has none.
func TestFired(t *testing.T) {
	const records = "/zones/{zone_id}/dns_records"
	list := simulator.Fault{Method: http.MethodGet, Path: records, Times: -1, Delay: time.Nanosecond}
	cases := map[simulator.FaultKind]struct {
		on     string // A query, or the content of a new record.
		not    string
		reason string
	}{
		simulator.FaultErrorChain:     {"300.1.1.1", "192.0.2.2", "only a refusal has another form"},
		simulator.Fault500AfterCommit: {"per_page=1", "", "every answer becomes an error"},
		simulator.FaultHTML502:        {"per_page=1", "", "there is no other answer"},
		simulator.FaultSlow:           {"per_page=1", "", "every answer is late"},
		simulator.FaultSlowBefore:     {"per_page=1", "", "every answer is late"},
		simulator.FaultSamePage:       {"page=2&per_page=1", "page=1&per_page=1", "the first page is the right answer to the first request"},
		simulator.FaultStaleList:      {"", "", "the last change is not shown"},
		simulator.FaultTXTQuoted:      {"type=TXT", "type=A", "addresses have no quotes"},
		simulator.FaultUnknownFields:  {"type=A", "type=MX", "an empty list has no fields"},
		simulator.FaultEmptyList:      {"type=A", "type=MX", "an empty list is empty"},
		simulator.FaultNoIDs:          {"type=A", "type=MX", "an empty list has no IDs"},
		simulator.FaultTruncated:      {"type=A", "", "every answer is cut"},
	}
	for kind, tc := range cases {
		t.Run(string(kind), func(t *testing.T) {
			w := newWorld(t, simulator.PlanFree)
			w.create(object{"type": "A", "name": "a", "content": "192.0.2.1"})
			w.create(object{"type": "TXT", "name": "t", "content": "plain"})
			f := list
			f.Kind = kind
			if kind == simulator.FaultStaleList {
				f.Delay = 0
			}
			ask := func(what string) {
				if kind == simulator.FaultErrorChain {
					w.do(http.MethodPost, w.records(), object{"type": "A", "name": "x", "content": what})
					return
				}
				w.do(http.MethodGet, w.records()+"?"+what, nil)
			}
			if kind == simulator.FaultErrorChain {
				f.Method = http.MethodPost
			}
			id := w.sim.AddFault(f)
			if n := w.sim.Fired(id); n != 0 {
				t.Errorf("%d before any request", n)
			}
			ask(tc.on)
			if n := w.sim.Fired(id); n != 1 {
				t.Errorf("%s: %d after a request on which it has an effect, want 1", tc.reason, n)
			}
			if tc.not != "" {
				ask(tc.not)
				if n := w.sim.Fired(id); n != 1 {
					t.Errorf("%s: %d after a request on which it has none, want 1 still", tc.reason, n)
				}
			}
			w.sim.RemoveFault(id)
			added := w.sim.AddedFaults()
			if len(added) != 1 || added[0].ID != id || added[0].Kind != kind || added[0].Fired != 1 {
				t.Errorf("a fault that is off is not remembered: %+v", added)
			}
		})
	}
}

// TestFiredOfAnUnknownFault verifies that an unknown fault has the count 0.
func TestFiredOfAnUnknownFault(t *testing.T) {
	if n := newWorld(t, simulator.PlanFree).sim.Fired(42); n != 0 {
		t.Errorf("got %d", n)
	}
}
