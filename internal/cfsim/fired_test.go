// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cfsim"
)

// TestFired adds each fault to two requests: one on which it has an effect, and one on
// which it has none.
func TestFired(t *testing.T) {
	const records = "/zones/{zone_id}/dns_records"
	list := cfsim.Fault{Method: http.MethodGet, Path: records, Times: -1, Delay: time.Nanosecond}
	cases := map[cfsim.FaultKind]struct {
		on     string // A query, or the content of a new record.
		not    string
		reason string
	}{
		cfsim.FaultErrorChain:     {"300.1.1.1", "192.0.2.2", "only a refusal has another form"},
		cfsim.Fault500AfterCommit: {"per_page=1", "", "every answer becomes an error"},
		cfsim.FaultHTML502:        {"per_page=1", "", "there is no other answer"},
		cfsim.FaultSlow:           {"per_page=1", "", "every answer is late"},
		cfsim.FaultSlowBefore:     {"per_page=1", "", "every answer is late"},
		cfsim.FaultSamePage:       {"page=2&per_page=1", "page=1&per_page=1", "the first page is the right answer to the first request"},
		cfsim.FaultStaleList:      {"", "", "the last change is not shown"},
		cfsim.FaultTXTQuoted:      {"type=TXT", "type=A", "addresses have no quotes"},
		cfsim.FaultUnknownFields:  {"type=A", "type=MX", "an empty list has no fields"},
		cfsim.FaultEmptyList:      {"type=A", "type=MX", "an empty list is empty"},
		cfsim.FaultNoIDs:          {"type=A", "type=MX", "an empty list has no IDs"},
		cfsim.FaultTruncated:      {"type=A", "", "every answer is cut"},
	}
	for kind, tc := range cases {
		t.Run(string(kind), func(t *testing.T) {
			w := newWorld(t, cfsim.PlanFree)
			w.create(object{"type": "A", "name": "a", "content": "192.0.2.1"})
			w.create(object{"type": "TXT", "name": "t", "content": "plain"})
			f := list
			f.Kind = kind
			if kind == cfsim.FaultStaleList {
				f.Delay = 0
			}
			ask := func(what string) {
				if kind == cfsim.FaultErrorChain {
					w.do(http.MethodPost, w.records(), object{"type": "A", "name": "x", "content": what})
					return
				}
				w.do(http.MethodGet, w.records()+"?"+what, nil)
			}
			if kind == cfsim.FaultErrorChain {
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
	if n := newWorld(t, cfsim.PlanFree).sim.Fired(42); n != 0 {
		t.Errorf("got %d", n)
	}
}
