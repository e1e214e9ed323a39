// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestGarbage reads a list of one record with each kind of garbage.
func TestGarbage(t *testing.T) {
	says := func(texts ...string) func(answer) bool {
		return func(a answer) bool {
			return !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(a.raw, s) })
		}
	}
	cases := []struct {
		reason string
		kind   simulator.FaultKind
		look   func(answer) bool
	}{
		{"a page", simulator.FaultHTML200, func(a answer) bool {
			return a.header.Get("Content-Type") == "text/html" && strings.HasPrefix(a.raw, "<!")
		}},
		{"JSON that ends too soon", simulator.FaultTruncated, func(a answer) bool { return strings.HasPrefix(a.raw, `{"result":[{`) && !strings.HasSuffix(a.raw, "}") }},
		{"a number for a name", simulator.FaultWrongTypes, says(`"name":7`, `"ttl":["seven"]`, `"proxied":{}`)},
		{"a failure without errors", simulator.FaultBareFailure, says(`"success":false`, `"errors":null`, `"result":null`)},
		{"nothing for a list, and it counts as an empty one", simulator.FaultNullResult, says(`"result":null`, `"success":true`, `"total_count":0`)},
		{"an empty list that counts as one of one", simulator.FaultEmptyList, says(`"result":[]`, `"total_count":1`)},
		{"an object of nothing", simulator.FaultEmptyObjects, says(`"result":[{}]`)},
		{"a record without ID", simulator.FaultNoIDs, func(a answer) bool { return !strings.Contains(a.raw, `"id"`) && strings.Contains(a.raw, `"name"`) }},
		{"an ID that would leave its path", simulator.FaultBadIDs, says(`"id":"../../zones/../x"`)},
		{"another record", simulator.FaultOtherObject, says(`"id":"` + strings.Repeat("e", 32))},
		{"JSON that is said to be text", simulator.FaultContentType, func(a answer) bool { return strings.HasPrefix(a.header.Get("Content-Type"), "text/plain") }},
		{"80 MB", simulator.FaultHugeBody, func(a answer) bool { return len(a.raw) > 80<<20 }},
		{"texts of 1 MB", simulator.FaultHugeTexts, func(a answer) bool { return len(a.raw) > 3<<20 }},
		{"a count that is too high", simulator.FaultMoreCounted, says(`"total_count":4`)},
		{"a count that is too low", simulator.FaultFewerCounted, says(`"total_count":0`)},
		{"the same page again, counted", simulator.FaultSamePage, says(`"page":1`, `"name":"x.example.com"`)},
		{"the same page again, not counted", simulator.FaultEndless, func(a answer) bool {
			return !strings.Contains(a.raw, "result_info") && strings.Contains(a.raw, `"name":"x.example.com"`)
		}},
	}
	for _, tc := range cases {
		t.Run(string(tc.kind), func(t *testing.T) {
			w := newWorld(t, simulator.PlanPro)
			w.create(a("x", "192.0.2.1"))
			path := w.records()
			if tc.kind == simulator.FaultSamePage || tc.kind == simulator.FaultEndless {
				path += "?page=2"
			}
			w.sim.AddFault(simulator.Fault{Kind: tc.kind})
			got := w.do(http.MethodGet, path, nil)
			if got.status != 200 || !tc.look(got) || got.header.Get(simulator.FaultHeader) != string(tc.kind) {
				t.Errorf("%s: %d %v %.300s", tc.reason, got.status, got.header, got.raw)
			}
		})
	}
	if tested, all := len(cases), len(simulator.GarbageKinds()); tested != all {
		t.Errorf("%d kinds are tested, there are %d", tested, all)
	}
}

// TestGarbageSpoilsWhatWasDone verifies that garbage spoils the response to a creation,
// and that the record exists.
func TestGarbageSpoilsWhatWasDone(t *testing.T) {
	for _, kind := range simulator.GarbageKinds() {
		w := newWorld(t, simulator.PlanPro)
		w.sim.AddFault(simulator.Fault{Kind: kind})
		w.do(http.MethodPost, w.records(), a("x", "192.0.2.1"))
		if n := len(w.sim.Records(w.zone.ID)); n != 1 {
			t.Errorf("%s: %d records, want the one that was made", kind, n)
		}
	}
	w := newWorld(t, simulator.PlanPro)
	w.sim.AddFault(simulator.Fault{Kind: simulator.FaultHTML200})
	if got := w.do(http.MethodGet, w.records(strings.Repeat("0", 32)), nil); got.code() != simulator.CodeRecordNotFound {
		t.Errorf("a refusal is left alone, got %s", got.raw)
	}
}
